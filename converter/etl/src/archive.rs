//! Traces packed in gzip or ZIP files, and files that are no traces.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

use crate::damage::{DamageKind, DamageLog};
use crate::open_error::Reason;
use crate::source::Source;

const GZIP_MAGIC: &[u8] = &[0x1F, 0x8B];
const ZIP_MAGIC: &[u8] = b"PK\x03\x04";

/// The bytes of a trace file: its own, or those of the trace in it, unpacked to an unnamed temporary file of at most
/// `limit_bytes`. Of an archive that ends early, what can be unpacked is kept and the rest noted as damage.
pub(crate) fn unpacked(
    mut file: File,
    limit_bytes: u64,
    damage: &mut DamageLog,
) -> Result<Source, Reason> {
    let mut start = Vec::with_capacity(4);
    Read::by_ref(&mut file).take(4).read_to_end(&mut start)?;
    file.rewind()?;
    let (unpacked, cut) = if start.starts_with(GZIP_MAGIC) {
        copy(
            MultiGzDecoder::new(io::BufReader::new(file)),
            "gzip",
            limit_bytes,
        )?
    } else if start.starts_with(ZIP_MAGIC) {
        let mut archive =
            ZipArchive::new(io::BufReader::new(file)).map_err(|error| zip_error(&error))?;
        let member = trace_member(&archive)?;
        copy(
            archive
                .by_name(&member)
                .map_err(|error| zip_error(&error))?,
            "ZIP",
            limit_bytes,
        )?
    } else {
        return Ok(Source::from_file(file)?);
    };
    if let Some((unpacked_bytes, error)) = cut {
        damage.record(
            unpacked_bytes,
            DamageKind::ArchiveCut {
                unpacked_bytes,
                reason: error.to_string(),
            },
        );
    }
    Ok(Source::from_file(unpacked)?)
}

fn zip_error(error: &zip::result::ZipError) -> Reason {
    Reason::Archive {
        format: "ZIP",
        reason: error.to_string(),
    }
}

/// Name of the first member that ends in `.etl`.
fn trace_member<R: Read + Seek>(archive: &ZipArchive<R>) -> Result<String, Reason> {
    let mut names = archive.file_names();
    names
        .find(|name| name.to_ascii_lowercase().ends_with(".etl"))
        .map(str::to_owned)
        .ok_or_else(|| {
            let reason = format!(
                "expected an .etl file in it, found {} files of other types",
                archive.len()
            );
            Reason::Archive {
                format: "ZIP",
                reason,
            }
        })
}

/// Copies all of `packed` to a temporary file. An error after the first bytes ends the copy and comes back with it.
fn copy(
    mut packed: impl Read,
    format: &'static str,
    limit_bytes: u64,
) -> Result<(File, Option<(u64, io::Error)>), Reason> {
    let mut unpacked = tempfile::tempfile()?;
    let mut chunk = vec![0; 1 << 17];
    let mut written = 0;
    loop {
        let part = match packed.read(&mut chunk) {
            Ok(0) => return Ok((unpacked, None)),
            Ok(count) => chunk.get(..count).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if written == 0 => {
                return Err(Reason::Archive {
                    format,
                    reason: error.to_string(),
                });
            }
            Err(error) => return Ok((unpacked, Some((written, error)))),
        };
        written += part.len() as u64;
        if written > limit_bytes {
            return Err(Reason::TooLarge { limit_bytes });
        }
        unpacked.write_all(part)?;
    }
}

/// What a file that begins with `start` looks like, if it is a type known not to be a trace.
pub(crate) fn foreign_type(start: &[u8]) -> Option<&'static str> {
    const TYPES: [(&[u8], &str); 9] = [
        (ZIP_MAGIC, "a ZIP file"),
        (GZIP_MAGIC, "a gzip file"),
        (b"MSCF", "a cabinet file (unpack it first)"),
        (b"7z\xBC\xAF\x27\x1C", "a 7z file (unpack it first)"),
        (b"\x28\xB5\x2F\xFD", "a zstd file (unpack it first)"),
        (
            b"ETLX",
            "a PerfView .etlx file (open the .etl it was made from)",
        ),
        (
            b"\x14\0\0\0!FastSerialization",
            "a PerfView file (open the .etl it was made from)",
        ),
        (b"PERFILE2", "Linux perf data"),
        (b"\xFF\xFE", "UTF-16 text"),
    ];
    if let Some((_, name)) = TYPES.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some(name);
    }
    let text = start.trim_ascii_start();
    let is_text = !start.is_empty()
        && start
            .iter()
            .all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..));
    match text {
        [b'<', ..] if is_text => Some("XML or HTML text"),
        [b'{' | b'[', ..] if is_text => Some("JSON text"),
        _ if is_text => Some("text"),
        _ => None,
    }
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
