//! `outrank-symbols`: the command line.

use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;

use clap::Parser;
use symbols::{Answer, Request, Search, SymbolPath, answer};

/// Tell the functions at addresses of images, by PDBs in folders and on symbol servers.
///
/// Reads requests from stdin and writes answers to stdout, one JSON object a line:
/// {"module":0,"pdb":"ntdll.pdb","guid":"…","age":1,"rvas":[4096],"returns":[]}.
/// Only servers that the path names are asked.
#[derive(Parser)]
#[command(name = "outrank-symbols", version)]
struct Cli {
    /// Where to look, in the language of _NT_SYMBOL_PATH: FOLDER;srv*STORE*https://SERVER;cache*STORE. May be given several
    /// times.
    #[arg(long, value_name = "PATH", required = true)]
    path: Vec<String>,
    /// The store that keeps what servers send, where the path names none.
    #[arg(long, value_name = "FOLDER")]
    cache: PathBuf,
}

/// Modules that are looked for at the same time: most of it is waiting for servers.
const WORKERS: usize = 4;
/// Longest request in bytes: more than a million addresses.
const REQUEST_BYTES_MAX: u64 = 64 << 20;

const USAGE: u8 = 1;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A failed write is ignored: the reader of the output may be gone.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { USAGE } else { 0 });
        }
    };
    let path = match SymbolPath::parse(&cli.path.join(";"), cli.cache) {
        Ok(path) => path,
        Err(error) => return fail(&error.to_string()),
    };
    if let Err(error) = prepare() {
        return fail(&error);
    }
    // Damaged PDBs may make their reader panic. The answer reports the panic.
    std::panic::set_hook(Box::new(|_| ()));
    let search = Search::new(path);
    let requests = Mutex::new(Requests::default());
    let work = || {
        while let Some(request) = next(&requests) {
            answer(&search, request, |said| print(&said));
        }
    };
    if cfg!(target_family = "wasm") {
        // It has no threads.
        work();
    } else {
        thread::scope(|scope| {
            for _ in 0..WORKERS {
                scope.spawn(work);
            }
        });
    }
    let failed = requests
        .into_inner()
        .ok()
        .and_then(|requests| requests.failed);
    failed.map_or(ExitCode::SUCCESS, |message| fail(&message))
}

/// What the program needs of the system.
#[cfg(not(target_family = "wasm"))]
fn prepare() -> Result<(), String> {
    Ok(())
}

/// WebAssembly knows no folder that it is in but the one that it is told.
#[cfg(target_family = "wasm")]
fn prepare() -> Result<(), String> {
    let folder = std::env::var_os("PWD").unwrap_or("/".into());
    std::env::set_current_dir(folder).map_err(|error| format!("no folder: {error}"))
}

#[derive(Default)]
struct Requests {
    read: u64,
    failed: Option<String>,
}

/// The next request of stdin; none at its end, or where it is no request.
fn next(requests: &Mutex<Requests>) -> Option<Request> {
    let mut requests = requests.lock().ok()?;
    if requests.failed.is_some() {
        return None;
    }
    let mut line = String::new();
    let mut input = std::io::stdin().lock().take(REQUEST_BYTES_MAX);
    let read = input.read_line(&mut line);
    requests.read += 1;
    let number = requests.read;
    let mut fail = |message: String| {
        requests.failed = Some(format!("request {number}: {message}"));
        None
    };
    match read {
        Ok(0) => None,
        Ok(_) => serde_json::from_str(&line)
            .map(Some)
            .unwrap_or_else(|error| fail(error.to_string())),
        Err(error) => fail(error.to_string()),
    }
}

/// Whoever asked may be gone: then there is nothing more to do.
fn print(answer: &Answer) {
    let Ok(mut line) = serde_json::to_string(answer) else {
        return;
    };
    line.push('\n');
    if std::io::stdout().lock().write_all(line.as_bytes()).is_err() {
        std::process::exit(0);
    }
}

fn fail(message: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "outrank-symbols: error: {message}");
    ExitCode::from(USAGE)
}
