//! PDBs on symbol servers.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic,
    missing_docs
)]

mod support;

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use support::{KEY, Server, ok, program, put, request, run, status};

fn ask(path: &str, cache: &Path) -> Vec<Value> {
    let cache = cache.display().to_string();
    let (code, answers, messages) = run(&["--path", path, "--cache", &cache], &request("page.pdb"));
    assert_eq!((code, messages.as_str()), (0, ""));
    answers
}

fn files_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_a_server_sends_is_kept() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|_| ok(&program()));
    let path = format!("srv*{}", server.url);
    let kept = cache.path().join("page.pdb").join(KEY).join("page.pdb");
    let url = format!("{}/page.pdb/{KEY}/page.pdb", server.url);
    let total = program().len();
    let first = ask(&path, cache.path());
    assert_eq!(
        first[0],
        json!({"module": 7, "download": {"url": url, "bytes": 0, "total_bytes": total}})
    );
    assert_eq!(
        first.last().unwrap(),
        &json!({"module": 7, "found": kept.display().to_string()})
    );
    assert_eq!(ask(&path, cache.path()).last(), first.last());
    assert_eq!(server.asked(), [format!("/page.pdb/{KEY}/page.pdb")]);
    assert_eq!(files_in(kept.parent().unwrap()), ["page.pdb"]);
}

#[test]
fn cabinets_are_unpacked() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|path| {
        if path.ends_with("page.pd_") {
            ok(&cabinet(&program()))
        } else {
            status("404 Not Found")
        }
    });
    let answers = ask(&server.url, cache.path());
    let kept = cache.path().join("page.pdb").join(KEY).join("page.pdb");
    assert_eq!(answers.last().unwrap()["found"], kept.display().to_string());
    assert_eq!(std::fs::read(kept).unwrap(), program());
}

fn cabinet(bytes: &[u8]) -> Vec<u8> {
    let mut builder = cab::CabinetBuilder::new();
    builder
        .add_folder(cab::CompressionType::MsZip)
        .add_file("page.pdb");
    let mut writer = builder.build(std::io::Cursor::new(Vec::new())).unwrap();
    while let Some(mut file) = writer.next_file().unwrap() {
        file.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn a_server_that_has_it_not_leaves_nothing_behind() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|_| status("404 Not Found"));
    let url = format!("{}/page.pdb/{KEY}/page.pdb", server.url);
    let answers = ask(&server.url, cache.path());
    assert_eq!(
        answers,
        [json!({"module": 7, "missing": [format!("{url}: not there (HTTP 404)")]})]
    );
    assert_eq!(files_in(cache.path()), Vec::<String>::new());
}

#[test]
fn what_is_not_the_pdb_is_not_kept() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|_| ok(b"<html>Sign in</html>"));
    let url = format!("{}/page.pdb/{KEY}/page.pdb", server.url);
    let answers = ask(&server.url, cache.path());
    let reason = "not readable as a PDB: it begins as none";
    assert_eq!(
        answers.last().unwrap()["missing"],
        json!([format!("{url}: {reason}")])
    );
    assert_eq!(files_in(cache.path()), Vec::<String>::new());
}

#[test]
fn a_server_that_sends_elsewhere_for_ever_is_given_up() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|path| {
        format!("HTTP/1.1 302 Found\r\nLocation: {path}x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            .into_bytes()
    });
    let answers = ask(&server.url, cache.path());
    assert!(
        answers[0]["missing"][0]
            .as_str()
            .unwrap()
            .contains("too many redirects"),
        "{answers:?}"
    );
    assert_eq!(server.asked().len(), 6);
}

#[test]
fn a_file_larger_than_a_pdb_is_refused() {
    let cache = tempfile::tempdir().unwrap();
    let server =
        Server::start(|_| b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx".to_vec());
    let answers = ask(&server.url, cache.path());
    assert!(
        answers[0]["missing"][0]
            .as_str()
            .unwrap()
            .contains("too large for a PDB"),
        "{answers:?}"
    );
}

#[test]
fn a_file_that_breaks_off_is_not_kept() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|_| {
        let whole = ok(&program());
        whole[..whole.len() / 2].to_vec()
    });
    let url = format!("{}/page.pdb/{KEY}/page.pdb", server.url);
    let answers = ask(&server.url, cache.path());
    assert_eq!(
        answers.last().unwrap()["missing"],
        json!([format!("{url}: the connection broke off")])
    );
    assert_eq!(files_in(cache.path()), Vec::<String>::new());
}

#[test]
fn a_server_that_is_not_there_is_tried_once() {
    let cache = tempfile::tempdir().unwrap();
    let wanted = request("page.pdb");
    let many = format!("{wanted}\n").repeat(8);
    let cache = cache.path().display().to_string();
    let (_, answers, _) = run(&["--path", "http://127.0.0.1:1", "--cache", &cache], &many);
    let reasons: Vec<&str> = answers
        .iter()
        .map(|answer| answer["missing"][0].as_str().unwrap())
        .collect();
    let later = reasons
        .iter()
        .filter(|reason| reason.ends_with("was not reached before"));
    // Four are looked for at a time.
    assert!(reasons.len() == 8 && later.count() >= 4, "{reasons:?}");
}

#[test]
fn a_folder_before_the_server_keeps_it_from_being_asked() {
    let cache = tempfile::tempdir().unwrap();
    let store = tempfile::tempdir().unwrap();
    put(&store.path().join("page.pdb"), &program());
    let server = Server::start(|_| ok(&program()));
    ask(
        &format!("{};srv*{}", store.path().display(), server.url),
        cache.path(),
    );
    assert_eq!(server.asked(), Vec::<String>::new());
}
