use std::io::Cursor;

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

const LIMIT: u64 = 1 << 20;

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A cabinet whose files are packed by MSZIP.
fn cabinet(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = cab::CabinetBuilder::new();
    let folder = builder.add_folder(cab::CompressionType::MsZip);
    for (name, _) in members {
        folder.add_file(*name);
    }
    let mut writer = builder.build(Cursor::new(Vec::new())).unwrap();
    for (_, content) in members {
        let mut file = writer.next_file().unwrap().unwrap();
        file.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Of each trace its name, its content and the damage, or the refusal as text.
type Outcome = Result<Vec<(String, Vec<u8>, Vec<String>)>, String>;

fn outcome(packed: &[u8], limit_bytes: u64) -> Outcome {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(packed).unwrap();
    file.rewind().unwrap();
    let members = unpacked(file, limit_bytes).map_err(|reason| reason.to_string())?;
    let told = |member: Member| {
        let mut content = vec![0; usize::try_from(member.source.size_bytes()).unwrap()];
        member.source.read_exact_at(0, &mut content).unwrap();
        let damage = member.damage.items().iter().map(ToString::to_string);
        (member.name, content, damage.collect())
    };
    Ok(members.into_iter().map(told).collect())
}

#[test]
fn archives_are_told_apart_by_content_and_give_all_their_traces() {
    let content = b"content of a trace".repeat(1000);
    let trace = |name: &str, content: &[u8]| (name.to_owned(), content.to_vec(), vec![]);
    assert_eq!(outcome(&content, LIMIT), Ok(vec![trace("", &content)]));
    assert_eq!(
        outcome(&gzip(&content), LIMIT),
        Ok(vec![trace("", &content)])
    );
    let members: &[(&str, &[u8])] = &[
        ("readme.txt", b"no"),
        ("a/B.ETL", &content),
        ("c.etl", b"2"),
    ];
    let both = Ok(vec![trace("a/B.ETL", &content), trace("c.etl", b"2")]);
    assert_eq!(outcome(&zip(members), LIMIT), both);
    assert_eq!(outcome(&cabinet(members), LIMIT), both);
}

#[test]
fn an_archive_without_a_trace_is_refused() {
    assert_eq!(
        outcome(&zip(&[("readme.txt", b"no")]), LIMIT),
        Err(
            "cannot be unpacked as ZIP: expected an .etl file in it, found 1 files of other types"
                .to_owned()
        )
    );
    assert_eq!(
        outcome(&cabinet(&[("readme.txt", b"no"), ("b.etlx", b"no")]), LIMIT),
        Err(
            "cannot be unpacked as cabinet: expected an .etl file in it, found 2 files of other types"
                .to_owned()
        )
    );
    let refused = outcome(b"MSCF\0\0\0\0 and nothing more", LIMIT).unwrap_err();
    assert!(
        refused.starts_with("cannot be unpacked as cabinet: "),
        "{refused}"
    );
    let refused = outcome(b"PK\x03\x04 and nothing more", LIMIT).unwrap_err();
    assert!(
        refused.starts_with("cannot be unpacked as ZIP: "),
        "{refused}"
    );
}

#[test]
fn too_large_a_content_is_refused() {
    let content = vec![0; 300_000];
    let halves: &[(&str, &[u8])] = &[
        ("a.etl", &content[..150_000]),
        ("b.etl", &content[150_000..]),
    ];
    for packed in [gzip(&content), zip(halves), cabinet(halves)] {
        assert!(outcome(&packed, 300_000).is_ok());
        let refused = outcome(&packed, 299_999).unwrap_err();
        assert!(refused.starts_with("unpacks to more than "), "{refused}");
    }
}

#[test]
fn a_cut_archive_keeps_its_first_part() {
    let content: Vec<u8> = (0..200_000u32)
        .flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes())
        .collect();
    let mut packed = gzip(&content);
    packed.truncate(packed.len() / 2);
    let (_, unpacked, damage) = outcome(&packed, LIMIT).unwrap().remove(0);
    assert!(unpacked.len() > 100_000 && content.starts_with(&unpacked));
    assert_eq!(damage.len(), 1);
    assert!(damage[0].contains("archive cut"), "{damage:?}");
    let refused = outcome(&packed[..5], LIMIT).unwrap_err();
    assert!(
        refused.starts_with("cannot be unpacked as gzip: "),
        "{refused}"
    );
}

#[test]
fn other_files_are_recognised() {
    for (start, name) in [
        (&b"MSCF\0\0\0\0"[..], Some("a cabinet file")),
        (
            b"\x14\0\0\0!FastSerialization.1",
            Some("a PerfView file (open the .etl it was made from)"),
        ),
        (b"PERFILE2\0", Some("Linux perf data")),
        (b"<html>", Some("XML or HTML text")),
        (b"  {\"a\": 1}", Some("JSON text")),
        (b"hello\nworld", Some("text")),
        (b"\x00\x10\0\0", None),
        (b"", None),
    ] {
        assert_eq!(foreign_type(start), name, "{start:?}");
    }
}
