//! Compact context switches, 0525h: those of one processor on their way into one event.
//!
//! Sources: the public symbols of Windows 10 and 11 (`_PERFINFO_CCSWAP_BUFFER` and the four forms of a packet); ntwmi. How
//! state and wait reason share their 6 bits is not public: here they hold the low bits of the wait reason.

use super::bytes::Bytes;
use super::event::KernelEvent;

const THREADS_MAX: usize = 16;
/// Packets of an event take no more.
const PACKETS_BYTES_MAX: usize = 0x3A0;

/// The side of a context switch that a compact event describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaving {
    /// Thread switched out, 0 = idle.
    pub tid: u32,
    /// Its priority.
    pub priority: u8,
    /// Why it leaves.
    pub wait_reason: u8,
    /// How long the thread that comes had waited, in clock ticks.
    pub new_wait_time: u32,
}

/// An event that is being filled.
#[derive(Debug, Clone, Default)]
pub struct CompactSwitches {
    first_ticks: i64,
    last_ticks: i64,
    /// Id and base priority.
    threads: Vec<(u32, u8)>,
    packets: Vec<u8>,
    count: u64,
}

impl CompactSwitches {
    /// Nothing yet, from a raw time on.
    #[must_use]
    pub fn new(first_ticks: i64) -> Self {
        Self {
            first_ticks,
            last_ticks: first_ticks,
            ..Self::default()
        }
    }

    /// Switches in it.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Adds a switch, in as few bytes as it takes. False if there is no room for it.
    pub fn push(&mut self, ticks: i64, leaving: &Leaving) -> bool {
        let delta = u32::try_from(ticks - self.last_ticks).unwrap_or(u32::MAX);
        if delta >> 30 != 0 || self.packets.len() + 8 > PACKETS_BYTES_MAX {
            return false;
        }
        if leaving.tid == 0 {
            if delta >> 14 == 0 {
                self.word16(delta << 2);
            } else {
                self.word32(0b01 | delta << 2);
            }
        } else {
            let Some((place, base)) = self.place(leaving) else {
                return false;
            };
            let wait_reason = u32::from(leaving.wait_reason & 0x3F);
            let increment = u32::from(leaving.priority).checked_sub(u32::from(base));
            match increment.filter(|increment| *increment < 8 && delta >> 17 == 0) {
                Some(increment) => {
                    self.word32(0b10 | place << 2 | increment << 6 | wait_reason << 9 | delta << 15)
                }
                None => {
                    self.word32(0b11 | delta << 2);
                    let priority = u32::from(leaving.priority & 31);
                    let waited = leaving.new_wait_time.min(0x1_FFFF);
                    self.word32(place | wait_reason << 4 | priority << 10 | waited << 15);
                }
            }
        }
        self.last_ticks = ticks;
        self.count += 1;
        true
    }

    /// Where a thread is in the table, and its base priority there.
    fn place(&mut self, leaving: &Leaving) -> Option<(u32, u8)> {
        let known = self.threads.iter().position(|(tid, _)| *tid == leaving.tid);
        let at = known.unwrap_or(self.threads.len());
        if known.is_none() {
            if at == THREADS_MAX {
                return None;
            }
            self.threads.push((leaving.tid, leaving.priority));
        }
        let (_, base) = self.threads.get(at)?;
        Some((u32::try_from(at).ok()?, *base))
    }

    fn word16(&mut self, word: u32) {
        self.packets.extend(word.to_le_bytes().iter().take(2));
    }

    fn word32(&mut self, word: u32) {
        self.packets.extend(word.to_le_bytes());
    }
}

impl KernelEvent for CompactSwitches {
    fn hook(&self) -> u16 {
        0x0525
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        let left = THREADS_MAX - self.threads.len();
        out.i64(self.first_ticks);
        for (tid, _) in &self.threads {
            out.u32(*tid);
        }
        out.fill(left * 4, 0);
        for (_, base) in &self.threads {
            out.u8(*base);
        }
        out.fill(left, 0);
        out.raw(&self.packets);
    }
}
