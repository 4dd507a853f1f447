//! Which files are of one recording, and what their headers say together.
//!
//! The sessions of a recording, such as the kernel's and the providers', write a file each. Their timestamps are of one
//! counter of one machine, which runs from the boot on: they are in one order as they stand.

use std::cmp::Reverse;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::archive;
use crate::clock::{Clock, ClockType};
use crate::damage::{Damage, DamageKind, DamageLog};
use crate::file::EtlFile;
use crate::open_error::Reason;
use crate::trace_header::LogFileHeader;
use crate::unpack_limit;

/// How far the UTC times may differ at which the counter of two files was 0. The system sets its clock while it runs,
/// and two machines are not started within so short a time.
const ZERO_TOLERANCE_NS: u64 = 10_000_000_000;
/// The boot time in the header is off by up to 10 s either way.
const BOOT_TOLERANCE_NS: u64 = 30_000_000_000;

/// The files at a path that are of one recording. Of an archive that is the recording of its largest file; what else is
/// in it is named in `left_out`.
pub(crate) fn files_at(path: &Path, left_out: &mut Vec<String>) -> Result<Vec<EtlFile>, Reason> {
    // Before it is opened: opening a pipe waits until somebody writes to it.
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        let found = match metadata.is_dir() {
            true => "a folder",
            false => "a pipe or a device",
        };
        return Err(Reason::NotAFile { found });
    }
    let file = File::open(path)?;
    let limit_bytes = unpack_limit::limit_bytes(metadata.len());
    let mut members = archive::unpacked(file, limit_bytes)?;
    if members.len() == 1
        && let Some(only) = members.pop()
    {
        let name = path.display().to_string();
        return Ok(vec![EtlFile::open(name, only.source?, only.damage)?]);
    }
    let (mut files, mut unreadable) = (Vec::new(), None);
    for member in members {
        let name = member.name.clone();
        let cut = cut_after(&name, &member.damage);
        match member
            .source
            .and_then(|source| EtlFile::open(name, source, member.damage))
        {
            Ok(file) => files.push(EtlFile {
                is_member: true,
                ..file
            }),
            Err(reason) => {
                left_out.push(self::left_out(&member.name, &reason));
                left_out.extend(cut);
                unreadable.get_or_insert(reason);
            }
        }
    }
    let sizes = files.iter().map(|file| file.source.size_bytes());
    let Some((largest, _)) = sizes
        .enumerate()
        .max_by_key(|(at, size)| (*size, Reverse(*at)))
    else {
        return Err(unreadable.unwrap_or(Reason::Empty));
    };
    let mut own = vec![files.swap_remove(largest)];
    files.sort_by(|one, other| one.name.cmp(&other.name));
    for file in files {
        let checked = own.iter().try_for_each(|other| check(other, &file));
        match checked {
            Ok(()) => own.push(file),
            Err(reason) => {
                left_out.push(self::left_out(&file.name, &reason));
                left_out.extend(cut_after(&file.name, &file.damage));
            }
        }
    }
    Ok(own)
}

/// That an archive is cut behind this trace, which concerns the others too.
fn cut_after(name: &str, damage: &DamageLog) -> Option<String> {
    let is_cut = |damage: &&Damage| matches!(damage.kind, DamageKind::ArchiveDirectory);
    let cut = damage.items().iter().find(is_cut)?;
    Some(format!("{name}: {cut}"))
}

/// How the user is told that a file of an archive is not part of the trace.
pub(crate) fn left_out(name: &str, reason: &Reason) -> String {
    format!("{name} is left out: {reason}")
}

/// Checks that `file` is of the recording that `other` is of.
pub(crate) fn check(other: &EtlFile, file: &EtlFile) -> Result<(), Reason> {
    difference(other, file).map_or(Ok(()), |why| {
        Err(Reason::OtherRecording {
            other: other.name.clone(),
            why,
        })
    })
}

/// Why two files are not of one recording, in words; `None` if they are.
fn difference(one: &EtlFile, other: &EtlFile) -> Option<String> {
    let (a, b) = (&one.header, &other.header);
    if a == b && one.clock == other.clock && one.buffers == other.buffers {
        return Some("they are the same file".to_owned());
    }
    if a.clock_type != b.clock_type {
        let [a, b] = [a, b].map(|header| clock_name(header.clock_type));
        return Some(format!("one is timed by {a}, the other by {b}"));
    }
    let numbers = [
        (
            "ticks of the clock a second",
            one.clock.ticks_per_s,
            other.clock.ticks_per_s,
        ),
        ("processors", a.cpu_count.into(), b.cpu_count.into()),
        ("as build of Windows", a.os_build.into(), b.os_build.into()),
    ];
    if let Some((what, a, b)) = numbers.into_iter().find(|(_, a, b)| a != b) {
        return Some(format!("one has {a} {what}, the other {b}"));
    }
    let zeros = counter_zero_ns(&one.clock).zip(counter_zero_ns(&other.clock));
    if let Some((a, b)) = zeros.filter(|(a, b)| a.abs_diff(*b) > ZERO_TOLERANCE_NS.into()) {
        let apart_s = a.abs_diff(b) / 1_000_000_000;
        return Some(format!(
            "their clocks began {apart_s} s apart, so that they are of different machines or starts of one"
        ));
    }
    let boots = a.boot_utc_ns.zip(b.boot_utc_ns);
    boots
        .filter(|(a, b)| a.abs_diff(*b) > BOOT_TOLERANCE_NS)
        .map(|(a, b)| {
            let apart_s = a.abs_diff(b) / 1_000_000_000;
            format!("their machines were started {apart_s} s apart")
        })
}

/// Unix time in ns at which a counter was 0; `None` for a clock that is no counter, or not known in UTC.
fn counter_zero_ns(clock: &Clock) -> Option<i128> {
    if clock.clock_type == ClockType::SystemTime {
        return None;
    }
    let ns = i128::from(clock.start_raw) * 1_000_000_000 / i128::from(clock.ticks_per_s);
    Some(i128::from(clock.start_utc_ns?) - ns)
}

fn clock_name(clock_type: ClockType) -> &'static str {
    match clock_type {
        ClockType::Qpc => "the performance counter",
        ClockType::SystemTime => "the system time",
        ClockType::CpuCycles => "processor cycles",
    }
}

/// What the headers say together, and the clock: those of the earliest file, with the end, the losses and the names of
/// all; `None` without a file.
pub(crate) fn header(files: &[Arc<EtlFile>]) -> Option<(LogFileHeader, Clock)> {
    let earliest = files.iter().min_by_key(|file| file.clock.start_raw)?;
    let mut header = earliest.header.clone();
    if files.len() > 1 {
        let headers = || files.iter().map(|file| &file.header);
        let sum =
            |number: fn(&LogFileHeader) -> u32| headers().map(number).fold(0, u32::saturating_add);
        header.buffers_written = sum(|header| header.buffers_written);
        header.events_lost = sum(|header| header.events_lost);
        header.buffers_lost = sum(|header| header.buffers_lost);
        header.end_utc_ns = headers().filter_map(|header| header.end_utc_ns).max();
        let names =
            |name: fn(&LogFileHeader) -> &str| headers().map(name).collect::<Vec<_>>().join(" + ");
        header.session_name = names(|header| &header.session_name);
        header.file_name = names(|header| &header.file_name);
    }
    Some((header, earliest.clock))
}

#[cfg(test)]
#[path = "recording_tests.rs"]
mod tests;
