//! Profile samples (hooks 0F2E and 0F47), samples of hardware counters (0F2F), and the intervals between them (0F48 to
//! 0F4A).
//!
//! Source: `ntwmi.h`, where the last two bytes of a sample are flags and rank (the MOF class calls them reserved); read
//! back from files of Windows 7 and 8. Version 1 ends before them.

use crate::payload::{Payload, PointerWidth, Short, Wide};
use crate::stack_walk::is_kernel_address;

/// What a CPU was doing when the profile interrupt came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampledProfile {
    /// Address of the instruction to be executed next.
    pub instruction_pointer: u64,
    /// Whether that is kernel code.
    pub is_kernel: bool,
    /// The current thread; 0 is the idle thread.
    pub tid: u32,
    /// The CPU was in a deferred procedure call, which has nothing to do with the current thread.
    pub in_dpc: bool,
    /// The CPU was in an interrupt service routine, which has nothing to do with the current thread.
    pub in_isr: bool,
    /// The thread's priority; `None` in version 1. Windows 7 records 0.
    pub priority: Option<u8>,
    /// The thread's rank; `None` in version 1.
    pub rank: Option<u8>,
    /// What made the sample: [`ProfileInterval::TIMER`], or the hardware counter of this number.
    pub source: u32,
}

impl SampledProfile {
    /// Decodes with the header's pointer width.
    ///
    /// # Errors
    /// [`Short`] if address and thread are not there.
    pub fn decode(version: u8, width: PointerWidth, bytes: &[u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        let (Some(address), Some(tid)) = (payload.pointer(width), payload.u32()) else {
            return Err(Short {
                needed_bytes: width.bytes() + 4,
                found_bytes: bytes.len(),
            });
        };
        let _count = payload.u16();
        let tail = if version >= 2 {
            payload.array::<2>()
        } else {
            None
        };
        let flags = tail.map_or(0, |[flags, _]| flags);
        Ok(Self {
            instruction_pointer: address,
            is_kernel: is_kernel_address(address, width),
            tid,
            in_dpc: flags & 1 != 0,
            in_isr: flags & 2 != 0,
            priority: tail.map(|[flags, _]| flags >> 3),
            rank: tail.map(|[_, rank]| rank),
            source: ProfileInterval::TIMER,
        })
    }

    /// Decodes a hardware counter's sample, which tells neither priority nor rank, with the header's pointer width.
    ///
    /// # Errors
    /// [`Short`] if address, thread and source are not there.
    pub fn decode_counter(width: PointerWidth, bytes: &[u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        let mut fields = || Some((payload.pointer(width)?, payload.u32()?, payload.u16()?));
        let (address, tid, source) = fields().ok_or(Short {
            needed_bytes: width.bytes() + 6,
            found_bytes: bytes.len(),
        })?;
        Ok(Self {
            instruction_pointer: address,
            is_kernel: is_kernel_address(address, width),
            tid,
            in_dpc: false,
            in_isr: false,
            priority: None,
            rank: None,
            source: source.into(),
        })
    }
}

/// The time between two samples of a source, from here on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileInterval<'a> {
    /// What makes samples: 0 is the timer, others are hardware counters.
    pub source: u32,
    /// Interval in units of 100 ns; for hardware counters, counted events.
    pub interval: u32,
    /// Name of the source; empty where it is not told.
    pub source_name: Wide<'a>,
}

impl<'a> ProfileInterval<'a> {
    /// [`ProfileInterval::source`] of samples by time.
    pub const TIMER: u32 = 0;

    /// Decodes source, new and old interval, which come first in all versions, and the name that may follow.
    ///
    /// # Errors
    /// [`Short`] if they are not there.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        match (payload.u32(), payload.u32()) {
            (Some(source), Some(interval)) => {
                let _old_interval = payload.u32();
                Ok(Self {
                    source,
                    interval,
                    source_name: payload.wide().unwrap_or_default(),
                })
            }
            _ => Err(Short {
                needed_bytes: 8,
                found_bytes: bytes.len(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_2_in_both_widths() {
        let wide = [
            0x18, 0xf3, 0x68, 0x02, 0x00, 0xf8, 0xff, 0xff, 0xa0, 0x0d, 0, 0, 1, 0, 0x41, 2,
        ];
        let expected = SampledProfile {
            instruction_pointer: 0xffff_f800_0268_f318,
            is_kernel: true,
            tid: 3488,
            in_dpc: true,
            in_isr: false,
            priority: Some(8),
            rank: Some(2),
            source: 0,
        };
        assert_eq!(
            SampledProfile::decode(2, PointerWidth::Bits64, &wide),
            Ok(expected)
        );
        let narrow = [&wide[..4], &wide[8..]].concat();
        assert_eq!(
            SampledProfile::decode(2, PointerWidth::Bits32, &narrow),
            Ok(SampledProfile {
                instruction_pointer: 0x0268_f318,
                is_kernel: false,
                ..expected
            })
        );
    }

    #[test]
    fn version_1_tells_no_priority_and_no_rank() {
        let bytes = [0, 0x10, 0, 0, 8, 0, 0, 0, 1, 0];
        assert_eq!(
            SampledProfile::decode(1, PointerWidth::Bits32, &bytes),
            Ok(SampledProfile {
                instruction_pointer: 0x1000,
                is_kernel: false,
                tid: 8,
                in_dpc: false,
                in_isr: false,
                priority: None,
                rank: None,
                source: 0,
            })
        );
        assert_eq!(
            SampledProfile::decode(1, PointerWidth::Bits32, &bytes[..7]),
            Err(Short {
                needed_bytes: 8,
                found_bytes: 7
            })
        );
    }

    #[test]
    fn an_interval_of_a_millisecond() {
        let bytes = [
            &[0, 0, 0, 0, 0x10, 0x27, 0, 0, 0, 0, 0, 0][..],
            b"T\0i\0\0\0",
        ]
        .concat();
        let told = ProfileInterval::decode(&bytes).unwrap();
        assert_eq!(
            (told.source, told.interval, told.source_name.to_text()),
            (ProfileInterval::TIMER, 10_000, "Ti".to_owned())
        );
        let old = ProfileInterval::decode(&bytes[..12]).unwrap();
        assert_eq!(old.source_name.to_text(), "");
    }

    #[test]
    fn a_sample_of_a_hardware_counter() {
        let bytes = [0, 0x10, 0, 0, 8, 0, 0, 0, 19, 0, 0, 0];
        let sample = SampledProfile::decode_counter(PointerWidth::Bits32, &bytes).unwrap();
        assert_eq!(
            (sample.instruction_pointer, sample.tid, sample.source),
            (0x1000, 8, 19)
        );
        assert_eq!(sample.priority, None);
        assert_eq!(
            SampledProfile::decode_counter(PointerWidth::Bits32, &bytes[..9]),
            Err(Short {
                needed_bytes: 10,
                found_bytes: 9
            })
        );
    }
}
