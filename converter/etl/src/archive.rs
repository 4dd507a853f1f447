//! Traces packed in gzip, ZIP or cabinet files, and files that are no traces.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use cabinet::Cabinet;
use flate2::read::MultiGzDecoder;
use zip::ZipArchive;
use zip::read::read_zipfile_from_stream;
use zip::result::ZipError;

use crate::damage::DamageKind;
use crate::member::{CHUNK_BYTES, Member, Room, Unpacking, next_part};
use crate::open_error::Reason;
use crate::source::Source;
use crate::zip_stream::StreamedFile;

const GZIP_MAGIC: &[u8] = &[0x1F, 0x8B];
const ZIP_MAGIC: &[u8] = b"PK\x03\x04";
const ZIP_END_MAGIC: &[u8] = b"PK\x05\x06";
/// That record, and the longest comment.
const ZIP_END_MOST_BYTES: u64 = 22 + (1 << 16);
const CABINET_MAGIC: &[u8] = b"MSCF\0\0\0\0";
/// More `.etl` files than any recorder packs together; the rest is refused.
const MOST_MEMBERS: usize = 256;

/// The bytes of a trace file, or those of all traces in an archive, unpacked to unnamed temporary files of at most
/// `limit_bytes` together. Of an archive that ends early, what can be unpacked is kept and the rest noted as damage.
pub(crate) fn unpacked(mut file: File, limit_bytes: u64) -> Result<Vec<Member>, Reason> {
    let mut start = Vec::with_capacity(8);
    Read::by_ref(&mut file).take(8).read_to_end(&mut start)?;
    file.rewind()?;
    if start.starts_with(GZIP_MAGIC) {
        let packed = MultiGzDecoder::new(BufReader::new(file));
        let mut room = Room::of(limit_bytes);
        return Ok(vec![copy("", packed, "gzip", &mut room)?]);
    }
    if start.starts_with(ZIP_MAGIC) {
        return unzipped(&file, limit_bytes);
    }
    if start.starts_with(CABINET_MAGIC) {
        return uncabbed(BufReader::new(file), limit_bytes);
    }
    Ok(vec![Member::whole(Source::from_file(file)?)])
}

fn unzipped(file: &File, limit_bytes: u64) -> Result<Vec<Member>, Reason> {
    let refuse = |error: ZipError| refusal("ZIP", &error.into());
    let mut archive = match ZipArchive::new(BufReader::new(file)) {
        Ok(archive) => archive,
        Err(error) if has_zip_end(file)? => return Err(refuse(error)),
        Err(_) => return unzipped_from_the_front(file, limit_bytes),
    };
    let names = traces("ZIP", archive.file_names())?;
    let mut room = Room::of(limit_bytes);
    let mut members = Vec::with_capacity(names.len());
    for name in names {
        members.push(match archive.by_name(&name) {
            Ok(packed) => copy(&name, packed, "ZIP", &mut room)?,
            Err(error) => Member::refused(&name, refuse(error)),
        });
    }
    Ok(members)
}

/// Whether a ZIP file has the record that ends its directory, and so itself, but for a comment.
fn has_zip_end(mut file: &File) -> io::Result<bool> {
    let size_bytes = file.metadata()?.len();
    file.seek(SeekFrom::Start(
        size_bytes.saturating_sub(ZIP_END_MOST_BYTES),
    ))?;
    let mut end = Vec::new();
    file.take(ZIP_END_MOST_BYTES).read_to_end(&mut end)?;
    Ok(end
        .windows(ZIP_END_MAGIC.len())
        .any(|four| four == ZIP_END_MAGIC))
}

/// The traces of a ZIP file whose end is missing, and so its directory: each file in it has a header of its own too.
fn unzipped_from_the_front(mut file: &File, limit_bytes: u64) -> Result<Vec<Member>, Reason> {
    file.rewind()?;
    let mut front = BufReader::new(file);
    let (mut members, mut room) = (Vec::new(), Room::of(limit_bytes));
    while members.len() < MOST_MEMBERS {
        if let Ok(Some(mut packed)) = StreamedFile::at(&mut front) {
            let name = std::mem::take(&mut packed.name);
            if is_trace(&name) {
                members.push(copy(&name, packed, "ZIP", &mut room)?);
            } else if room.pass(packed).is_err() {
                break;
            }
        } else if let Ok(Some(packed)) = read_zipfile_from_stream(&mut front) {
            let name = packed.name().to_owned();
            if is_trace(&name) {
                members.push(copy(&name, packed, "ZIP", &mut room)?);
            }
        } else {
            break;
        }
    }
    members.retain(|member| member.source.is_ok());
    let Some(last) = members.last_mut() else {
        let found_bytes = file.metadata()?.len();
        return Err(Reason::ZipCut { found_bytes });
    };
    if let (Ok(source), []) = (&last.source, last.damage.items()) {
        let kind = DamageKind::ArchiveDirectory;
        last.damage.record(source.size_bytes(), kind);
    }
    Ok(members)
}

/// Each folder of the cabinet is unpacked once, however many traces it holds.
fn uncabbed(file: impl Read + Seek, limit_bytes: u64) -> Result<Vec<Member>, Reason> {
    let mut cabinet = Cabinet::open(file).map_err(|error| refusal("cabinet", &error))?;
    traces("cabinet", cabinet.files().iter().map(|file| &*file.name))?;
    let mut members = Vec::new();
    for file in cabinet.files().iter().filter(|file| is_trace(&file.name)) {
        let range = file.offset..file.offset + file.size_bytes;
        let member = Unpacking::new(&file.name, "cabinet", Some(file.size_bytes))?;
        members.push((file.folder, range, member));
    }
    let mut room = Room::of(limit_bytes);
    let folders: BTreeSet<usize> = members.iter().map(|(folder, ..)| *folder).collect();
    for index in folders {
        let inside = members.iter_mut().filter(|(folder, ..)| *folder == index);
        let mut inside: Vec<Inside> = inside.map(|(_, range, member)| (&*range, member)).collect();
        let unpacked = match cabinet.read_folder(index) {
            Ok(folder) => deal_out(folder, &mut inside, &mut room)?,
            Err(error) => Err(error),
        };
        if let Err(error) = unpacked {
            inside.iter_mut().for_each(|(_, member)| member.cut(&error));
        }
    }
    let members = members.into_iter().map(|(.., member)| member.finish());
    Ok(members.collect())
}

/// A trace, and where it is in its folder.
type Inside<'a> = (&'a Range<u64>, &'a mut Unpacking);

/// Gives each trace its range of a folder, which is read once. The inner error is the folder's.
fn deal_out(
    mut folder: impl Read,
    inside: &mut [Inside],
    room: &mut Room,
) -> Result<io::Result<()>, Reason> {
    let end = inside.iter().map(|(range, _)| range.end).max().unwrap_or(0);
    let (mut at, mut chunk) = (0, vec![0; CHUNK_BYTES]);
    while at < end {
        let part = match next_part(&mut folder, &mut chunk) {
            Ok([]) => return Ok(Err(io::Error::other("its folder ends before it"))),
            Ok(part) => part,
            Err(error) => return Ok(Err(error)),
        };
        let next = at + part.len() as u64;
        for (range, member) in &mut *inside {
            let [from, to] = [range.start, range.end].map(|edge| edge.clamp(at, next) - at);
            if let Some(own) = part.get(from as usize..to as usize) {
                member.take(own, room)?;
            }
        }
        at = next;
    }
    Ok(Ok(()))
}

pub(crate) fn refusal(format: &'static str, error: &io::Error) -> Reason {
    let reason = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends too early; copy the file again".to_owned(),
        _ => error.to_string(),
    };
    Reason::Archive { format, reason }
}

/// The names that end in `.etl`.
fn traces<'a>(
    format: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<Vec<String>, Reason> {
    let (mut traces, mut others) = (Vec::new(), 0_u64);
    for name in names {
        if is_trace(name) {
            traces.push(name.to_owned());
        } else {
            others += 1;
        }
    }
    if traces.is_empty() {
        let found = match others {
            0 => "it empty".to_owned(),
            1 => "only a file of another type".to_owned(),
            _ => format!("only {others} files of other types"),
        };
        let reason = format!("expected an .etl file in it, found {found}");
        return Err(Reason::Archive { format, reason });
    }
    if traces.len() > MOST_MEMBERS {
        let found = traces.len();
        let reason = format!("expected at most {MOST_MEMBERS} .etl files in it, found {found}");
        return Err(Reason::Archive { format, reason });
    }
    Ok(traces)
}

/// Copies all of `packed` to a temporary file, and takes its size off `room`. What comes before an error is kept.
fn copy(
    name: &str,
    mut packed: impl Read,
    format: &'static str,
    room: &mut Room,
) -> Result<Member, Reason> {
    let mut member = Unpacking::new(name, format, None)?;
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match next_part(&mut packed, &mut chunk) {
            Ok([]) => break,
            Ok(part) => member.take(part, room)?,
            Err(error) => {
                member.cut(&error);
                break;
            }
        }
    }
    Ok(member.finish())
}

fn is_trace(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".etl")
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
