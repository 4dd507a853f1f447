//! Whole conversions of a synthetic load, in context switches a second.

use std::fs::File;
use std::path::PathBuf;

use convert::{Progress, ProgressStyle, Request};
use divan::counter::ItemsCount;
use synth::scenario::{Load, Options, switches};
use tempfile::TempDir;

const SWITCHES: u64 = 500_000;
const CPUS: u32 = 16;

fn main() {
    divan::main();
}

fn load(folder: &TempDir, compressed: bool) -> Option<PathBuf> {
    let path = folder.path().join("load.etl");
    let options = Options {
        compressed,
        ..Options::default()
    };
    let load = Load {
        count: SWITCHES,
        cpu_count: CPUS,
    };
    switches::write(File::create(&path).ok()?, options, load).ok()?;
    Some(path)
}

#[divan::bench(args = [false, true], sample_count = 5)]
fn whole_file(bencher: divan::Bencher<'_, '_>, compressed: bool) {
    let Ok(folder) = tempfile::tempdir() else {
        return;
    };
    let Some(input) = load(&folder, compressed) else {
        return;
    };
    let output = folder.path().join("load.pftrace");
    let progress = Progress::new(ProgressStyle::None);
    bencher.counter(ItemsCount::new(SWITCHES)).bench(|| {
        convert::convert(&[&input], &output, &Request::default(), true, &progress).is_ok()
    });
}
