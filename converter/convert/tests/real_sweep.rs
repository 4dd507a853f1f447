//! Real traces, damaged: the binary ends by itself with a trace or with one line, in bounded memory and time.
#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

#[path = "../../etl/tests/support/mutate.rs"]
mod mutate;
use crate::support;

use std::path::Path;
use std::process::{Command, Output};

use mutate::{Random, mutate};
use support::real::{FILES, unpacked};
use support::real_files;
use tempfile::TempDir;

/// Of each file: as many damaged parts as the tests have time for.
const ROUNDS: usize = 8;
const PART_BYTES: usize = 256 << 10;
/// Buffers of all processors may take 1 GiB; threads reserve address space without using it.
const ADDRESS_SPACE_KIB: u32 = 4 << 20;
/// A part converts in a fraction of this.
const CPU_SECONDS: u32 = 30;

/// The start of a file with the log-file header and, in odd rounds, a part from elsewhere that begins in mid-buffer.
fn part(file: &[u8], round: usize, random: &mut Random) -> Vec<u8> {
    let start = file.iter().copied().take(PART_BYTES / 2);
    let from = if round.is_multiple_of(2) {
        PART_BYTES / 2
    } else {
        random.below(file.len())
    };
    start
        .chain(file.iter().copied().skip(from).take(PART_BYTES / 2))
        .collect()
}

fn convert(folder: &Path) -> Output {
    let limits =
        format!("ulimit -v {ADDRESS_SPACE_KIB} && ulimit -t {CPU_SECONDS} && exec \"$0\" \"$@\"");
    Command::new("sh")
        .current_dir(folder)
        .args([
            "-c",
            &limits,
            env!("CARGO_BIN_EXE_outrank-convert"),
            "a.etl",
            "-o",
            "a.pftrace",
        ])
        .output()
        .expect("the binary runs")
}

#[test]
fn real_traces_damaged_anywhere_convert_or_are_refused() {
    let Some(traces) = real_files() else { return };
    let folder = TempDir::new().expect("there is a temporary folder");
    let mut random = Random(0x0E71);
    let mut codes = [0; 4];
    for name in FILES {
        let file = unpacked(&traces.join(name));
        for round in 0..ROUNDS {
            let mut bytes = part(&file, round, &mut random);
            mutate(&mut bytes, &mut random);
            std::fs::write(folder.path().join("a.etl"), &bytes).expect("it takes a file");
            let output = convert(folder.path());
            let words = String::from_utf8_lossy(&output.stderr);
            let code = output
                .status
                .code()
                .and_then(|code| usize::try_from(code).ok());
            assert!(
                matches!(code, Some(0 | 2 | 3)) && !words.contains("panicked"),
                "{name}, round {round}: {:?}\n{words}",
                output.status
            );
            if let Some(count) = code.and_then(|code| codes.get_mut(code)) {
                *count += 1;
            }
        }
    }
    println!("exit codes: {codes:?}");
    assert!(
        codes[3] > codes[2],
        "the sweep does not reach the buffers: {codes:?}"
    );
}
