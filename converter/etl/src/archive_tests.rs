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

/// Content after unpacking, and the damage; or the refusal as text.
fn outcome(packed: &[u8], limit_bytes: u64) -> Result<(Vec<u8>, Vec<String>), String> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(packed).unwrap();
    file.rewind().unwrap();
    let mut damage = DamageLog::default();
    let source = unpacked(file, limit_bytes, &mut damage).map_err(|reason| reason.to_string())?;
    let mut content = vec![0; usize::try_from(source.size_bytes()).unwrap()];
    source.read_exact_at(0, &mut content).unwrap();
    Ok((
        content,
        damage.items().iter().map(ToString::to_string).collect(),
    ))
}

#[test]
fn archives_are_told_apart_by_content() {
    let content = b"content of a trace".repeat(1000);
    let expected = Ok((content.clone(), vec![]));
    assert_eq!(outcome(&content, LIMIT), expected);
    assert_eq!(outcome(&gzip(&content), LIMIT), expected);
    assert_eq!(
        outcome(
            &zip(&[
                ("readme.txt", b"no"),
                ("a/B.ETL", &content),
                ("c.etl", b"2")
            ]),
            LIMIT
        ),
        expected
    );
}

#[test]
fn a_zip_without_a_trace_is_refused() {
    assert_eq!(
        outcome(&zip(&[("readme.txt", b"no")]), LIMIT),
        Err(
            "cannot be unpacked as ZIP: expected an .etl file in it, found 1 files of other types"
                .to_owned()
        )
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
    for packed in [gzip(&content), zip(&[("a.etl", &content)])] {
        assert!(outcome(&packed, 300_000).is_ok());
        assert_eq!(
            outcome(&packed, 299_999),
            Err("unpacks to more than 299999 bytes".to_owned())
        );
    }
}

#[test]
fn a_cut_archive_keeps_its_first_part() {
    let content: Vec<u8> = (0..200_000u32)
        .flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes())
        .collect();
    let mut packed = gzip(&content);
    packed.truncate(packed.len() / 2);
    let (unpacked, damage) = outcome(&packed, LIMIT).unwrap();
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
        (&b"MSCF\0\0"[..], Some("a cabinet file (unpack it first)")),
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
