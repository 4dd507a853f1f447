//! Facts in, files out, read by Arrow's own reader.

use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::reader::FileReader;
use arrow_schema::ArrowError;
use columns::{BATCH_ROWS, BLOCK_ROWS, Columns, ENDS, Form, SPANS, STARTS, UNORDERED};
use etw::ReadyThread;
use facts::{
    CounterSample, CounterSource, EventHeader, GenericEvent, Image, ImageSymbols, Mention,
    ReadyWait, Run, RunCounter, RunEnd, RunOutlook, RunStart, Sink, Thread,
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;

const THREAD: Thread = Thread { tid: 8, utid: 3 };

/// A file's batches, and what the file's own metadata says about them.
fn read(folder: &Path, table: &str) -> Result<(Vec<RecordBatch>, String), ArrowError> {
    let reader = reader(folder, table)?;
    let spans = reader.custom_metadata().get(SPANS).cloned();
    Ok((reader.collect::<Result<_, _>>()?, spans.unwrap_or_default()))
}

fn reader(folder: &Path, table: &str) -> Result<FileReader<File>, ArrowError> {
    let file = File::open(folder.join(format!("{table}.arrow")))?;
    FileReader::try_new(file, None)
}

/// A batch as text, a line each column.
fn lines(batch: &RecordBatch) -> Vec<String> {
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns());
    columns
        .map(|(field, values)| format!("{} {}", field.name(), row_texts(values).join(" ")))
        .collect()
}

fn row_texts(values: &ArrayRef) -> Vec<String> {
    let names = values.as_dictionary_opt::<Int8Type>();
    if let Some(names) = names.and_then(|names| names.downcast_dict::<StringArray>()) {
        let names = names.into_iter();
        return names
            .map(|name| name.unwrap_or("null").to_owned())
            .collect();
    }
    let printed = format!("{values:?}");
    let rows = printed.lines().filter(|line| line.starts_with("  "));
    rows.map(|row| row.trim().trim_end_matches(',').to_owned())
        .collect()
}

fn idle(ts_ns: u64, te_ns: u64) -> Run {
    Run {
        ts_ns,
        te_ns,
        cpu: 1,
        thread: Thread::default(),
        priority: 0,
        has_ended: true,
        outlook: None,
    }
}

#[test]
fn a_wait_whose_rank_changed_has_the_rank_from_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = Columns::create(folder.path(), Form::Arrow, (0, 1 << 20)).unwrap();
    let ready = ReadyThread {
        tid: 8,
        adjust_reason: 1,
        adjust_increment: 2,
        flags: ReadyThread::FROM_DPC,
    };
    let woken = ReadyWait {
        ts_ns: 100,
        te_ns: 250,
        thread: THREAD,
        waker: Some(Thread::default()),
        ready: Some(ready),
        last_switch_out_ns: Some(40),
        last_ready_ns: Some(180),
        priority: Some(14),
        rank_before: Some(2),
        rank_after: Some(0),
        cpu: Some(1),
    };
    columns.ready_wait(&woken);
    columns.ready_wait(&ReadyWait {
        ts_ns: 300,
        te_ns: 900,
        waker: None,
        ready: None,
        last_switch_out_ns: None,
        last_ready_ns: None,
        priority: None,
        rank_after: None,
        cpu: None,
        ..woken
    });
    columns.finish().unwrap();

    let (batches, spans) = read(folder.path(), "etw_ready_wait").unwrap();
    assert_eq!(spans, r#"[["100","900"]]"#);
    let [batch] = batches.as_slice() else {
        panic!("{} batches", batches.len());
    };
    assert_eq!(
        lines(batch),
        [
            "ts 100 300",
            "dur 150 600",
            "te 250 900",
            "ended true false",
            "cause wake preempted",
            "utid 3 3",
            "waker_utid null null",
            "waker_in_dpc true null",
            "priority 14 null",
            "rank 2 2",
            "rank_source before before",
            "rank_before 2 2",
            "rank_after 0 null",
            "cpu 1 null",
            "flags 1 null",
            "last_switch_out_ts 40 null",
            "last_ready_ts 180 null",
        ]
    );
}

#[test]
fn a_full_batch_begins_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = Columns::create(folder.path(), Form::Arrow, (0, 1 << 20)).unwrap();
    let end = RunEnd {
        tid: 8,
        rank: Some(2),
        priority: 14,
        wait_reason: 6,
        wait_mode: 1,
        state: 5,
        qos: 3,
    };
    let outlook = RunOutlook {
        start: RunStart::default(),
        end: Some(end),
        rank_before: None,
    };
    columns.run(&Run {
        thread: THREAD,
        outlook: Some(outlook),
        ..idle(1, 5)
    });
    for at in 0..BATCH_ROWS as u64 {
        columns.run(&idle(10 + at, 20 + at));
    }
    let size_bytes = columns.finish().unwrap();

    let (batches, spans) = read(folder.path(), "etw_run").unwrap();
    let rows: Vec<_> = batches.iter().map(RecordBatch::num_rows).collect();
    assert_eq!(rows, [BATCH_ROWS, 1]);
    assert_eq!(spans, r#"[["1","65554"],["65545","65555"]]"#);
    let files = std::fs::read_dir(folder.path()).unwrap();
    let sizes = files.map(|file| file.unwrap().metadata().unwrap().len());
    assert_eq!(sizes.sum::<u64>(), size_bytes);
}

#[test]
fn a_file_says_when_the_first_of_each_block_of_rows_begins_and_the_last_ends() {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = Columns::create(folder.path(), Form::Arrow, (0, 1 << 20)).unwrap();
    let block = BLOCK_ROWS as u64;
    for at in 0..=BATCH_ROWS as u64 {
        // The last of the second block began with the trace.
        let ts_ns = if at == 2 * block - 1 { 3 } else { 10 + at };
        columns.run(&idle(ts_ns, 20 + at));
    }
    columns.finish().unwrap();

    let metadata = reader(folder.path(), "etw_run").unwrap();
    let blocks = (2..BATCH_ROWS / BLOCK_ROWS).map(|number| (number as u64 * block + 7).to_string());
    let blocks: Vec<_> = blocks.collect();
    assert_eq!(
        metadata.custom_metadata().get(STARTS),
        Some(&format!("[[7,0,{}],[0]]", blocks.join(",")))
    );
    let blocks =
        (1..=BATCH_ROWS / BLOCK_ROWS).map(|number| (number as u64 * block + 16).to_string());
    let blocks: Vec<_> = blocks.collect();
    assert_eq!(
        metadata.custom_metadata().get(ENDS),
        Some(&format!("[[{}],[10]]", blocks.join(",")))
    );
    let points = reader(folder.path(), "etw_sample").unwrap();
    assert_eq!(points.custom_metadata().get(STARTS), None);
}

#[test]
fn a_file_says_where_rows_are_not_in_the_order_of_their_ends() {
    let unordered = |ends_ns: &[u64]| {
        let folder = tempfile::tempdir().unwrap();
        let mut columns = Columns::create(folder.path(), Form::Lean, (0, 1 << 20)).unwrap();
        for te_ns in ends_ns {
            columns.run(&idle(1, *te_ns));
        }
        columns.finish().unwrap();
        let file = reader(folder.path(), "etw_run").unwrap();
        file.custom_metadata().get(UNORDERED).cloned()
    };
    assert_eq!(unordered(&[5, 9, 9, 12]), None);
    assert_eq!(unordered(&[5, 9, 8, 12]), Some("te".to_owned()));
}

#[test]
fn what_events_have_in_common_is_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = Columns::create(folder.path(), Form::Lean, (0, 1 << 20)).unwrap();
    let event = GenericEvent {
        ts_ns: 5,
        cpu: Some(1),
        thread: None,
        mention: Mention::default(),
        kind: "App/Load",
        header: EventHeader {
            id: 7,
            ..EventHeader::default()
        },
        more_header: None,
        fields: br#"{"n":12,"s":"a"}"#,
        request: None,
        is_told: true,
    };
    columns.generic_event(&event);
    columns.generic_event(&GenericEvent {
        fields: br#"{"n":-3,"s":""}"#,
        ..event
    });
    columns.generic_event(&GenericEvent {
        more_header: Some(br#"{"SessionId":1}"#),
        ..event
    });
    columns.finish().unwrap();

    let (events, _) = read(folder.path(), "etw_generic_event").unwrap();
    let lines = |batch: &RecordBatch| lines(batch).join("\n").replace(r"\u{1}", "_");
    assert_eq!(
        events.iter().map(lines).collect::<Vec<_>>(),
        [
            "ts 5 5 5\ncpu 1 1 1\nutid null null null\nshape 0 0 1\nvalues \"12_a\" \"-3_\" \"1_12_a\""
        ]
    );
    let (shapes, _) = read(folder.path(), "etw_event_shape").unwrap();
    let shapes = shapes.iter().map(lines).collect::<Vec<_>>().join("");
    let expected = r#"
kind "App/Load" "App/Load"
event_id 7 7
version 0 0
opcode 0 0
task 0 0
level 0 0
keywords 0 0
header null "{\"SessionId\":_}"
fields "{\"n\":_,\"s\":\"_\"}" "{\"n\":_,\"s\":\"_\"}""#;
    assert_eq!(shapes, expected.trim_start());
}

#[test]
fn parquet_has_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    for form in Form::ALL {
        let mut columns = Columns::create(folder.path(), form, (0, 1 << 20)).unwrap();
        columns.run(&idle(1, 5));
        columns.run(&idle(7, 9));
        columns.finish().unwrap();
    }
    let (batches, _) = read(folder.path(), "etw_run").unwrap();
    let file = File::open(folder.path().join("etw_run.parquet")).unwrap();
    let rows = ParquetRecordBatchReader::try_new(file, BATCH_ROWS).unwrap();
    let rows: Vec<_> = rows.map(Result::unwrap).collect();
    assert_eq!(
        rows.iter().map(lines).collect::<Vec<_>>(),
        batches.iter().map(lines).collect::<Vec<_>>()
    );
}

#[test]
fn a_lean_file_leaves_out_dur_and_has_all_else() {
    let lines_in = |form| {
        let folder = tempfile::tempdir().unwrap();
        let mut columns = Columns::create(folder.path(), form, (0, 1 << 20)).unwrap();
        columns.run(&idle(1, 5));
        columns.run(&idle(7, 9));
        columns.finish().unwrap();
        let (batches, spans) = read(folder.path(), "etw_run").unwrap();
        (batches.iter().flat_map(lines).collect::<Vec<_>>(), spans)
    };
    let (mut whole, spans) = lines_in(Form::Arrow);
    assert_eq!(whole.remove(1), "dur 4 2");
    assert_eq!(lines_in(Form::Lean), (whole, spans));
}

#[test]
fn a_time_that_no_row_holds_has_several() {
    let folder = tempfile::tempdir().unwrap();
    let step_ns = 6_000_000_000;
    let mut columns = Columns::create(folder.path(), Form::Arrow, (0, 512 * step_ns)).unwrap();
    columns.run(&idle(0, step_ns));
    columns.finish().unwrap();
    let (batches, _) = read(folder.path(), "etw_cpu_time").unwrap();
    assert_eq!(
        batches.iter().flat_map(lines).collect::<Vec<_>>(),
        [
            "ts 0 0",
            "dur 6000000000 6000000000",
            "utid 0 0",
            "priority 0 0",
            "rank null null",
            "ran_ns 4294967295 1705032705",
            "switches 1 0",
        ]
    );
}

#[test]
fn columns_that_are_not_finished_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = Columns::create(folder.path(), Form::Arrow, (0, 1 << 20)).unwrap();
    columns.run(&idle(1, 5));
    drop(columns);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let error =
        Columns::create(Path::new("/nowhere/at/all"), Form::Arrow, (0, 1 << 20)).unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/at/all/etw_"));
}

#[test]
fn samples_of_hardware_counters_have_the_names_of_these() {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = Columns::create(folder.path(), Form::Lean, (0, 1 << 20)).unwrap();
    let named = CounterSample {
        ts_ns: 100,
        cpu: 1,
        thread: THREAD,
        mention: Mention::default(),
        source: 10,
        source_name: Some("CacheMisses".into()),
        is_kernel: true,
        callsite: Some(7),
        weight_events: Some(4096),
    };
    columns.counter_sample(&named);
    columns.counter_sample(&CounterSample {
        ts_ns: 200,
        source: 11,
        source_name: None,
        callsite: None,
        weight_events: None,
        ..named
    });
    columns.finish().unwrap();

    let (batches, spans) = read(folder.path(), "etw_pmc_sample").unwrap();
    assert_eq!(spans, r#"[["100","201"]]"#);
    let [batch] = batches.as_slice() else {
        panic!("{} batches", batches.len());
    };
    assert_eq!(
        lines(batch),
        [
            "ts 100 200",
            "cpu 1 1",
            "utid 3 3",
            "source 10 11",
            "source_name \"CacheMisses\" null",
            "is_kernel true true",
            "callsite 7 null",
            "weight_events 4096 null",
        ]
    );
}

#[test]
fn a_run_has_a_row_for_each_counter_and_the_names_stand_apart() {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = Columns::create(folder.path(), Form::Arrow, (0, 1 << 20)).unwrap();
    for (counter, counted) in [(1, 500), (2, 1 << 40)] {
        columns.run_counter(&RunCounter {
            run: idle(100, 200),
            counter,
            counted,
        });
    }
    columns.counter_source(&CounterSource {
        counter: 1,
        name: "TotalCycles".into(),
    });
    columns.finish().unwrap();

    let (counters, spans) = read(folder.path(), "etw_run_counter").unwrap();
    assert_eq!(spans, r#"[["100","200"]]"#);
    let counters: Vec<_> = counters.iter().flat_map(lines).collect();
    assert_eq!(
        counters,
        [
            "ts 100 100",
            "dur 100 100",
            "te 200 200",
            "cpu 1 1",
            "utid 0 0",
            "priority 0 0",
            "rank null null",
            "counter 1 2",
            "counted 500 1099511627776",
        ]
    );
    let (sources, _) = read(folder.path(), "etw_counter_source").unwrap();
    let sources: Vec<_> = sources.iter().flat_map(lines).collect();
    assert_eq!(sources, ["counter 1", "name \"TotalCycles\""]);
}

#[test]
fn images_have_what_identifies_them_and_those_of_the_kernel_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = Columns::create(folder.path(), Form::Lean, (0, 1 << 20)).unwrap();
    let program = Image {
        upid: Some(2),
        pid: Some(2000),
        base: 0x1000,
        size_bytes: 0x2000,
        path: Some("\\app.exe".into()),
        symbols: Some(ImageSymbols {
            pdb_path: "app.pdb".into(),
            guid: "3304ffa1-d932-4925-a38d-fcaf4cafb624".into(),
            age: 3,
        }),
        timestamp: Some(77),
        checksum: Some(u32::MAX),
        original_name: Some("APP.EXE".into()),
        load_ts_ns: Some(100),
        unload_ts_ns: Some(200),
    };
    columns.image(100, &program);
    columns.image(
        200,
        &Image {
            base: 0xFFFF_F800_0000_0000,
            ..Image::default()
        },
    );
    columns.finish().unwrap();

    let (batches, _) = read(folder.path(), "etw_image").unwrap();
    let [batch] = batches.as_slice() else {
        panic!("{} batches", batches.len());
    };
    assert_eq!(
        lines(batch),
        [
            "upid 2 null",
            "is_kernel false true",
            "base 4096 -8796093022208",
            "size_bytes 8192 0",
            "path \"\\\\app.exe\" null",
            "pdb \"app.pdb\" null",
            "guid \"3304ffa1-d932-4925-a38d-fcaf4cafb624\" null",
            "age 3 null",
            "timestamp 77 null",
            "checksum 4294967295 null",
            "original_name \"APP.EXE\" null",
            "load_ts 100 null",
            "unload_ts 200 null",
        ]
    );
}
