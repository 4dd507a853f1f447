use std::cell::Cell;
use std::io::{Cursor, Write};
use std::rc::Rc;

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

type Files<'a> = &'a [(&'a str, &'a [u8])];

fn zip(members: Files<'_>) -> Vec<u8> {
    add_to(ZipWriter::new(Cursor::new(Vec::new())), members).into_inner()
}

/// As a server writes it while it sends it: sizes and checksums stand after the files.
fn streamed_zip(members: Files<'_>) -> Vec<u8> {
    add_to(ZipWriter::new_stream(Vec::new()), members).into_inner()
}

fn add_to<W: Write + Seek>(mut writer: ZipWriter<W>, members: Files<'_>) -> W {
    for (name, content) in members {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap()
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
    members.into_iter().map(told).collect()
}

fn told(member: Member) -> Result<(String, Vec<u8>, Vec<String>), String> {
    let source = member.source.map_err(|reason| reason.to_string())?;
    let mut content = vec![0; usize::try_from(source.size_bytes()).unwrap()];
    source.read_exact_at(0, &mut content).unwrap();
    let damage = member.damage.items().iter().map(ToString::to_string);
    Ok((member.name, content, damage.collect()))
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

/// A cabinet of one file in one block, as MS-CAB lays it out.
fn cabinet_of(compression: u16, file_offset: u32, block: &[u8], content_bytes: u16) -> Vec<u8> {
    let name = b"a.etl\0";
    let files_at = 36 + 8;
    let data_at = files_at + 16 + name.len() as u32;
    let size = data_at + 8 + block.len() as u32;
    let mut out = b"MSCF\0\0\0\0".to_vec();
    for number in [size, 0, files_at, 0] {
        out.extend(number.to_le_bytes());
    }
    // Version 1.3, one folder, one file, no flags, set 0, the first.
    out.extend([3, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    out.extend(data_at.to_le_bytes());
    out.extend([1_u16, compression].map(u16::to_le_bytes).concat());
    out.extend(u32::from(content_bytes).to_le_bytes());
    out.extend(file_offset.to_le_bytes());
    out.extend([0; 8]);
    out.extend(name);
    // No checksum.
    out.extend([0; 4]);
    out.extend(
        [block.len() as u16, content_bytes]
            .map(u16::to_le_bytes)
            .concat(),
    );
    out.extend(block);
    out
}

const STORED: u16 = 0;
/// LZX with a window of 2^15 bytes.
const LZX: u16 = 0x0F03;

/// An LZX block (MS-PATCH) that holds its content as it is: a bit that says that no calls were translated, three bits for the
/// type 3, 24 for the size; then, from the next 16 bits on, the last three distances and the content.
fn lzx_block(content: &[u8]) -> Vec<u8> {
    let head = 3_u32 << 28 | (content.len() as u32) << 4;
    let mut block = Vec::new();
    for half in [head >> 16, head & 0xFFFF] {
        block.extend((half as u16).to_le_bytes());
    }
    for distance in [1_u32, 1, 1] {
        block.extend(distance.to_le_bytes());
    }
    block.extend(content);
    block
}

#[test]
fn a_cabinet_packed_by_lzx_is_unpacked() {
    let content = b"content of a trace".repeat(100);
    let packed = cabinet_of(LZX, 0, &lzx_block(&content), 1800);
    let expected = ("a.etl".to_owned(), content, vec![]);
    assert_eq!(outcome(&packed, LIMIT), Ok(vec![expected]));
}

/// Counts the bytes that are read.
struct Counted<R>(R, Rc<Cell<usize>>);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(out)?;
        self.1.set(self.1.get() + count);
        Ok(count)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn a_folder_is_unpacked_once_for_all_of_its_traces() {
    let content = |index: u32| (index..index + 1000).flat_map(u32::to_le_bytes).collect();
    let names: Vec<String> = (0..256).map(|index| format!("{index}.etl")).collect();
    let contents: Vec<Vec<u8>> = (0..256).map(content).collect();
    let files = names.iter().zip(&contents);
    let files: Vec<(&str, &[u8])> = files.map(|(name, its)| (&**name, &**its)).collect();
    let packed = cabinet(&files);
    let (size, read) = (packed.len(), Rc::new(Cell::new(0)));
    let members = uncabbed(Counted(Cursor::new(packed), read.clone()), 1 << 20).unwrap();
    let unpacked: Vec<_> = members
        .into_iter()
        .map(|member| told(member).unwrap())
        .collect();
    let expected = names.into_iter().zip(contents);
    let expected: Vec<_> = expected.map(|(name, its)| (name, its, vec![])).collect();
    assert_eq!(unpacked, expected);
    // Once the content, and twice the heads.
    assert!(read.get() < 2 * size, "{} of {size} bytes", read.get());
}

#[test]
fn traces_of_a_cabinet_that_overlap_are_unpacked_each_and_their_sizes_add_up() {
    let content = b"content of a trace";
    let mut packed = cabinet(&[("a.etl", content), ("b.etl", content)]);
    let at = |packed: &[u8], name: &[u8]| packed.windows(5).position(|five| five == name).unwrap();
    // Before the name: size, offset, folder, date, time, attributes.
    let second = at(&packed, b"b.etl");
    packed[second - 12..second - 8].copy_from_slice(&8_u32.to_le_bytes());
    let told = |name: &str, content: &[u8]| (name.to_owned(), content.to_vec(), vec![]);
    let expected = vec![told("a.etl", content), told("b.etl", b"of a tracecontent ")];
    assert_eq!(outcome(&packed, 36), Ok(expected));
    let refused = outcome(&packed, 35).unwrap_err();
    assert!(
        refused.starts_with("unpacks to more than 35 bytes"),
        "{refused}"
    );
}

#[test]
fn of_a_cut_cabinet_each_trace_keeps_its_first_part() {
    let [a, b, c]: [Vec<u8>; 3] = [0, 10_000, 20_000].map(noise);
    let mut packed = cabinet(&[("a.etl", &a), ("b.etl", &b), ("c.etl", &c)]);
    packed.truncate(packed.len() * 2 / 3);
    let members = uncabbed(Cursor::new(packed), LIMIT).unwrap();
    let [first, second, third] = members.try_into().unwrap();
    assert_eq!(told(first), Ok(("a.etl".to_owned(), a, vec![])));
    // Two blocks of 32 KiB are whole.
    let kept = (2 << 15) - 40_000;
    let (name, content, damage) = told(second).unwrap();
    assert_eq!((&*name, &*content), ("b.etl", &b[..kept]));
    assert_eq!(damage.len(), 1);
    assert!(
        damage[0].contains(&format!(
            "archive cut: expected more data, found its end after {kept} unpacked bytes"
        )),
        "{damage:?}"
    );
    let refused = "cannot be unpacked as cabinet: it ends too early; copy the file again";
    assert_eq!(told(third), Err(refused.to_owned()));
}

#[test]
fn a_cabinet_that_contradicts_itself_is_refused() {
    let told = |what: &str| Err(format!("cannot be unpacked as cabinet: it names {what}"));
    assert_eq!(
        outcome(&cabinet_of(STORED, 5, b"1234", 4), LIMIT),
        told("a file at 5 in a folder of 4 bytes")
    );
    assert_eq!(
        outcome(&cabinet_of(STORED, 0, b"1234", 6), LIMIT),
        told("a block of 6 bytes stored in 4")
    );
    let mut many = cabinet_of(STORED, 0, b"1234", 4);
    many[40] = 0xFF;
    assert_eq!(outcome(&many, LIMIT), told("255 blocks in 78 bytes"));
}

/// What a damaged cabinet gives is no more than the limit; that nothing panics is what is tested.
#[test]
fn a_cabinet_with_any_byte_damaged_or_cut_anywhere_is_unpacked_or_refused() {
    let limit_bytes = 4096;
    let content = b"content of a trace".repeat(10);
    let files: &[(&str, &[u8])] = &[("a.etl", &content), ("b.txt", b"no"), ("c.etl", b"2")];
    let packed = [
        cabinet(files),
        cabinet_of(STORED, 0, &content, 180),
        cabinet_of(LZX, 0, &lzx_block(&content), 180),
    ];
    let unpacked_bytes = |damaged: Vec<u8>| {
        let members = uncabbed(Cursor::new(damaged), limit_bytes).unwrap_or_default();
        let sources = members.iter().flat_map(|member| &member.source);
        sources.map(Source::size_bytes).sum::<u64>()
    };
    for packed in packed {
        assert!(unpacked_bytes(packed.clone()) >= 180);
        for at in 0..packed.len() {
            assert!(unpacked_bytes(packed[..at].to_vec()) <= limit_bytes);
            for change in [1, 0x80, 0xFF] {
                let mut damaged = packed.clone();
                damaged[at] ^= change;
                assert!(
                    unpacked_bytes(damaged) <= limit_bytes,
                    "{change:#x} at {at}"
                );
            }
        }
    }
}

#[test]
fn an_archive_without_a_trace_is_refused() {
    assert_eq!(
        outcome(&zip(&[("readme.txt", b"no")]), LIMIT),
        Err(
            "cannot be unpacked as ZIP: expected an .etl file in it, found only a file of another type"
                .to_owned()
        )
    );
    assert_eq!(
        outcome(&cabinet(&[("readme.txt", b"no"), ("b.etlx", b"no")]), LIMIT),
        Err(
            "cannot be unpacked as cabinet: expected an .etl file in it, found only 2 files of other types"
                .to_owned()
        )
    );
    let refused = "cannot be unpacked as cabinet: it ends too early; copy the file again";
    assert_eq!(
        outcome(b"MSCF\0\0\0\0 and nothing more", LIMIT),
        Err(refused.to_owned())
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
        assert!(
            refused.starts_with("unpacks to more than 299999 bytes"),
            "{refused}"
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
    let (_, unpacked, damage) = outcome(&packed, LIMIT).unwrap().remove(0);
    assert!(unpacked.len() > 100_000 && content.starts_with(&unpacked));
    assert_eq!(damage.len(), 1);
    assert!(damage[0].contains("archive cut"), "{damage:?}");
    let refused = "cannot be unpacked as gzip: it ends too early; copy the file again";
    for cut in [5, 10] {
        assert_eq!(outcome(&packed[..cut], LIMIT), Err(refused.to_owned()));
    }
}

/// Content that hardly packs.
fn noise(from: u32) -> Vec<u8> {
    let numbers = from..from + 10_000;
    numbers
        .flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes())
        .collect()
}

#[test]
fn of_a_cut_zip_each_trace_keeps_its_first_part() {
    let [a, b, c]: [Vec<u8>; 3] = [0, 10_000, 20_000].map(noise);
    let members: Files<'_> = &[
        ("a.etl", &a),
        ("readme.txt", &c),
        ("b.etl", &b),
        ("c.etl", &c),
    ];
    for packed in [zip(members), streamed_zip(members)] {
        let [b_at, c_at] = [b"b.etl", b"c.etl"].map(|name| {
            packed
                .windows(name.len())
                .position(|five| five == name)
                .unwrap()
        });
        let whole = ("a.etl".to_owned(), a.clone(), vec![]);
        let unpacked = outcome(&packed[..(b_at + c_at) / 2], LIMIT).unwrap();
        let [first, (name, content, damage)] = unpacked.try_into().unwrap();
        assert_eq!((first, &*name), (whole.clone(), "b.etl"));
        assert!(content.len() > 10_000 && b.starts_with(&content));
        let expected = format!(
            "offset {0:#x}: archive cut: expected more data, found its end after {0} unpacked bytes (",
            content.len()
        );
        assert_eq!(damage.len(), 1);
        assert!(damage[0].starts_with(&expected), "{damage:?}");
        // The header of `c.etl` has 30 bytes before its name.
        let unpacked = outcome(&packed[..c_at - 30], LIMIT).unwrap();
        let expected = "offset 0x9c40: archive cut: expected the directory of the ZIP archive at its end, found none; \
                        what came after this trace is missing";
        let last = ("b.etl".to_owned(), b.clone(), vec![expected.to_owned()]);
        assert_eq!(unpacked, [whole, last]);
    }
}

#[test]
fn a_zip_that_is_cut_before_any_trace_is_refused() {
    let packed = zip(&[("readme.txt", b"no"), ("a.etl", b"1")]);
    let refused = "offset 20: this ZIP archive ends too early: its directory, which stands at the end, is missing; \
                   copy the file again";
    assert_eq!(outcome(&packed[..20], LIMIT), Err(refused.to_owned()));
}

/// What a damaged ZIP file gives is no more than the limit; that nothing panics is what is tested.
#[test]
fn a_zip_with_any_byte_damaged_or_cut_anywhere_is_unpacked_or_refused() {
    let limit_bytes = 4096;
    let content = b"content of a trace".repeat(10);
    let members: Files<'_> = &[("a.etl", &content), ("b.txt", b"no"), ("c.etl", b"2")];
    let unpacked_bytes = |damaged: &[u8]| {
        let members = outcome(damaged, limit_bytes).unwrap_or_default();
        let sizes = members.iter().map(|(_, content, _)| content.len() as u64);
        sizes.sum::<u64>()
    };
    for packed in [zip(members), streamed_zip(members)] {
        assert_eq!(unpacked_bytes(&packed), 181);
        for at in 0..packed.len() {
            assert!(unpacked_bytes(&packed[..at]) <= limit_bytes);
            for change in [1, 0x80, 0xFF] {
                let mut damaged = packed.clone();
                damaged[at] ^= change;
                assert!(
                    unpacked_bytes(&damaged) <= limit_bytes,
                    "{change:#x} at {at}"
                );
            }
        }
    }
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
