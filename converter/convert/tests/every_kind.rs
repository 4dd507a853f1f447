//! Every kind and version of event that is known has golden rows: what is decoded in `kinds/*.decoded`, what has a bundled
//! layout in `kinds/*.txt`.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use etl::Guid;

/// Whose event, `kernel` for the kernel's own, and its number.
type Kind = (String, u16);

/// Events of the trace itself, whose rows are in `golden.rs`.
const ELSEWHERE: [u16; 3] = [0x0000, 0x0005, 0x0020];

fn texts(folder: &str, extension: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder is read").path())
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    paths.sort();
    let read = |path| fs::read_to_string(path).expect("the file is read");
    paths.iter().map(read).collect()
}

fn number(text: &str, radix: u32) -> u16 {
    u16::from_str_radix(text, radix).expect("a number")
}

fn version(text: &str) -> u8 {
    let digits = text.strip_prefix('v').expect("a version is v and a number");
    digits.parse().expect("a version is a number")
}

/// Kinds and versions with rows in `kinds/*.txt`.
fn golden() -> BTreeSet<(Kind, u8)> {
    let mut found = BTreeSet::new();
    for text in texts("tests/kinds", "txt") {
        let (mut source, mut radix) = ("kernel".to_owned(), 16);
        for line in text.lines() {
            let mut words = line.split(' ');
            let (first, second) = words.next().zip(words.next()).expect("two words");
            if ["class", "provider"].contains(&first) {
                radix = if first == "class" { 16 } else { 10 };
                source = provider_name(second);
                continue;
            }
            let kind = |own| ((source.clone(), number(own, radix)), version(second));
            found.extend(first.split(',').map(kind));
        }
    }
    found
}

fn provider_name(guid: &str) -> String {
    let digits = guid.replace('-', "");
    let guid = Guid::new(u128::from_str_radix(&digits, 16).expect("a GUID"));
    etw::provider_name(guid)
        .expect("a provider with a name")
        .to_owned()
}

/// Kinds in `kinds/*.decoded`: time, hook id or class and type, version.
fn decoded() -> BTreeSet<Kind> {
    let mut found = BTreeSet::new();
    for text in texts("tests/kinds", "decoded") {
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let kind = line.split(' ').nth(1).expect("an event");
            found.insert(match kind.split_once('/') {
                Some((class, id)) => (provider_name(class), number(id, 16)),
                None => ("kernel".to_owned(), number(kind, 16)),
            });
        }
    }
    found
}

/// Kinds with a bundled layout and the first version of each layout, as the snapshots of the crate `schema` list them:
/// `0F48 SetInterval  version 2`.
fn bundled() -> BTreeSet<(Kind, u8)> {
    let folder = "../schema/src/bundled/snapshots";
    let names = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let mut names: Vec<String> = names
        .expect("the folder is there")
        .map(|entry| entry.expect("it is read").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut found = BTreeSet::new();
    for (name, text) in names.iter().zip(texts(folder, "snap")) {
        let group = name.trim_start_matches("schema__bundled__tests__");
        let group = group.trim_end_matches(".snap");
        let of_others = group.contains('-') || group == "RTLostEvent";
        let source = if of_others { group } else { "kernel" };
        for line in text.lines() {
            let Some((events, since)) = line.rsplit_once("  version ") else {
                continue;
            };
            let since = since.parse().expect("a version");
            for event in events.split("  ") {
                let (id, _) = event.split_once(' ').expect("a number and a name");
                found.insert(((source.to_owned(), number(id, 16)), since));
            }
        }
    }
    found
}

#[test]
fn every_bundled_layout_has_golden_rows() {
    let (golden, decoded, bundled) = (golden(), decoded(), bundled());
    assert!(bundled.len() > 150, "{}", bundled.len());
    let without: Vec<_> = bundled
        .iter()
        .filter(|((source, id), since)| {
            let later = bundled.range(((source.clone(), *id), since + 1)..);
            let next = later
                .take_while(|((own, other), _)| (own, other) == (source, id))
                .next();
            let until = next.map_or(u8::MAX, |(_, next)| *next);
            let covers = |of: &u8| (*since..until).contains(of);
            let has = golden
                .iter()
                .any(|(kind, of)| kind == &(source.clone(), *id) && covers(of));
            let is_decoded = decoded.contains(&(source.clone(), *id));
            !has && !is_decoded
        })
        .collect();
    assert!(without.is_empty(), "{without:#?}");
}

#[test]
fn every_kernel_event_that_is_decoded_has_golden_packets() {
    let source = include_str!("../../etw/src/hook.rs");
    let hooks = source.split("HookId(0x").skip(1);
    let hooks = hooks.map(|rest| number(rest.get(..4).expect("four digits"), 16));
    let decoded = decoded();
    let without: Vec<String> = hooks
        .filter(|hook| !ELSEWHERE.contains(hook))
        .filter(|hook| !decoded.contains(&("kernel".to_owned(), *hook)))
        .map(|hook| format!("{hook:04X}"))
        .collect();
    assert_eq!(without, Vec::<String>::new());
}
