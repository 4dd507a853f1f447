#![no_main]

//! The first byte tells what the rest is packed into, how many bytes of the archive its end changes, and whether it is cut.

use std::io::{Cursor, Seek, Write};

use etl::TraceFile;
use libfuzzer_sys::fuzz_target;

mod scratch;

/// What any archive may unpack to, however small it is.
const MOST_BYTES: u64 = 1 << 30;
const NAMES: [&str; 3] = ["[Content_Types].xml", "sc.kernel.etl", "sc.user.etl"];

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, content)) = bytes.split_first() else {
        return;
    };
    let packed = match kind % 4 {
        1 => gzip(content),
        2 if kind & 0x40 == 0 => zip(content),
        2 => streamed_zip(content),
        3 => cabinet(content, kind & 0x40 != 0),
        _ => Ok(content.to_vec()),
    };
    let mut packed = match packed {
        Ok(packed) => packed,
        Err(error) => panic!("{error}"),
    };
    for edit in content.rchunks_exact(4).take(usize::from(kind >> 2 & 7)) {
        let position = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % packed.len().max(1);
        if let Some(byte) = packed.get_mut(position) {
            *byte = edit[2];
        }
    }
    if kind & 0x80 != 0 {
        let cut = content
            .iter()
            .take(4)
            .fold(0, |cut, byte| cut << 8 | usize::from(*byte));
        packed.truncate(cut % packed.len().max(1));
    }
    let path = scratch::path("archive");
    if let Err(error) = std::fs::write(&path, &packed) {
        panic!("{}: {error}", path.display())
    }
    match TraceFile::open(&path) {
        Ok(trace) => {
            assert!(trace.size_bytes() <= MOST_BYTES);
            assert!(
                trace
                    .buffers()
                    .iter()
                    .all(|buffer| buffer.offset < trace.size_bytes())
            );
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
});

fn gzip(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content)?;
    encoder.finish()
}

/// A ZIP file as a `.diagsession` is one: a description and two traces.
fn zip(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    Ok(filled(writer, content)?.into_inner())
}

/// The same with sizes and checksums after the files.
fn streamed_zip(content: &[u8]) -> std::io::Result<Vec<u8>> {
    Ok(filled(zip::ZipWriter::new_stream(Vec::new()), content)?.into_inner())
}

fn filled<W: Write + Seek>(mut writer: zip::ZipWriter<W>, content: &[u8]) -> std::io::Result<W> {
    for (name, content) in members(content) {
        writer.start_file(name, zip::write::SimpleFileOptions::default())?;
        writer.write_all(content)?;
    }
    Ok(writer.finish()?)
}

fn cabinet(content: &[u8], is_packed: bool) -> std::io::Result<Vec<u8>> {
    let compression = if is_packed {
        cab::CompressionType::MsZip
    } else {
        cab::CompressionType::None
    };
    let mut builder = cab::CabinetBuilder::new();
    let folder = builder.add_folder(compression);
    for name in NAMES {
        folder.add_file(name);
    }
    let mut writer = builder.build(Cursor::new(Vec::new()))?;
    for (_, content) in members(content) {
        if let Some(mut file) = writer.next_file()? {
            file.write_all(content)?;
        }
    }
    Ok(writer.finish()?.into_inner())
}

/// The content is the kernel's trace, its first half the user's.
fn members(content: &[u8]) -> impl Iterator<Item = (&'static str, &[u8])> {
    let contents = [&b"<Types/>"[..], content, &content[..content.len() / 2]];
    NAMES.into_iter().zip(contents)
}
