//! Traces packed in gzip, ZIP or cabinet files, and files that are no traces.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

use crate::damage::{DamageKind, DamageLog};
use crate::open_error::Reason;
use crate::source::Source;
use crate::unpack_limit;

const GZIP_MAGIC: &[u8] = &[0x1F, 0x8B];
const ZIP_MAGIC: &[u8] = b"PK\x03\x04";
const CABINET_MAGIC: &[u8] = b"MSCF\0\0\0\0";
/// More `.etl` files than any recorder packs together; the rest is refused.
const MOST_MEMBERS: usize = 256;

/// The bytes of a trace file.
#[derive(Debug)]
pub(crate) struct Member {
    /// Its name in the archive; empty if it is in none, or needs none.
    pub(crate) name: String,
    pub(crate) source: Source,
    /// What is missing of it.
    pub(crate) damage: DamageLog,
}

/// The bytes of a trace file, or those of all traces in an archive, unpacked to unnamed temporary files of at most
/// `limit_bytes` together. Of an archive that ends early, what can be unpacked is kept and the rest noted as damage.
pub(crate) fn unpacked(mut file: File, limit_bytes: u64) -> Result<Vec<Member>, Reason> {
    let mut start = Vec::with_capacity(8);
    Read::by_ref(&mut file).take(8).read_to_end(&mut start)?;
    file.rewind()?;
    if start.starts_with(GZIP_MAGIC) {
        let packed = MultiGzDecoder::new(BufReader::new(file));
        let mut left_bytes = limit_bytes;
        return Ok(vec![copy("", packed, "gzip", &mut left_bytes)?]);
    }
    if start.starts_with(ZIP_MAGIC) {
        return unzipped(file, limit_bytes);
    }
    if start.starts_with(CABINET_MAGIC) {
        return uncabbed(file, limit_bytes);
    }
    Ok(vec![Member {
        name: String::new(),
        source: Source::from_file(file)?,
        damage: DamageLog::default(),
    }])
}

fn unzipped(file: File, limit_bytes: u64) -> Result<Vec<Member>, Reason> {
    let refuse = |error: zip::result::ZipError| refusal("ZIP", &error);
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(refuse)?;
    let names = traces("ZIP", archive.file_names())?;
    let mut left_bytes = limit_bytes;
    let mut members = Vec::with_capacity(names.len());
    for name in names {
        let packed = archive.by_name(&name).map_err(refuse)?;
        members.push(copy(&name, packed, "ZIP", &mut left_bytes)?);
    }
    Ok(members)
}

fn uncabbed(file: File, limit_bytes: u64) -> Result<Vec<Member>, Reason> {
    let refuse = |error: io::Error| refusal("cabinet", &error);
    let mut cabinet = cabinet::open(BufReader::new(file)).map_err(refuse)?;
    let folders = cabinet.folder_entries();
    let files = folders.flat_map(|folder| folder.file_entries());
    let names = traces("cabinet", files.map(|file| file.name()))?;
    let mut left_bytes = limit_bytes;
    let mut members = Vec::with_capacity(names.len());
    for name in names {
        let packed = cabinet.read_file(&name).map_err(refuse)?;
        members.push(copy(&name, packed, "cabinet", &mut left_bytes)?);
    }
    Ok(members)
}

fn refusal(format: &'static str, reason: &impl ToString) -> Reason {
    Reason::Archive {
        format,
        reason: reason.to_string(),
    }
}

/// The names that end in `.etl`.
fn traces<'a>(
    format: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<Vec<String>, Reason> {
    let (mut traces, mut others) = (Vec::new(), 0_u64);
    for name in names {
        if name.to_ascii_lowercase().ends_with(".etl") {
            traces.push(name.to_owned());
        } else {
            others += 1;
        }
    }
    if traces.is_empty() {
        let reason = format!("expected an .etl file in it, found {others} files of other types");
        return Err(Reason::Archive { format, reason });
    }
    if traces.len() > MOST_MEMBERS {
        let found = traces.len();
        let reason = format!("expected at most {MOST_MEMBERS} .etl files in it, found {found}");
        return Err(Reason::Archive { format, reason });
    }
    Ok(traces)
}

/// Copies all of `packed` to a temporary file, and takes its size off `left_bytes`. What comes before an error is kept.
fn copy(
    name: &str,
    mut packed: impl Read,
    format: &'static str,
    left_bytes: &mut u64,
) -> Result<Member, Reason> {
    let limit_bytes = *left_bytes;
    let mut unpacked = tempfile::tempfile()?;
    let mut damage = DamageLog::default();
    let mut chunk = vec![0; 1 << 17];
    let mut written = 0;
    loop {
        let part = match packed.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => chunk.get(..count).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if written == 0 => return Err(refusal(format, &error)),
            Err(error) => {
                let kind = DamageKind::ArchiveCut {
                    unpacked_bytes: written,
                    reason: error.to_string(),
                };
                damage.record(written, kind);
                break;
            }
        };
        let before = written;
        written += part.len() as u64;
        if written > limit_bytes {
            return Err(Reason::TooLarge { limit_bytes });
        }
        unpacked
            .write_all(part)
            .map_err(|error| unpack_limit::refused(error, before))?;
    }
    *left_bytes = limit_bytes - written;
    Ok(Member {
        name: name.to_owned(),
        source: Source::from_file(unpacked)?,
        damage,
    })
}

/// What a file that begins with `start` looks like, if it is a type known not to be a trace.
pub(crate) fn foreign_type(start: &[u8]) -> Option<&'static str> {
    const TYPES: [(&[u8], &str); 9] = [
        (ZIP_MAGIC, "a ZIP file"),
        (GZIP_MAGIC, "a gzip file"),
        (CABINET_MAGIC, "a cabinet file"),
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
