#![no_main]

use std::sync::Once;
use std::thread;

use libfuzzer_sys::fuzz_target;
use symbols::{PdbIdentity, ReadError, resolve};

mod scratch;

/// The GUID of the PDBs that `outrank-synth symbols --pdbs` writes.
const GUID: &str = "0A1B2C3D4E5F60718293A4B5C6D7E8F9";

static LET_THE_READER_PANIC: Once = Once::new();

fuzz_target!(|bytes: &[u8]| {
    // A panic of the libraries that read PDBs, in a thread of its own, is answered as an error; only others are findings.
    LET_THE_READER_PANIC.call_once(|| {
        let (abort, checker) = (std::panic::take_hook(), thread::current().id());
        std::panic::set_hook(Box::new(move |panic| {
            let is_of_symbols = panic
                .location()
                .is_some_and(|at| at.file().contains("symbols/src/"));
            if is_of_symbols || thread::current().id() == checker {
                abort(panic);
            }
        }));
    });
    let path = scratch::path("in.pdb");
    if let Err(error) = std::fs::write(&path, bytes) {
        panic!("{}: {error}", path.display())
    }
    let Ok(identity) = PdbIdentity::new("browser.pdb", GUID, 2) else {
        panic!("the identity is sound")
    };
    let rvas: Vec<u32> = (0..64).map(|at| 0x1000 + at * 0x20).collect();
    match resolve(&path, &identity, rvas.clone(), rvas) {
        Ok(named) => assert!(named.len() <= 128),
        Err(ReadError::TooLong) => panic!("{} bytes take too long", bytes.len()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
