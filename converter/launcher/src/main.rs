//! `outrank.exe`: starts the command line of a package for Windows.

mod package;

use std::env;
use std::io;
use std::process::{Command, ExitCode, Stdio, exit};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use package::Package;

/// How long what was started may take to end by itself after Ctrl-C.
const GRACE: Duration = Duration::from_secs(3);

fn main() -> ExitCode {
    match run() {
        Ok(code) => exit(code),
        Err(message) => {
            eprintln!("outrank: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command line to its end, and returns its exit code; or tells why it cannot be run.
fn run() -> Result<i32, String> {
    let own =
        env::current_exe().map_err(|error| format!("its own folder is not known: {error}"))?;
    let package = Package::of(&own, env::var_os("LOCALAPPDATA").as_deref())?;
    let started = Arc::new(OnceLock::new());
    let interrupted = Arc::clone(&started);
    // Who ended at once would leave the console while the command still writes to it. A window that runs as Node may have no console,
    // and then hears nothing of Ctrl-C.
    let _ = ctrlc::set_handler(move || {
        thread::sleep(GRACE);
        if let Some(id) = interrupted.get() {
            let _ = end(*id);
        }
    });
    let mut child = package
        .command()
        .args(env::args_os().skip(1))
        .spawn()
        .map_err(|error| package.why_not_started(&error))?;
    let _ = started.set(child.id());
    let ended = child.wait().map_err(|error| error.to_string())?;
    // Only a signal, which Windows has not, leaves no code.
    Ok(ended.code().unwrap_or(1))
}

/// Ends a process that this one started, with all that it started.
fn end(id: u32) -> io::Result<()> {
    let id = id.to_string();
    let (program, options): (&str, &[&str]) = if cfg!(windows) {
        ("taskkill", &["/f", "/t", "/pid"])
    } else {
        ("kill", &["-KILL"])
    };
    Command::new(program)
        .args(options)
        .arg(id)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map(|_| ())
}
