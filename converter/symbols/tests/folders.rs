//! PDBs in folders.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic,
    missing_docs
)]

mod support;

use serde_json::json;
use support::{KEY, native_image, program, public, put, request, run};

#[test]
fn functions_files_and_lines_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let pdb = put(&folder.path().join("page.pdb"), &program());
    let path = folder.path().display().to_string();
    let (code, answers, messages) = run(
        &["--path", &path, "--cache", &path],
        &request(r"D:\obj\page.pdb"),
    );
    assert_eq!((code, messages.as_str()), (0, ""));
    let file = r"D:\build\page.cpp";
    assert_eq!(
        answers,
        [
            json!({"module": 7, "symbols": [
                {"rva": 0x1220, "function": "Page::layout", "file": file, "line": 42},
                {"rva": 0x1310, "function": "Page::paint", "file": file, "line": 91},
                // A call that ends a function returns to the next one.
                {"rva": 0x1300, "function": "Page::layout", "file": file, "line": 55},
            ]}),
            json!({"module": 7, "found": pdb.display().to_string()}),
        ]
    );
}

#[test]
fn public_symbols_are_told_without_their_decoration() {
    let folder = tempfile::tempdir().unwrap();
    put(
        &folder.path().join("page.pdb").join(KEY).join("page.pdb"),
        &public(),
    );
    let path = folder.path().display().to_string();
    let request = request("page.pdb").replace("[4640,4880]", "[8208,12304,4096]");
    let (_, answers, _) = run(
        &["--path", &path, "--cache", &path],
        &request.replace("[4864]", "[]"),
    );
    assert_eq!(
        answers[0],
        json!({"module": 7, "symbols": [
            {"rva": 0x2010, "function": "KiPageFault"},
            {"rva": 0x3010, "function": "Queue::InsertWork"},
        ]})
    );
}

#[test]
fn methods_of_a_native_image_are_told_by_its_public_symbols_and_the_lengths_of_its_sections() {
    let folder = tempfile::tempdir().unwrap();
    let pdb = put(&folder.path().join("page.ni.pdb"), &native_image());
    let path = folder.path().display().to_string();
    let ask = |image_bytes: u32| {
        // Before the first method, in it, at the end of the code, and after it.
        let request = request("page.ni.pdb")
            .replace("[4640,4880]", "[12289,12400,24575,24576]")
            .replace("[4864]", "[12608]")
            .replace("\"age\"", &format!("\"image_bytes\":{image_bytes},\"age\""));
        run(&["--path", &path, "--cache", &path], &request).1
    };
    assert_eq!(
        ask(0x6000),
        [
            json!({"module": 7, "symbols": [
                {"rva": 12400, "function": "Page.Layout"},
                {"rva": 24575, "function": "Page.Paint"},
                {"rva": 12608, "function": "Page.Layout"},
            ]}),
            json!({"module": 7, "found": pdb.display().to_string()}),
        ]
    );
    assert_eq!(
        ask(0x7000),
        [json!({"module": 7, "missing": [format!(
            "{}: not readable as a PDB: its sections of [6656, 12288] bytes do not make an image of 28672 bytes",
            pdb.display()
        )]})]
    );
}

#[test]
fn a_store_of_two_tiers_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let pdb = put(
        &folder.path().join("pa/page.pdb").join(KEY).join("page.pdb"),
        &program(),
    );
    let path = folder.path().display().to_string();
    let (_, answers, _) = run(&["--path", &path, "--cache", &path], &request("page.pdb"));
    assert_eq!(
        answers[1],
        json!({"module": 7, "found": pdb.display().to_string()})
    );
}

#[test]
fn the_case_of_letters_in_a_store_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder
        .path()
        .join("Page.pdb")
        .join(KEY.to_ascii_lowercase());
    let pdb = put(&place.join("PAGE.PDB"), &program());
    let path = folder.path().display().to_string();
    let (_, answers, _) = run(&["--path", &path, "--cache", &path], &request("page.pdb"));
    assert_eq!(
        answers[1],
        json!({"module": 7, "found": pdb.display().to_string()})
    );
}

#[test]
fn what_was_not_found_tells_where_was_looked() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other");
    let pdb = put(&other.join("page.pdb"), &program());
    let broken = folder.path().join("broken");
    let broken_pdb = put(&broken.join("page.pdb"), b"no PDB");
    let portable = folder.path().join("portable");
    let portable_pdb = put(&portable.join("page.pdb"), b"BSJB....");
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let gone = folder.path().join("gone");
    let path = [&gone, &empty, &other, &broken, &portable].map(|path| path.display().to_string());
    let wanted = request("page.pdb").replace("0a1b", "ffff");
    let (code, answers, _) = run(&["--path", &path.join(";"), "--cache", "unused"], &wanted);
    assert_eq!(code, 0);
    let key = format!("FFFF{}", &KEY[4..]);
    assert_eq!(
        answers,
        [json!({"module": 7, "missing": [
            format!("{}: no such folder", gone.display()),
            format!("{}: has no page.pdb, nor page.pdb/{key}", empty.display()),
            format!("{}: of another build (GUID 0a1b2c3d4e5f60718293a4b5c6d7e8f9)", pdb.display()),
            format!("{}: not readable as a PDB: it begins as none", broken_pdb.display()),
            format!("{}: a portable PDB, which holds no addresses", portable_pdb.display()),
        ]})]
    );
}

#[test]
fn names_do_not_lead_out_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder.path().join("page.pdb"), &program());
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    let path = inner.display().to_string();
    let outside = ["../page.pdb", r"..\page.pdb", ".."];
    for name in outside {
        let (code, answers, _) = run(&["--path", &path, "--cache", &path], &request(name));
        assert_eq!(code, 0);
        assert!(answers[0]["missing"].is_array(), "{answers:?}");
    }
}

#[test]
fn damaged_pdbs_end_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    let whole = program();
    // A damaged byte at every place of the streams in turn, and every length.
    let mut number = 0;
    let mut requests = String::new();
    let blocks = whole.len() / 4096;
    for block in (0..blocks).filter(|block| !(1..3).contains(block)) {
        for at in (0..96).step_by(4) {
            let mut damaged = whole.clone();
            damaged[block * 4096 + at..][..4].fill(0xFF);
            let name = format!("page{number}.pdb");
            number += 1;
            put(&folder.path().join(&name), &damaged);
            requests += &(request(&name) + "\n");
        }
        let name = format!("page{number}.pdb");
        number += 1;
        put(&folder.path().join(&name), &whole[..block * 4096 + 17]);
        requests += &(request(&name) + "\n");
    }
    let (code, answers, _) = run(&["--path", &path, "--cache", &path], &requests);
    let ends = answers
        .iter()
        .filter(|answer| answer["found"].is_string() || answer["missing"].is_array());
    assert_eq!((code, ends.count()), (0, number));
}

#[test]
fn requests_and_paths_that_cannot_be_meant_are_refused() {
    let (code, answers, messages) = run(&["--path", "/x", "--cache", "/x"], "{\"module\":1}\n");
    assert_eq!((code, answers.len()), (1, 0));
    assert!(
        messages.contains("request 1: missing field `pdb`"),
        "{messages}"
    );
    let (code, _, messages) = run(&["--path", "ftp*x", "--cache", "/x"], "");
    assert_eq!(code, 1);
    assert!(messages.contains("symbol path: \"ftp*x\""), "{messages}");
}
