#![no_main]

use std::path::Path;
use std::sync::Once;
use std::thread;

use libfuzzer_sys::fuzz_target;
use symbols::{Named, PdbIdentity, ReadError, Request, resolve};

mod scratch;

/// A PDB of another build tells its own.
const ANY_GUID: &str = "00000000000000000000000000000000";

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
    let rvas: Vec<u32> = (0..64).map(|at| at * 0x100).collect();
    // The second is read as the PDB of a native image.
    for name in ["browser.pdb", "browser.ni.pdb"] {
        let named = match resolve_as(name, ANY_GUID, &path, &rvas) {
            Err(ReadError::OtherBuild(guid)) => resolve_as(name, &guid, &path, &rvas),
            named => named,
        };
        match named {
            Ok(named) => {
                assert!(named.len() <= 2 * rvas.len());
                assert!(named.iter().all(|named| rvas.contains(&named.rva)));
            }
            Err(ReadError::TooLong | ReadError::OtherBuild(_)) => panic!("{named:?}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});

/// Asks for the build of this name and GUID: for what lies at the addresses, and for what calls there return to.
fn resolve_as(name: &str, guid: &str, path: &Path, rvas: &[u32]) -> Result<Vec<Named>, ReadError> {
    let Ok(identity) = PdbIdentity::new(name, guid, 1) else {
        panic!("{guid} is no GUID")
    };
    let request = Request {
        module: 0,
        pdb: name.to_owned(),
        guid: guid.to_owned(),
        age: 1,
        image_bytes: None,
        rvas: rvas.to_vec(),
        returns: rvas.to_vec(),
    };
    resolve(path, &identity, &request)
}
