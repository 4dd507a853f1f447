//! Compact context switches (hook 0525): many switches of one processor, packed into one event.
//!
//! Source: the public symbols of Windows 10 and 11 (`_PERFINFO_CCSWAP_BUFFER`, `_PERFINFO_CCSWAP`, `_PERFINFO_CCSWAP_LITE`,
//! `_PERFINFO_CCSWAP_IDLE`, `_PERFINFO_CCSWAP_IDLE_SHORT`); `ntwmi.h`. No recording with such an event was at hand. No
//! pointers: the same in both widths.

use std::iter::FusedIterator;

use crate::payload::{Payload, Short};

/// Threads that an event can tell apart.
const THREADS: usize = 16;
/// Bytes before the packets: first time, ids and base priorities of the threads.
const HEAD_BYTES: usize = 8 + THREADS * 5;
/// The highest priority there is.
const PRIORITY_MAX: i8 = 31;

/// The context switches in one event, in the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactSwitches<'a> {
    /// Raw time from which that of the first switch is counted.
    pub first_raw: i64,
    tids: [u32; THREADS],
    base_priorities: [i8; THREADS],
    packets: &'a [u8],
}

/// A thread leaves its processor. Which one comes is told by the next switch of that processor: there it leaves.
///
/// State and wait reason share 6 bits in a way that is not public, and are not decoded; the rank is not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactSwitch {
    /// Raw time.
    pub raw: i64,
    /// The thread switched out; 0 is the idle thread, `None` where the event names no thread at the place that the switch
    /// refers to.
    pub old_tid: Option<u32>,
    /// Priority of that thread, 0 to 31.
    pub old_priority: i8,
}

impl<'a> CompactSwitches<'a> {
    /// Decodes what stands before the switches.
    ///
    /// # Errors
    /// [`Short`] below 88 bytes.
    pub fn decode(payload: &'a [u8]) -> Result<Self, Short> {
        let mut rest = Payload::new(payload);
        let short = Short {
            needed_bytes: HEAD_BYTES,
            found_bytes: payload.len(),
        };
        let first_raw = rest.u64().ok_or(short)?.cast_signed();
        let mut tids = [0; THREADS];
        for tid in &mut tids {
            *tid = rest.u32().ok_or(short)?;
        }
        let base_priorities = rest.array::<THREADS>().ok_or(short)?;
        Ok(Self {
            first_raw,
            tids,
            base_priorities: base_priorities.map(u8::cast_signed),
            packets: rest.rest(),
        })
    }

    /// The switches. A last one that is cut is an error, after which none comes.
    pub fn iter(&self) -> CompactSwitchIter<'a> {
        CompactSwitchIter {
            raw: self.first_raw,
            tids: self.tids,
            base_priorities: self.base_priorities,
            rest: Payload::new(self.packets),
        }
    }

    /// Raw times of the first and the last switch. Of an event that holds none, both are its own first time.
    pub fn span_raw(&self) -> (i64, i64) {
        let raws = || self.iter().flatten().map(|switch| switch.raw);
        let first_raw = raws().next().unwrap_or(self.first_raw);
        (first_raw, raws().last().unwrap_or(first_raw))
    }
}

impl<'a> IntoIterator for &CompactSwitches<'a> {
    type Item = Result<CompactSwitch, Short>;
    type IntoIter = CompactSwitchIter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Iterator over the switches of an event.
#[derive(Clone, Debug)]
pub struct CompactSwitchIter<'a> {
    raw: i64,
    tids: [u32; THREADS],
    base_priorities: [i8; THREADS],
    rest: Payload<'a>,
}

/// The forms of a switch, in its lowest two bits.
const IDLE_SHORT: u16 = 0;
const IDLE: u16 = 1;
const LITE: u16 = 2;
const FORM_BITS: u32 = 2;

impl CompactSwitchIter<'_> {
    /// The next switch; `None` if it is cut.
    fn step(&mut self) -> Option<CompactSwitch> {
        let low = self.rest.u16()?;
        let (ticks, thread, priority) = match low & 3 {
            IDLE_SHORT => (u32::from(low >> FORM_BITS), None, 0),
            form => {
                let word = u32::from(low) | u32::from(self.rest.u16()?) << u16::BITS;
                match form {
                    IDLE => (word >> FORM_BITS, None, 0),
                    LITE => {
                        let mut bits = Bits(word >> FORM_BITS);
                        let thread = bits.take(4);
                        let increment = bits.take(3) as i8;
                        let _state_and_wait_reason = bits.take(6);
                        let base = self.base_priorities.get(thread as usize).copied();
                        let priority = base.unwrap_or(0).saturating_add(increment);
                        (bits.0, Some(thread), priority)
                    }
                    _ => {
                        let mut bits = Bits(self.rest.u32()?);
                        let thread = bits.take(4);
                        let _state_and_wait_reason = bits.take(6);
                        (word >> FORM_BITS, Some(thread), bits.take(5) as i8)
                    }
                }
            }
        };
        self.raw = self.raw.saturating_add(ticks.into());
        let named = |thread: u32| self.tids.get(thread as usize).copied();
        Some(CompactSwitch {
            raw: self.raw,
            old_tid: match thread {
                None => Some(0),
                Some(thread) => named(thread).filter(|tid| *tid != 0),
            },
            old_priority: priority.clamp(0, PRIORITY_MAX),
        })
    }
}

impl Iterator for CompactSwitchIter<'_> {
    type Item = Result<CompactSwitch, Short>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.rest.rest();
        if found.is_empty() {
            return None;
        }
        let switch = self.step().ok_or_else(|| {
            self.rest = Payload::new(&[]);
            Short {
                needed_bytes: match u16::from(found.first().copied().unwrap_or(0)) & 3 {
                    IDLE_SHORT => 2,
                    IDLE | LITE => 4,
                    _ => 8,
                },
                found_bytes: found.len(),
            }
        });
        Some(switch)
    }
}

impl FusedIterator for CompactSwitchIter<'_> {}

/// Fields of a number, from the lowest bit on.
struct Bits(u32);

impl Bits {
    fn take(&mut self, count: u32) -> u32 {
        let field = self.0 & ((1 << count) - 1);
        self.0 >>= count;
        field
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Threads 100, 101, … of base priorities 8, 9, …. The last one is not named.
    fn head(first_raw: i64) -> Vec<u8> {
        let mut payload = first_raw.to_le_bytes().to_vec();
        for tid in 100..115_u32 {
            payload.extend(tid.to_le_bytes());
        }
        payload.extend([0; 4]);
        payload.extend(8..24_u8);
        payload
    }

    fn decoded(payload: &[u8]) -> Vec<Result<CompactSwitch, Short>> {
        CompactSwitches::decode(payload)
            .unwrap()
            .into_iter()
            .collect()
    }

    fn switch(raw: i64, old_tid: u32, old_priority: i8) -> Result<CompactSwitch, Short> {
        Ok(CompactSwitch {
            raw,
            old_tid: Some(old_tid),
            old_priority,
        })
    }

    #[test]
    fn each_form_of_a_switch() {
        let mut payload = head(1_000_000);
        payload.extend((5_u16 << 2).to_le_bytes());
        payload.extend((1 | 70_000_u32 << 2).to_le_bytes());
        payload.extend((2 | 3_u32 << 2 | 2 << 6 | 0x3F << 9 | 9 << 15).to_le_bytes());
        payload.extend((3 | 1_000_000_000_u32 << 2).to_le_bytes());
        payload.extend((4 | 0x3F << 4 | 15 << 10 | 0x1_FFFF_u32 << 15).to_le_bytes());
        let expected = [
            switch(1_000_005, 0, 0),
            switch(1_070_005, 0, 0),
            switch(1_070_014, 103, 13),
            switch(1_001_070_014, 104, 15),
        ];
        assert_eq!(decoded(&payload), expected);
    }

    #[test]
    fn a_thread_that_is_not_named_is_not_the_idle_thread() {
        let mut payload = head(0);
        payload.extend((2 | 15_u32 << 2 | 7 << 6 | 1 << 15).to_le_bytes());
        let expected = CompactSwitch {
            raw: 1,
            old_tid: None,
            old_priority: 30,
        };
        assert_eq!(decoded(&payload), [Ok(expected)]);
    }

    #[test]
    fn a_cut_switch_ends_the_event() {
        let mut payload = head(0);
        payload.extend((7_u16 << 2).to_le_bytes());
        payload.extend((3 | 1_u32 << 2).to_le_bytes());
        payload.extend([0; 3]);
        let cut = Short {
            needed_bytes: 8,
            found_bytes: 7,
        };
        assert_eq!(decoded(&payload), [switch(7, 0, 0), Err(cut)]);
    }

    #[test]
    fn an_event_spans_its_switches() {
        let mut payload = head(100);
        let span_raw = |payload: &[u8]| CompactSwitches::decode(payload).unwrap().span_raw();
        assert_eq!(span_raw(&payload), (100, 100));
        payload.extend((7_u16 << 2).to_le_bytes());
        payload.extend((5_u16 << 2).to_le_bytes());
        assert_eq!(span_raw(&payload), (107, 112));
    }

    #[test]
    fn an_event_without_its_head_is_too_short() {
        let payload = head(0);
        let short = Short {
            needed_bytes: 88,
            found_bytes: 87,
        };
        assert_eq!(CompactSwitches::decode(&payload[..87]), Err(short));
        assert_eq!(decoded(&payload), []);
    }

    /// A switch as a writer has it: ticks since the one before, and of a thread its place in the table and its priority.
    type Written = (u32, Option<(u8, i8)>);

    /// Packs a switch as briefly as it can be told.
    fn pack(out: &mut Vec<u8>, (ticks, thread): Written) {
        let base = |place: u8| 8 + i32::from(place);
        match thread {
            None if ticks < 1 << 14 => out.extend(((ticks as u16) << 2).to_le_bytes()),
            None => out.extend((1 | ticks << 2).to_le_bytes()),
            Some((place, priority))
                if ticks < 1 << 17 && (0..8).contains(&(i32::from(priority) - base(place))) =>
            {
                let increment = (i32::from(priority) - base(place)).cast_unsigned();
                let word = 2 | u32::from(place) << 2 | increment << 6 | 5 << 9 | ticks << 15;
                out.extend(word.to_le_bytes());
            }
            Some((place, priority)) => {
                out.extend((3 | ticks << 2).to_le_bytes());
                let priority = u32::from(priority.cast_unsigned());
                out.extend((u32::from(place) | 5 << 4 | priority << 10).to_le_bytes());
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_packed_comes_back(
            first_raw in 0..i64::MAX / 2,
            switches in vec((0..1_u32 << 30, proptest::option::of((0..15_u8, 0..32_i8))), 0..200),
        ) {
            let mut payload = head(first_raw);
            let mut raw = first_raw;
            let mut expected = Vec::new();
            for told in switches {
                pack(&mut payload, told);
                raw += i64::from(told.0);
                let (tid, priority) = told.1.map_or((0, 0), |(place, priority)| {
                    (100 + u32::from(place), priority)
                });
                expected.push(switch(raw, tid, priority));
            }
            prop_assert_eq!(decoded(&payload), expected);
        }

        #[test]
        fn any_bytes_end_in_time_and_never_go_back(payload in vec(any::<u8>(), 0..400)) {
            if let Ok(switches) = CompactSwitches::decode(&payload) {
                let mut latest = switches.first_raw;
                let told: Vec<_> = switches.iter().collect();
                prop_assert!(told.len() <= payload.len() / 2);
                for switch in told.iter().flatten() {
                    prop_assert!(switch.raw >= latest);
                    prop_assert!((0..32).contains(&switch.old_priority));
                    latest = switch.raw;
                }
                let cut = told.iter().position(Result::is_err);
                prop_assert!(cut.is_none_or(|at| at + 1 == told.len()));
            }
        }
    }
}
