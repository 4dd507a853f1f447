//! Which places of the file held the buffers that its sequence numbers miss: such a loss is told once.

use std::collections::HashMap;

use etl::{Damage, DamageKind, LossKind, TraceFile};

/// Buffers that sequence numbers miss.
#[derive(Debug, Default)]
pub(super) struct Missing {
    /// Those that were at damaged places, by the place's file and offset.
    at_places: HashMap<(u16, u64), u64>,
    /// Those of gaps that no damaged place accounts for in full, by the first buffer after the gap.
    elsewhere: HashMap<usize, u64>,
}

/// A compressed buffer is hardly smaller.
const LEAST_PACKED_BYTES: u64 = 0x100;

struct Place {
    file: u16,
    offset: u64,
    /// Buffers that it can have held and that are not accounted for yet.
    room: u64,
    /// Those of them that it must have held.
    whole: u64,
}

impl Missing {
    /// Assigns each gap to the damaged places between the buffers around it.
    pub fn of(trace: &TraceFile) -> Self {
        let mut missing = Self::default();
        let mut places = places(trace);
        if places.is_empty() {
            return missing;
        }
        let mut order: Vec<(u16, i64, u64)> = trace
            .buffers()
            .iter()
            .map(|info| (info.file, info.sequence, info.offset))
            .collect();
        order.sort_unstable();
        for loss in trace.losses() {
            let (LossKind::SequenceGap { missing: mut left }, Some(later)) =
                (loss.kind, trace.buffers().get(loss.before_buffer))
            else {
                continue;
            };
            let is_earlier =
                |(file, sequence, _): &_| (*file, *sequence) < (later.file, later.sequence);
            let before = order.partition_point(is_earlier);
            let earlier = before.checked_sub(1).and_then(|at| order.get(at));
            let earlier_offset = earlier
                .filter(|(file, _, _)| *file == later.file)
                .map_or(0, |(_, _, offset)| *offset);
            let (from, to) = (
                earlier_offset.min(later.offset),
                earlier_offset.max(later.offset),
            );
            let between = places
                .iter_mut()
                .filter(|place| place.file == later.file && (from..to).contains(&place.offset));
            for place in between {
                left -= missing.take(place, left.min(place.room));
            }
            missing.elsewhere.insert(loss.before_buffer, left);
        }
        missing.take_from_nearest(trace, &mut places);
        missing
    }

    /// Assigns what is left of the gaps to places that must have held buffers, the nearest first: those of several CPUs are
    /// not in the order of their numbers.
    fn take_from_nearest(&mut self, trace: &TraceFile, places: &mut [Place]) {
        for loss in trace.losses() {
            let Some(later) = trace.buffers().get(loss.before_buffer) else {
                continue;
            };
            let mut left = self.elsewhere(loss.before_buffer, 0);
            while left > 0 {
                let open = places.iter_mut();
                let open = open.filter(|place| place.file == later.file && place.whole > 0);
                let Some(place) = open.min_by_key(|place| place.offset.abs_diff(later.offset))
                else {
                    break;
                };
                left -= self.take(place, left.min(place.whole));
            }
            self.elsewhere
                .entry(loss.before_buffer)
                .and_modify(|elsewhere| *elsewhere = left);
        }
    }

    /// Notes that a place held so many of the missing buffers.
    fn take(&mut self, place: &mut Place, held: u64) -> u64 {
        place.room -= held;
        place.whole = place.whole.saturating_sub(held);
        if held > 0 {
            *self
                .at_places
                .entry((place.file, place.offset))
                .or_default() += held;
        }
        held
    }

    /// How many of the missing buffers were at a damaged place.
    pub fn at_place(&self, place: &Damage) -> Option<u64> {
        self.at_places.get(&(place.file, place.offset)).copied()
    }

    /// How many of a gap of so many buffers before a buffer were at no damaged place.
    pub fn elsewhere(&self, before_buffer: usize, missing: u64) -> u64 {
        let left = self.elsewhere.get(&before_buffer);
        left.copied().unwrap_or(missing)
    }
}

/// Places of the file that are no buffer, or a buffer that is not read.
fn places(trace: &TraceFile) -> Vec<Place> {
    let is_packed = trace.buffers().iter().any(|info| info.is_compressed());
    let sizes: Vec<u64> = trace
        .headers()
        .map(|header| header.buffer_bytes.max(1).into())
        .collect();
    let room = |damage: &Damage| match &damage.kind {
        // The size of compressed buffers is not known.
        DamageKind::NoBuffer { skipped_bytes, .. } if is_packed => {
            Some((u64::MAX, u64::from(*skipped_bytes >= LEAST_PACKED_BYTES)))
        }
        DamageKind::NoBuffer { skipped_bytes, .. } => {
            let buffer_bytes = *sizes.get(usize::from(damage.file))?;
            Some((
                skipped_bytes.div_ceil(buffer_bytes),
                skipped_bytes / buffer_bytes,
            ))
        }
        DamageKind::TooLarge { .. } | DamageKind::Processor { .. } => Some((1, 1)),
        _ => None,
    };
    let items = trace.damage().items().iter();
    items
        .filter_map(|damage| {
            let (room, whole) = room(damage)?;
            Some(Place {
                file: damage.file,
                offset: damage.offset,
                room,
                whole,
            })
        })
        .collect()
}
