//! The payload of a trace's first event: `TRACE_LOGFILE_HEADER` (Microsoft docs), with the strings after it.

use super::bytes::Bytes;
use super::session::{Clock, Flavour, Session};

/// What is known only when the file is closed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Closing {
    /// End of the trace as FILETIME; 0 while the file is open.
    pub end_filetime: u64,
    /// Buffers in the file, the header buffer among them.
    pub buffers_written: u32,
}

const MAXIMUM_FILE_SIZE_MIB: u32 = 0;
const TIMER_RESOLUTION_100_NS: u32 = 156_250;
/// Minutes: UTC = local time + bias.
const BIAS_MINUTES: i32 = -60;

/// Writes the payload in the layout of the bytes' own pointer width.
pub fn write(session: &Session, closing: Closing, out: &mut Bytes) {
    let pointer_bytes = out.pointer_width().bytes();
    out.u32(session.buffer_bytes)
        .raw(&version(session))
        .u32(session.os_build)
        .u32(session.cpu_count)
        .u64(closing.end_filetime)
        .u32(TIMER_RESOLUTION_100_NS)
        .u32(MAXIMUM_FILE_SIZE_MIB)
        .u32(session.log_file_mode())
        .u32(closing.buffers_written)
        .u32(1)
        .u32(pointer_bytes)
        .u32(session.events_lost)
        .u32(session.cpu_mhz)
        .pointer(if session.flavour == Flavour::Direct {
            5
        } else {
            0
        })
        .pointer(if session.flavour == Flavour::Direct {
            7
        } else {
            0
        });
    time_zone(out);
    let (hz, clock_type) = match session.clock {
        Clock::Qpc { hz } => (hz, 1),
        Clock::SystemTime => (10_000_000, 2),
        Clock::Cycles => (10_000_000, 3),
    };
    let (name, file_name) = match session.flavour {
        Flavour::Direct => (session.name.as_str(), session.file_name.as_str()),
        Flavour::Merged => ("Relogger", "[multiple files]"),
        Flavour::Relogged => ("", "ReloggedFile.ETL"),
    };
    out.fill(4, 0)
        .u64(session.boot_filetime)
        .i64(hz)
        .u64(session.start_filetime)
        .u32(clock_type)
        .u32(session.buffers_lost)
        .wstr(name)
        .wstr(file_name);
}

fn version(session: &Session) -> [u8; 4] {
    let (major, minor) = match session.os_build {
        ..=6002 => (6, 0),
        6003..=7601 => (6, 1),
        7602..=9200 => (6, 2),
        9201..=9600 => (6, 3),
        _ => (10, 0),
    };
    if session.compressed {
        [major, minor, 2, 0]
    } else {
        [major, minor, 1, 5]
    }
}

/// `TIME_ZONE_INFORMATION`: Central European Time, which changes on the last Sundays of October and March.
fn time_zone(out: &mut Bytes) {
    out.i32(BIAS_MINUTES).wchars("@tzres.dll,-302", 32);
    for part in [0, 10, 0, 5, 3, 0, 0, 0] {
        out.u16(part);
    }
    out.i32(0).wchars("@tzres.dll,-301", 32);
    for part in [0, 3, 0, 5, 2, 0, 0, 0] {
        out.u16(part);
    }
    out.i32(-60);
}
