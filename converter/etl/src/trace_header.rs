//! The log-file header (`TRACE_LOGFILE_HEADER`), payload of a file's first event (§3).

use std::ops::RangeInclusive;

use crate::bytes::{i64_at, u32_at, wide_string_at};
use crate::clock::{Clock, ClockType, filetime_to_unix_ns};
use crate::damage::{DamageKind, DamageLog};
use crate::index::MOST_PROCESSOR;
use crate::time_zone;

/// Bits of [`LogFileHeader::log_file_mode`].
pub mod log_file_mode {
    /// The newest buffers overwrite the oldest.
    pub const CIRCULAR: u32 = 0x0000_0002;
    /// The file was merged or relogged from others.
    pub const RELOG: u32 = 0x0001_0000;
    /// Buffers are compressed.
    pub const COMPRESSED: u32 = 0x0400_0000;
    /// All processors write to the same buffers.
    pub const NO_PER_PROCESSOR_BUFFERING: u32 = 0x1000_0000;
}

/// Rates that a performance counter can have.
const PERF_FREQ_HZ: RangeInclusive<i64> = 1_000..=100_000_000_000;
const DEFAULT_TICKS_PER_S: i64 = 10_000_000;
const SYSTEM_TIME_TICKS_PER_S: u64 = 10_000_000;

/// What the log-file header says about the recording. Absent or implausible values are `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFileHeader {
    /// Size of the session's buffers in bytes, before compression.
    pub buffer_bytes: u32,
    /// Major, minor, sub- and sub-minor version of the file format.
    pub version: [u8; 4],
    /// Build number of the operating system.
    pub os_build: u32,
    /// Number of processors.
    pub cpu_count: u32,
    /// Unix time in ns of the header event.
    pub start_utc_ns: Option<i64>,
    /// Unix time in ns when the trace was closed; seconds off from the last event in merged files.
    /// `None` if it was not closed.
    pub end_utc_ns: Option<i64>,
    /// Unix time in ns when the machine was started; too inexact to relate clocks by.
    pub boot_utc_ns: Option<i64>,
    /// Period of the timer interrupt in ns.
    pub timer_resolution_ns: u64,
    /// Largest size of the file, in MiB, or KiB if mode bit 0x2000 is set; 0 = no limit.
    pub maximum_file_size: u32,
    /// Bits of [`log_file_mode`].
    pub log_file_mode: u32,
    /// Number of buffers in the file, the header's own included.
    pub buffers_written: u32,
    /// Number of first buffers that a circular file never overwrites.
    pub start_buffers: u32,
    /// Pointer width of the program that wrote or merged the file; events have their own.
    pub pointer_bytes: u8,
    /// Events lost while recording.
    pub events_lost: u32,
    /// Buffers lost while recording.
    pub buffers_lost: u32,
    /// Clock rate of the processors in MHz.
    pub cpu_mhz: u32,
    /// Minutes that local time was ahead of UTC at the start, in daylight time where it was in force.
    pub utc_offset_minutes: i32,
    /// Source of the timestamps.
    pub clock_type: ClockType,
    /// Rate of the performance counter as recorded.
    pub perf_freq_hz: i64,
    /// Name of the session; "Relogger" in merged files.
    pub session_name: String,
    /// Name of the file when it was written; "[multiple files]" if merged from several.
    pub file_name: String,
}

impl LogFileHeader {
    /// Least size of the header event's payload with 4-byte pointers.
    pub(crate) const LEAST_BYTES: usize = 0x110;

    /// Whether buffers mix the events of all processors, so that the processor of an event is unknown.
    pub fn mixes_processors(&self) -> bool {
        self.log_file_mode & log_file_mode::NO_PER_PROCESSOR_BUFFERING != 0
    }

    /// Whether newer buffers overwrote older ones, so that buffers are in time order only by sequence number.
    pub fn is_circular(&self) -> bool {
        self.log_file_mode & log_file_mode::CIRCULAR != 0
    }

    /// Replaces a number of processors that no machine has, by that of the last one which has events.
    pub(crate) fn check_cpu_count(&mut self, last_cpu: u16, damage: &mut DamageLog) {
        let most = u32::from(MOST_PROCESSOR) + 1;
        if !(1..=most).contains(&self.cpu_count) {
            let seen = u32::from(last_cpu) + 1;
            let found = self.cpu_count.into();
            note(damage, "NumberOfProcessors", found, seen.into());
            self.cpu_count = seen;
        }
    }

    /// Decodes the payload of the header event, whose own header says `event_pointer_bytes` and `start_raw`.
    /// `None` if it is too short.
    pub(crate) fn parse(
        payload: &[u8],
        event_pointer_bytes: u8,
        start_raw: i64,
        damage: &mut DamageLog,
    ) -> Option<(Self, Clock)> {
        let is_other_width = |declared| {
            let widths = [declared, event_pointer_bytes];
            widths.map(|width| has_clock(payload, width)) == [false, true]
        };
        let pointer_bytes = match u32_at(payload, 0x2C)? {
            4 if !is_other_width(4) => 4,
            8 if !is_other_width(8) => 8,
            other => {
                note(
                    damage,
                    "PointerSize",
                    other.into(),
                    event_pointer_bytes.into(),
                );
                event_pointer_bytes
            }
        };
        // Two pointers stand before the time zone, and the fields after it are aligned to 8 bytes.
        let zone_at = if pointer_bytes == 8 { 0x48 } else { 0x40 };
        let tail_at = tail_at(pointer_bytes);
        let clock_type = match u32_at(payload, tail_at + 0x18)? {
            0 | 1 => ClockType::Qpc,
            2 => ClockType::SystemTime,
            3 => ClockType::CpuCycles,
            other => {
                note(damage, "clock type", other.into(), 1);
                ClockType::Qpc
            }
        };
        let (session_name, next) = wide_string_at(payload, tail_at + 0x20).unwrap_or_default();
        let (file_name, _) = wide_string_at(payload, next).unwrap_or_default();
        let start_filetime = i64_at(payload, tail_at + 0x10)?;
        let mut header = Self {
            buffer_bytes: u32_at(payload, 0x00)?,
            version: u32_at(payload, 0x04)?.to_le_bytes(),
            os_build: u32_at(payload, 0x08)?,
            cpu_count: u32_at(payload, 0x0C)?,
            start_utc_ns: filetime_to_unix_ns(start_filetime),
            end_utc_ns: filetime_to_unix_ns(i64_at(payload, 0x10)?),
            boot_utc_ns: filetime_to_unix_ns(i64_at(payload, tail_at)?),
            timer_resolution_ns: u64::from(u32_at(payload, 0x18)?) * 100,
            maximum_file_size: u32_at(payload, 0x1C)?,
            log_file_mode: u32_at(payload, 0x20)?,
            buffers_written: u32_at(payload, 0x24)?,
            start_buffers: u32_at(payload, 0x28)?,
            pointer_bytes,
            events_lost: u32_at(payload, 0x30)?,
            buffers_lost: u32_at(payload, tail_at + 0x1C)?,
            cpu_mhz: u32_at(payload, 0x34)?,
            utc_offset_minutes: 0,
            clock_type,
            perf_freq_hz: i64_at(payload, tail_at + 0x08)?,
            session_name,
            file_name,
        };
        if header.end_utc_ns < header.start_utc_ns {
            header.end_utc_ns = None;
        }
        if header.end_utc_ns.is_none() {
            damage.record(0, DamageKind::NotClosed);
        }
        let clock = header.clock(start_raw, start_filetime, damage);
        header.start_utc_ns = clock.start_utc_ns;
        header.utc_offset_minutes =
            time_zone::utc_offset_minutes(payload.get(zone_at..)?, header.start_utc_ns)?;
        Some((header, clock))
    }

    fn clock(&self, start_raw: i64, start_filetime: i64, damage: &mut DamageLog) -> Clock {
        match self.clock_type {
            ClockType::Qpc => {
                let hz = if PERF_FREQ_HZ.contains(&self.perf_freq_hz) {
                    self.perf_freq_hz
                } else {
                    note(damage, "PerfFreq", self.perf_freq_hz, DEFAULT_TICKS_PER_S);
                    DEFAULT_TICKS_PER_S
                };
                Clock::new(
                    self.clock_type,
                    hz.unsigned_abs(),
                    start_raw,
                    start_filetime,
                )
            }
            ClockType::SystemTime => Clock::new(
                self.clock_type,
                SYSTEM_TIME_TICKS_PER_S,
                start_raw,
                start_raw,
            ),
            ClockType::CpuCycles => {
                let mhz = if self.cpu_mhz > 0 {
                    self.cpu_mhz
                } else {
                    note(damage, "CpuSpeedInMHz", 0, 1000);
                    1000
                };
                Clock::new(
                    self.clock_type,
                    u64::from(mhz) * 1_000_000,
                    start_raw,
                    start_filetime,
                )
            }
        }
    }
}

/// Where the fields after the time zone begin.
fn tail_at(pointer_bytes: u8) -> usize {
    if pointer_bytes == 8 { 0xF8 } else { 0xF0 }
}

/// Whether the fields of the clock are likely, if pointers are so wide.
fn has_clock(payload: &[u8], pointer_bytes: u8) -> bool {
    let tail_at = tail_at(pointer_bytes);
    u32_at(payload, tail_at + 0x18).is_some_and(|clock_type| clock_type <= 3)
        && i64_at(payload, tail_at + 0x08).is_some_and(|hz| PERF_FREQ_HZ.contains(&hz))
}

fn note(damage: &mut DamageLog, field: &'static str, found: i64, assumed: i64) {
    damage.record(
        0,
        DamageKind::HeaderField {
            field,
            found,
            assumed,
        },
    );
}

#[cfg(test)]
#[path = "trace_header_tests.rs"]
mod tests;
