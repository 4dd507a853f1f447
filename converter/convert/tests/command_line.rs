//! The binary: exit codes, messages, files left behind.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use synth::scenario::Load;
use synth::scenario::{Options, minimal, switches};
use tempfile::TempDir;

fn run(folder: &TempDir, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outrank-convert"))
        .current_dir(folder.path())
        .args(args)
        .output()
        .expect("the binary runs")
}

fn folder() -> TempDir {
    let folder = TempDir::new().expect("there is a temporary folder");
    let file = File::create(folder.path().join("minimal.etl")).expect("it takes a file");
    minimal::write(file, Options::default()).expect("it takes a trace");
    folder
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<_> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

#[test]
fn the_output_stands_beside_the_input_and_nothing_else() {
    let folder = folder();
    let output = run(&folder, &["minimal.etl"]);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(0), String::new())
    );
    assert_eq!(files(folder.path()), ["minimal.etl", "minimal.pftrace"]);
}

#[test]
fn scheduling_goes_into_columns_apart_from_a_whole_trace_alone() {
    let folder = folder();
    let apart = ["minimal.etl", "--columns", "tables"];
    let output = run(&folder, &apart);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(0), String::new())
    );
    let tables = files(&folder.path().join("tables"));
    assert!(tables.contains(&"etw_run.arrow".to_owned()), "{tables:?}");
    assert!(
        tables.iter().all(|name| name.ends_with(".arrow")),
        "{tables:?}"
    );
    let part = run(&folder, &[&apart[..], &["--from", "1s"]].concat());
    assert_eq!(part.status.code(), Some(1));
    assert!(stderr(&part).contains("cannot be used with"));
}

#[test]
fn facts_are_counted_and_nothing_is_written() {
    let folder = folder();
    let counts = |args: &[&str]| -> Vec<String> {
        let output = run(&folder, args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let words = text.lines().map(|line| line.split_whitespace());
        let lines = words.map(|words| words.collect::<Vec<_>>().join(" "));
        lines.filter(|line| !line.ends_with(" 0")).collect()
    };
    assert_eq!(
        counts(&["facts", "minimal.etl"]),
        [
            "switch 12",
            "run 12",
            "ideal_cpu 5",
            "ready 7",
            "ready_wait 8",
            "process 4",
            "thread_begins 3",
            "affinity 3",
            "generic_event 1"
        ]
    );
    assert_eq!(
        counts(&["facts", "minimal.etl", "--skip", "scheduling"]),
        [
            "process 4",
            "thread_begins 3",
            "affinity 3",
            "generic_event 1"
        ]
    );
    assert_eq!(files(folder.path()), ["minimal.etl"]);
}

#[test]
fn parquet_beside_columns_is_what_the_columns_command_writes() {
    let folder = folder();
    let read = |from: &str| -> Vec<_> {
        let from = folder.path().join(from);
        let named = files(&from).into_iter();
        named
            .map(|name| (std::fs::read(from.join(&name)).unwrap(), name))
            .collect()
    };
    let runs: [&[&str]; 2] = [
        &["minimal.etl", "--columns", "tables", "--parquet", "beside"],
        &["columns", "--format=parquet", "minimal.etl", "-o", "alone"],
    ];
    for args in runs {
        assert_eq!(run(&folder, args).status.code(), Some(0));
    }
    assert_eq!(read("beside"), read("alone"));
    let names = files(&folder.path().join("beside"));
    assert!(names.contains(&"etw_run.parquet".to_owned()), "{names:?}");
    let scheduling_within = run(&folder, &["minimal.etl", "--parquet", "beside"]);
    assert_eq!(scheduling_within.status.code(), Some(1));
}

#[test]
fn progress_comes_as_json_lines() {
    let folder = folder();
    let output = run(
        &folder,
        &["minimal.etl", "--progress", "json", "-o", "out.pftrace"],
    );
    assert_eq!(output.status.code(), Some(0));
    let lines = stderr(&output);
    assert_eq!(
        lines.lines().next(),
        Some(r#"{"stage":"index","fraction":0.0}"#)
    );
    assert_eq!(
        lines.lines().last(),
        Some(r#"{"stage":"convert","fraction":1.0}"#)
    );
}

#[test]
fn a_cut_file_is_converted_as_far_as_it_goes() {
    let folder = folder();
    let whole = fs::read(folder.path().join("minimal.etl")).expect("it is there");
    fs::write(folder.path().join("cut.etl"), &whole[..20_000]).expect("it takes a file");
    let output = run(&folder, &["cut.etl"]);
    assert_eq!(
        (output.status.code(), stderr(&output).as_str()),
        (
            Some(3),
            "outrank-convert: warning: cut.etl: offset 0x4000: file cut: expected a buffer of 8192 bytes, found 3616\n"
        )
    );
    assert!(folder.path().join("cut.pftrace").is_file());
    let strict = run(&folder, &["cut.etl", "--strict", "-o", "strict.pftrace"]);
    assert_eq!(
        (strict.status.code(), stderr(&strict).as_str()),
        (
            Some(2),
            "outrank-convert: error: cut.etl: offset 0x4000: file cut: expected a buffer of 8192 bytes, found 3616\n"
        )
    );
    assert_eq!(
        files(folder.path()),
        ["cut.etl", "cut.pftrace", "minimal.etl"]
    );
}

#[test]
fn what_is_no_trace_gives_one_line_and_no_file() {
    let folder = folder();
    let cases: [(&str, &[u8], &str); 3] = [
        ("empty.etl", b"", "empty.etl: file is empty"),
        (
            "text.etl",
            b"Dear diary, today I traced nothing at all.",
            "text.etl: not an ETL file: expected a buffer header at offset 0, found text",
        ),
        (
            "random.etl",
            &[0x01; 4096],
            "random.etl: no log-file header: expected a buffer of type 4 (header) at offset 0x0, found type 257",
        ),
    ];
    for (name, content, message) in cases {
        fs::write(folder.path().join(name), content).expect("it takes a file");
        let output = run(&folder, &[name]);
        assert_eq!(
            (output.status.code(), stderr(&output)),
            (Some(2), format!("outrank-convert: error: {message}\n"))
        );
        let json = run(&folder, &[name, "--progress", "json"]);
        assert_eq!(stderr(&json), format!("{{\"error\":\"{message}\"}}\n"));
    }
    assert_eq!(
        files(folder.path()),
        ["empty.etl", "minimal.etl", "random.etl", "text.etl"]
    );
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    let folder = folder();
    let output = run(&folder, &["minimal.etl", "-o", "nowhere/out.pftrace"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output)
            .starts_with("outrank-convert: error: nowhere/out.pftrace: cannot be written: ")
    );
    assert_eq!(files(folder.path()), ["minimal.etl"]);
}

#[test]
fn an_output_never_takes_the_place_of_an_input_or_of_what_is_no_file() {
    let folder = folder();
    let before = fs::read(folder.path().join("minimal.etl")).expect("the trace can be read");
    fs::create_dir(folder.path().join("folder")).expect("it takes a folder");
    let refused = |inputs: &[&str], out: &str| {
        let output = run(&folder, &[inputs, &["-o", out]].concat());
        (output.status.code(), stderr(&output))
    };
    let line = |line: &str| (Some(1), format!("outrank-convert: error: {line}\n"));
    assert_eq!(
        refused(&["minimal.etl"], "folder/../minimal.etl"),
        line(
            "folder/../minimal.etl: cannot be written: expected another file than the input minimal.etl"
        )
    );
    assert_eq!(
        refused(&["minimal.etl"], "folder"),
        line("folder: cannot be written: expected the name of a file, found a folder")
    );
    #[cfg(unix)]
    {
        let device = folder.path().join("device");
        std::os::unix::fs::symlink("/dev/null", device).expect("it takes a link");
        assert_eq!(
            refused(&["minimal.etl"], "device"),
            line(
                "device: cannot be written: expected the name of a file, found a device or a pipe"
            )
        );
    }
    let after = fs::read(folder.path().join("minimal.etl")).expect("the trace can be read");
    assert!(after == before);
}

#[cfg(unix)]
#[test]
fn a_stopped_conversion_leaves_nothing() {
    let folder = TempDir::new().expect("there is a temporary folder");
    let file = File::create(folder.path().join("long.etl")).expect("it takes a file");
    let load = Load {
        count: 200_000,
        cpu_count: 2,
    };
    switches::write(file, Options::default(), load).expect("it takes a trace");
    let mut child = Command::new(env!("CARGO_BIN_EXE_outrank-convert"))
        .current_dir(folder.path())
        .args(["long.etl", "--progress", "json"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
    let converting =
        lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("\"convert\"")));
    assert!(converting.is_some());
    let stop = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(stop.expect("kill runs").success());
    assert_eq!(
        lines.last().and_then(Result::ok).as_deref(),
        Some(r#"{"error":"long.etl: stopped"}"#)
    );
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
    assert_eq!(files(folder.path()), ["long.etl"]);
}

#[test]
fn wrong_usage_is_exit_1_and_help_is_not() {
    let folder = folder();
    assert_eq!(run(&folder, &[]).status.code(), Some(1));
    assert_eq!(
        run(&folder, &["minimal.etl", "--colour"]).status.code(),
        Some(1)
    );
    assert_eq!(run(&folder, &["--help"]).status.code(), Some(0));
}

#[test]
fn info_writes_json_to_a_file_too() {
    let folder = folder();
    let text = run(&folder, &["info", "minimal.etl"]);
    let json = run(&folder, &["info", "minimal.etl", "--json"]);
    let both = run(&folder, &["info", "minimal.etl", "--json-to", "info.json"]);
    assert_eq!(both.stdout, text.stdout);
    let written = std::fs::read_to_string(folder.path().join("info.json")).expect("it is written");
    assert_eq!(written, String::from_utf8_lossy(&json.stdout).trim_end());
    let nowhere = run(
        &folder,
        &["info", "minimal.etl", "--json-to", "no/info.json"],
    );
    assert_eq!(nowhere.status.code(), Some(1));
    let error = String::from_utf8_lossy(&nowhere.stderr).into_owned();
    assert!(error.contains("no/info.json: cannot be written"), "{error}");
}

#[test]
fn info_tells_what_a_trace_holds() {
    let folder = folder();
    let text = run(&folder, &["info", "minimal.etl"]);
    assert_eq!(text.status.code(), Some(0));
    insta::assert_snapshot!("info_text", String::from_utf8_lossy(&text.stdout));
    let json = run(&folder, &["info", "minimal.etl", "--json"]);
    let json = String::from_utf8_lossy(&json.stdout).into_owned();
    let (head, timeline) = json
        .split_once("  \"timeline\": {")
        .expect("there is a timeline");
    let (timeline, rest) = timeline.split_once("\n  },\n").expect("it ends");
    insta::assert_snapshot!("info_json", format!("{head}{rest}"));
    let timeline: serde_json::Value =
        serde_json::from_str(&format!("{{{timeline}}}")).expect("it is JSON");
    let sum = |key: &str| -> f64 {
        let buckets = timeline[key].as_array().expect("it has buckets");
        buckets.iter().filter_map(serde_json::Value::as_f64).sum()
    };
    let bucket_ns = timeline["bucket_ns"].as_f64().expect("it has a width");
    assert_eq!((sum("events"), sum("context_switches")), (41.0, 12.0));
    // CPU 0 runs threads from 6 to 9, 20 to 79 and 80 to 82 ms, CPU 1 from 8 to 85 ms.
    let busy_ms = sum("busy") * bucket_ns * 2.0 / 1e6;
    assert!((busy_ms - 141.0).abs() < 0.5, "{busy_ms} ms of both CPUs");
    assert_eq!(files(folder.path()), ["minimal.etl"]);
}

#[test]
fn a_trace_that_costs_too_much_is_told_of_and_not_written() {
    let folder = folder();
    let within = |cost: &str| {
        run(
            &folder,
            &["minimal.etl", "--cost", cost, "--max-cost", "3000"],
        )
    };
    let refused = within("scheduling=200,generic=300");
    assert_eq!(
        (refused.status.code(), stderr(&refused).as_str()),
        (
            Some(4),
            "outrank-convert: error: minimal.etl: costs 3800, more than 3000: choose a part\n"
        )
    );
    assert!(String::from_utf8_lossy(&refused.stdout).contains("\"choices\": ["));
    assert_eq!(files(folder.path()), ["minimal.etl"]);
    assert_eq!(within("generic=300").status.code(), Some(0));
    assert_eq!(within("lunch=300").status.code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn without_memory_for_threads_it_says_so() {
    let folder = folder();
    let limited = format!(
        "ulimit -d 3000; exec {} minimal.etl",
        env!("CARGO_BIN_EXE_outrank-convert")
    );
    let output = Command::new("sh")
        .current_dir(folder.path())
        .args(["-c", &limited])
        .output()
        .expect("a shell runs");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "outrank-convert: no threads can be started: Resource temporarily unavailable (os error 11)\n"
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(files(folder.path()), ["minimal.etl"]);
}

/// Without the refusal the reader waits for a writer that never comes.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = folder();
    let pipe = folder.path().join("pipe.etl");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("there is mkfifo").success());
    fs::create_dir(folder.path().join("folder.etl")).expect("a folder can be made");
    for (name, found) in [
        ("pipe.etl", "a pipe or a device"),
        ("folder.etl", "a folder"),
        ("/dev/zero", "a pipe or a device"),
    ] {
        for args in [vec![name], vec!["info", name], vec!["redact", name]] {
            let output = run(&folder, &args);
            assert_eq!(
                (output.status.code(), stderr(&output)),
                (
                    Some(2),
                    format!(
                        "outrank-convert: error: {name}: not a file but {found}: expected a trace that is a file on disk\n"
                    )
                )
            );
        }
    }
}

#[test]
fn info_tells_of_damage_by_its_exit_code_too() {
    let folder = folder();
    assert_eq!(
        run(&folder, &["info", "minimal.etl"]).status.code(),
        Some(0)
    );
    let path = folder.path().join("minimal.etl");
    let mut bytes = fs::read(&path).expect("the trace can be read");
    let half = bytes.len() - 100;
    bytes.truncate(half);
    fs::write(&path, bytes).expect("the trace can be written");
    let output = run(&folder, &["info", "minimal.etl"]);
    assert_eq!(output.status.code(), Some(3));
}
