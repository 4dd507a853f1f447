//! A symbol server on this machine, and PDBs of known functions.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;
use synth::file::bytes::Guid;
use synth::pdb::{Function, NativeImagePdb, NativePublic, Pdb, Public};

/// The build of [`program`].
pub const GUID: u128 = 0x0a1b_2c3d_4e5f_6071_8293_a4b5_c6d7_e8f9;
/// Where a store keeps it.
pub const KEY: &str = "0A1B2C3D4E5F60718293A4B5C6D7E8F92";

/// A PDB with two functions that follow one another.
pub fn program() -> Vec<u8> {
    let functions = [
        Function {
            name: "Page::layout",
            rva: 0x1200,
            size_bytes: 0x100,
            line: 40,
        },
        Function {
            name: "Page::paint",
            rva: 0x1300,
            size_bytes: 0x80,
            line: 90,
        },
    ];
    pdb(&functions, &[])
}

/// The same build of it with public symbols alone.
pub fn public() -> Vec<u8> {
    let publics = [
        Public {
            name: "KiPageFault",
            rva: 0x2000,
        },
        Public {
            name: "?InsertWork@Queue@@QEAAXH@Z",
            rva: 0x3000,
        },
    ];
    pdb(&[], &publics)
}

/// The PDB of a native image of .NET code: a section of data, then one of code with two methods.
pub fn native_image() -> Vec<u8> {
    let public = |name, offset| NativePublic {
        name,
        section: 2,
        offset,
    };
    NativeImagePdb {
        guid: Guid::from_u128(GUID),
        age: 2,
        section_bytes: &[0x1A00, 0x3000],
        publics: &[
            public("Page.Paint(System.Object)$##6000002", 0x140),
            public("Page.Layout()$##6000001", 0x40),
        ],
    }
    .bytes()
}

fn pdb(functions: &[Function<'_>], publics: &[Public<'_>]) -> Vec<u8> {
    Pdb {
        guid: Guid::from_u128(GUID),
        age: 2,
        code_bytes: 0x4000,
        publics,
        file: r"D:\build\page.cpp",
        functions,
    }
    .bytes()
}

/// Writes a file and the folders that it needs.
pub fn put(path: &Path, bytes: &[u8]) -> PathBuf {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
    path.to_owned()
}

/// A request for [`program`] by this name.
pub fn request(name: &str) -> String {
    format!(
        r#"{{"module":7,"pdb":{name:?},"guid":"{GUID:032x}","age":2,"rvas":[4640,4880],"returns":[4864]}}"#
    )
}

/// Runs `outrank-symbols` on requests; its exit code, answers and messages.
pub fn run(arguments: &[&str], requests: &str) -> (i32, Vec<Value>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_outrank-symbols"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env_remove("http_proxy")
        .env_remove("HTTP_PROXY")
        .env_remove("all_proxy")
        .env_remove("ALL_PROXY")
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // One that fails at once does not read.
    let _ = input.write_all(requests.as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let messages = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), answers.collect(), messages)
}

/// A server that answers each request by what `reply` makes of its path, and keeps the paths.
pub struct Server {
    pub url: String,
    pub asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub fn start(reply: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.unwrap(), &kept, &reply);
            }
        });
        Self { url, asked }
    }

    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, asked: &Mutex<Vec<String>>, reply: &impl Fn(&str) -> Vec<u8>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let path = first.split(' ').nth(1).unwrap().to_owned();
    lines.find(|line| line.as_ref().unwrap().is_empty());
    asked.lock().unwrap().push(path.clone());
    // The client may have had enough.
    let _ = stream.write_all(&reply(&path));
}

/// An answer with a body.
pub fn ok(body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// An answer without.
pub fn status(line: &str) -> Vec<u8> {
    format!("HTTP/1.1 {line}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").into_bytes()
}
