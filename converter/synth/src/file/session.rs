//! What describes a recording session: the options of the file and of its log-file header.

use super::bytes::Pointer;

/// Which program wrote the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// The kernel, straight to disk.
    Direct,
    /// `xperf -merge`, WPR or PerfView: session "Relogger", buffer stamps are FILETIME.
    Merged,
    /// A relogged part of a merge: session "", file "ReloggedFile.ETL".
    Relogged,
}

/// The clock of the event timestamps (`ReservedFlags` of the log-file header).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// `QueryPerformanceCounter` ticks at this rate.
    Qpc {
        /// Ticks per second.
        hz: i64,
    },
    /// FILETIME ticks of 100 ns.
    SystemTime,
    /// CPU cycles at `Session::cpu_mhz`.
    Cycles,
}

/// How the file grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// Buffers follow each other.
    Sequential,
    /// After this many data buffers the oldest place in the file is written again.
    Circular {
        /// Data buffers that the file holds, without its header buffer.
        data_buffers: u32,
    },
}

/// Options of a trace file. `Session::default()` is a direct 64-bit Windows 10 kernel log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Pointer width of the machine: of events logged without a width of their own.
    pub pointer: Pointer,
    /// Pointer width of the program that wrote the file: of the log-file header event.
    pub header_pointer: Pointer,
    /// Processors of the machine.
    pub cpu_count: u32,
    /// Size of a buffer before compression, header included; a multiple of 8.
    pub buffer_bytes: u32,
    /// Compress each data buffer that gets smaller by it.
    pub compressed: bool,
    /// Log context switches as compact ones.
    pub compact_switches: bool,
    /// Which program wrote the file.
    pub flavour: Flavour,
    /// Sequential or circular.
    pub growth: Growth,
    /// Clock of the timestamps.
    pub clock: Clock,
    /// Nominal processor speed.
    pub cpu_mhz: u32,
    /// Build number of the system (`ProviderVersion`).
    pub os_build: u32,
    /// Timestamp of the log-file header event, in ticks of the clock.
    pub start_ticks: i64,
    /// Time of that event, in 100 ns since 1601-01-01 UTC.
    pub start_filetime: u64,
    /// Time of the boot, in 100 ns since 1601-01-01 UTC.
    pub boot_filetime: u64,
    /// Session name of a direct log; the other flavours have their own.
    pub name: String,
    /// Path of the log file of a direct log.
    pub file_name: String,
    /// Events the session says were lost.
    pub events_lost: u32,
    /// Buffers the session says were lost.
    pub buffers_lost: u32,
    /// Thread and process that started the session.
    pub origin: (u32, u32),
}

impl Default for Session {
    fn default() -> Self {
        Self {
            pointer: Pointer::Eight,
            header_pointer: Pointer::Eight,
            cpu_count: 2,
            buffer_bytes: 0x1_0000,
            compressed: false,
            compact_switches: false,
            flavour: Flavour::Direct,
            growth: Growth::Sequential,
            clock: Clock::Qpc { hz: 10_000_000 },
            cpu_mhz: 2_600,
            os_build: 19_045,
            start_ticks: 0x10_0000_0000,
            start_filetime: 133_000_000_000_000_000,
            boot_filetime: 132_999_000_000_000_000,
            name: "NT Kernel Logger".to_owned(),
            file_name: "C:\\Traces\\kernel.etl".to_owned(),
            events_lost: 0,
            buffers_lost: 0,
            origin: (4156, 9120),
        }
    }
}

impl Session {
    /// Ticks per second of the clock.
    #[must_use]
    pub const fn ticks_per_second(&self) -> i64 {
        match self.clock {
            Clock::Qpc { hz } => hz,
            Clock::SystemTime => 10_000_000,
            Clock::Cycles => self.cpu_mhz as i64 * 1_000_000,
        }
    }

    /// Raw timestamp of a moment given in ns after the header event, rounded down to a tick.
    #[must_use]
    pub fn ticks_at(&self, ns: i64) -> i64 {
        let ticks = i128::from(ns) * i128::from(self.ticks_per_second()) / 1_000_000_000;
        self.start_ticks
            .saturating_add(i64::try_from(ticks).unwrap_or(i64::MAX))
    }

    /// Nanoseconds from the header event to a raw timestamp, rounded down.
    #[must_use]
    pub fn ns_since_start(&self, ticks: i64) -> i64 {
        let elapsed = i128::from(ticks) - i128::from(self.start_ticks);
        i64::try_from(elapsed * 1_000_000_000 / i128::from(self.ticks_per_second()))
            .unwrap_or(i64::MAX)
    }

    /// FILETIME of a raw timestamp.
    #[must_use]
    pub fn filetime_at(&self, ticks: i64) -> u64 {
        self.start_filetime
            .saturating_add_signed(self.ns_since_start(ticks) / 100)
    }

    /// `LogFileMode`: Microsoft docs, Logging Mode Constants.
    #[must_use]
    pub const fn log_file_mode(&self) -> u32 {
        let growth = match self.growth {
            Growth::Sequential => 0x1,
            Growth::Circular { .. } => 0x2,
        };
        let flavour = match self.flavour {
            Flavour::Direct => 0x0200_0000,
            Flavour::Merged => 0x1_0000,
            Flavour::Relogged => 0x1_1000,
        };
        growth | flavour | if self.compressed { 0x0400_0000 } else { 0 }
    }
}
