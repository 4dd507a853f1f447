//! Runs the launcher in folders that are laid out as packages. Programs of Unix stand for the window and Node.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::RwLock;

use tempfile::TempDir;

/// Prints whether it is to be Node, and its arguments, each in brackets; copies stdin to stderr; fails with 7.
const TELLS: &str = "#!/bin/sh\nprintf '%s\\n' \"${ELECTRON_RUN_AS_NODE:-}\"\nprintf '[%s]\\n' \"$@\"\ncat >&2\nexit 7\n";

/// Held to write while a program is written, and to read while one is started: a process that begins meanwhile in another thread would
/// have the file open, and the system starts no program that somebody has open to write.
static PROGRAMS: RwLock<()> = RwLock::new(());

/// Lays out a package, and returns the launcher in it.
fn package(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder.join("resources/app/app/cli")).unwrap();
    fs::write(folder.join("resources/app/app/cli/outrank.mjs"), "").unwrap();
    launcher(&folder.join("bin"))
}

/// Puts the launcher into a folder.
fn launcher(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    let path = folder.join("outrank.exe");
    let _writing = PROGRAMS.write().unwrap();
    fs::copy(env!("CARGO_BIN_EXE_outrank"), &path).unwrap();
    path
}

fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _writing = PROGRAMS.write().unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A command whose environment is as good as empty, and which is given nothing.
fn command(launcher: &Path) -> Command {
    let mut command = Command::new(launcher);
    command.env_clear().env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

fn start(command: &mut Command) -> Child {
    let _starting = PROGRAMS.read().unwrap();
    command.spawn().unwrap()
}

fn output_of(command: &mut Command) -> Output {
    start(command.stderr(Stdio::piped()))
        .wait_with_output()
        .unwrap()
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn arguments_streams_and_code_pass_through() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path().join("a b");
    let launcher = package(&folder);
    program(&folder.join("Outrank.exe"), TELLS);
    let mut child = start(
        command(&launcher)
            .args([
                "view",
                "a \"b\" c",
                "",
                "\\\\x\\",
                "%PATH%^&|",
                "Prüf 测.etl",
            ])
            .arg(OsStr::from_bytes(b"\xff"))
            .stdin(Stdio::piped())
            .stderr(Stdio::piped()),
    );
    child.stdin.take().unwrap().write_all(b"given").unwrap();
    let output = child.wait_with_output().unwrap();
    let script = folder.join("resources/app/app/cli/outrank.mjs");
    let mut printed = format!("1\n[{}]\n", script.display()).into_bytes();
    printed.extend("[view]\n[a \"b\" c]\n[]\n[\\\\x\\]\n[%PATH%^&|]\n[Prüf 测.etl]\n[".as_bytes());
    printed.extend(b"\xff]\n");
    assert_eq!(output.stdout, printed);
    assert_eq!(output.stderr, b"given");
    assert_eq!(output.status.code(), Some(7));
}

#[test]
fn node_on_the_path_runs_a_package_for_tests() {
    let scratch = TempDir::new().unwrap();
    let launcher = package(scratch.path());
    fs::write(
        scratch.path().join("bin/needs-node.txt"),
        "Node is needed\n",
    )
    .unwrap();
    let none = scratch.path().join("none");
    let output = output_of(command(&launcher).env("PATH", &none));
    assert_eq!(
        told(&output),
        (Some(1), String::new(), "outrank: Node is needed\n".into())
    );
    program(&none.join("node"), TELLS);
    let path = format!("{}:/usr/bin:/bin", none.display());
    let output = output_of(command(&launcher).arg("x").env("PATH", path));
    let script = scratch.path().join("resources/app/app/cli/outrank.mjs");
    let printed = format!("\n[{}]\n[x]\n", script.display());
    assert_eq!(told(&output), (Some(7), printed, String::new()));
}

#[test]
fn a_copy_elsewhere_takes_what_the_setup_installed() {
    let scratch = TempDir::new().unwrap();
    let installed = scratch.path().join("Programs/Outrank");
    package(&installed);
    program(&installed.join("Outrank.exe"), TELLS);
    let launcher = launcher(&scratch.path().join("Microsoft/WindowsApps"));
    let output = output_of(command(&launcher).env("LOCALAPPDATA", scratch.path()));
    let script = installed.join("resources/app/app/cli/outrank.mjs");
    assert_eq!(
        told(&output),
        (
            Some(7),
            format!("1\n[{}]\n", script.display()),
            String::new()
        )
    );
}

#[test]
fn what_is_missing_is_named() {
    let scratch = TempDir::new().unwrap();
    let base = scratch.path().display();
    let alone = launcher(&scratch.path().join("bin"));
    let output = output_of(command(&alone).env("LOCALAPPDATA", scratch.path().join("local")));
    let message = format!(
        "outrank: install Outrank again, since this is missing: {base}/resources/app/app/cli/outrank.mjs, \
         or {base}/local/Programs/Outrank/resources/app/app/cli/outrank.mjs\n"
    );
    assert_eq!(told(&output), (Some(1), String::new(), message));
    package(scratch.path());
    let output = output_of(&mut command(&alone));
    let message =
        format!("outrank: install Outrank again, since this is missing: {base}/Outrank.exe\n");
    assert_eq!(told(&output), (Some(1), String::new(), message));
}

/// Starts a package whose window runs a script, which first prints a line; interrupts the launcher alone, and waits for its end.
fn interrupted(script: &str) -> (Option<i32>, String) {
    let scratch = TempDir::new().unwrap();
    let launcher = package(scratch.path());
    program(&scratch.path().join("Outrank.exe"), script);
    let mut child = start(&mut command(&launcher));
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    let interrupt = ["-INT", &child.id().to_string()];
    let sent = start(Command::new("kill").args(interrupt)).wait().unwrap();
    assert!(sent.success());
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    (child.wait().unwrap().code(), rest)
}

#[test]
fn what_ends_by_itself_after_an_interrupt_is_waited_for() {
    let (code, rest) = interrupted("#!/bin/sh\necho ready\nsleep 1\necho tidied up\nexit 5\n");
    assert_eq!((code, rest.as_str()), (Some(5), "tidied up\n"));
}

#[test]
fn what_hears_nothing_of_an_interrupt_is_ended() {
    let (code, rest) = interrupted("#!/bin/sh\necho ready\nexec sleep 600\n");
    assert_eq!((code, rest.as_str()), (Some(1), ""));
}
