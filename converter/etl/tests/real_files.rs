//! Reads every real file next to the repository: counts, time order, no damage.

use std::path::{Path, PathBuf};

use etl::{Buffer, TraceFile};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/etl")
}

/// Paths of all real files; empty, with a loud message, where the folder is absent.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in [folder(), folder().join("classic")] {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            eprintln!(
                "SKIPPED: no real .etl files, {} is absent",
                folder.display()
            );
            return files;
        };
        let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
        files.extend(paths.filter(|path| path.to_string_lossy().contains(".etl")));
    }
    files.sort();
    files
}

fn walked(trace: &TraceFile) -> usize {
    let mut buffer = Buffer::new();
    (0..trace.buffers().len())
        .map(|index| {
            assert_eq!(trace.read_buffer(index, &mut buffer), Ok(()));
            assert_eq!(buffer.events().count(), buffer.len());
            buffer.len()
        })
        .sum()
}

#[test]
fn every_file_walks_and_merges_whole() {
    for path in files() {
        let trace = TraceFile::open(&path).unwrap();
        let walked = walked(&trace);
        let mut merge = trace.merge(Buffer::len);
        let (mut merged, mut latest) = (0, i64::MIN);
        while let Some(item) = merge.next_event() {
            assert!(item.timestamp >= latest, "{}: back in time", path.display());
            assert!(item.event().is_some_and(|event| !event.payload_lost));
            assert_eq!(*item.prepared, item.buffer.len());
            latest = item.timestamp;
            merged += 1;
        }
        let name = path.file_name().unwrap().to_string_lossy();
        println!(
            "{name}: {merged} events in {} buffers, {:?}",
            trace.buffers().len(),
            trace.losses()
        );
        assert_eq!(merged, walked, "{name}");
        assert_eq!(merge.damage().items(), [], "{name}");
        assert_eq!(trace.losses(), [], "{name}");
        assert_eq!(
            merge.stats().went_back + merge.stats().dropped_late,
            0,
            "{name}"
        );
        assert!(
            !trace
                .damage()
                .items()
                .iter()
                .any(|damage| damage.kind.loses_events()),
            "{name}"
        );
    }
}

#[test]
fn event_counts_are_those_of_an_independent_walk() {
    if files().is_empty() {
        return;
    }
    for (name, events) in [
        ("ShutdownPerfDiagLogger.etl", 17_078),
        ("net.4.5.2.x64.etl.zip", 179_474),
        ("TraceLoggingTester.etl.gz", 172_716),
        ("diaghub.kernel.1.etl.gz", 16_335),
    ] {
        let trace = TraceFile::open(&folder().join(name)).unwrap();
        assert_eq!(walked(&trace), events, "{name}");
    }
}
