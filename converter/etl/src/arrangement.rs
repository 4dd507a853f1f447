//! In which order the buffers of a processor are read once their times are known, and which of their events change places.
//!
//! A processor's buffers lie in the file in the order of time, and so they are numbered (§1.3, §1.5). Where a file was put
//! together anew they may lie in another order, and where several were put together numbers may come again: neither is
//! believed where the events' times speak against it and for the other.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::index::BufferInfo;

/// Raw times of a buffer's first event and its last; `None` without events.
pub(crate) type Times = Option<(i64, i64)>;

/// See [`TraceFile::arranged`](crate::TraceFile::arranged).
#[derive(Debug, Default)]
pub(crate) struct Arrangement {
    /// For each file and processor, the indices of its buffers.
    pub(crate) orders: Vec<Vec<u32>>,
    /// By the index of a buffer, which events it does not have as it lies in the file.
    pub(crate) strays: BTreeMap<usize, Strays>,
}

/// Events that lie in the buffer after the one of their time: an interrupt can write its event between the time of another
/// and its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Strays {
    /// The other buffer whose events are taken in, and the raw times of these events.
    pub(crate) taken: Option<(usize, Range<i64>)>,
    /// Of what raw times events are in the buffer before.
    pub(crate) given: Range<i64>,
}

impl Arrangement {
    /// Arranges buffers whose orders in the file, or by number in circular files, are `orders`.
    pub(crate) fn new(
        orders: Vec<Vec<u32>>,
        buffers: &[BufferInfo],
        times: impl Fn(u32) -> Times,
    ) -> Self {
        let mut arrangement = Self::default();
        for order in orders {
            let order = in_order(order, buffers, &times);
            arrangement.find_strays(&order, &times);
            arrangement.orders.push(order);
        }
        arrangement
    }

    fn find_strays(&mut self, order: &[u32], times: impl Fn(u32) -> Times) {
        let timed = || {
            order
                .iter()
                .filter_map(|at| Some((*at as usize, times(*at)?)))
        };
        let begins = timed().skip(2).map(|(_, (begin, _))| begin);
        let then = begins.chain([i64::MAX]);
        let pairs = timed().zip(timed().skip(1)).zip(then);
        for (((one, (begin, end)), (next, (next_begin, next_end))), then) in pairs {
            // What is earlier than all of one buffer, or later than all of the next, is not just a little out of time.
            if begin <= next_begin && next_begin < end && end <= next_end.max(then) {
                self.strays.entry(one).or_default().taken = Some((next, begin..end));
                self.strays.entry(next).or_default().given = begin..end;
            }
        }
    }
}

/// The order in which the clock goes back by the least: the given one, that of the numbers, or, where some have the same
/// number, that of the times.
fn in_order(order: Vec<u32>, buffers: &[BufferInfo], times: impl Fn(u32) -> Times) -> Vec<u32> {
    let setback_ticks = |order: &[u32]| setback_ticks(order, &times);
    let number = |at: &u32| buffers.get(*at as usize).map(|info| info.sequence);
    let is_numbered = |order: &[u32]| order.is_sorted_by(|one, next| number(one) < number(next));
    if setback_ticks(&order) == 0 || is_numbered(&order) {
        return order;
    }
    let mut numbered = order.clone();
    numbered.sort_by_key(number);
    let timed = (!is_numbered(&numbered)).then(|| {
        let mut timed = numbered.clone();
        timed.sort_by_key(|at| times(*at));
        timed
    });
    let candidates = [order, numbered].into_iter().chain(timed);
    candidates
        .min_by_key(|order| setback_ticks(order))
        .unwrap_or_default()
}

/// By how many ticks the clock goes back, at all buffers together.
fn setback_ticks(order: &[u32], times: impl Fn(u32) -> Times) -> u64 {
    let (mut latest, mut ticks) = (i64::MIN, 0_u64);
    for (first, last) in order.iter().filter_map(|at| times(*at)) {
        if first < latest {
            ticks = ticks.saturating_add(latest.abs_diff(first));
        }
        latest = latest.max(last);
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arranges buffers of one processor with these numbers and times.
    fn arranged(buffers: &[(i64, i64, i64)]) -> Arrangement {
        let infos = buffers.iter().map(|(sequence, ..)| BufferInfo {
            sequence: *sequence,
            ..BufferInfo::default()
        });
        let infos: Vec<BufferInfo> = infos.collect();
        let order = (0..).take(buffers.len()).collect();
        Arrangement::new(vec![order], &infos, |at| {
            let (_, first, last) = buffers[at as usize];
            Some((first, last))
        })
    }

    fn order(buffers: &[(i64, i64, i64)]) -> Vec<u32> {
        arranged(buffers).orders.concat()
    }

    #[test]
    fn numbers_tell_the_order_of_buffers_that_lie_in_another() {
        let swapped = [(1, 0, 9), (3, 20, 29), (2, 10, 19), (4, 30, 39)];
        assert_eq!(order(&swapped), [0, 2, 1, 3]);
        let swapped_with_an_edge_out_of_time = [(2, 19, 40), (1, 0, 20)];
        assert_eq!(order(&swapped_with_an_edge_out_of_time), [1, 0]);
    }

    #[test]
    fn times_tell_it_where_numbers_do_not() {
        let numbered_anew = [(1, 20, 29), (1, 10, 19), (2, 0, 9)];
        assert_eq!(order(&numbered_anew), [2, 1, 0]);
    }

    #[test]
    fn the_place_in_the_file_is_believed_where_numbers_contradict_the_times() {
        let appended = [(1, 0, 9), (2, 10, 19), (1, 20, 29), (2, 30, 39)];
        assert_eq!(order(&appended), [0, 1, 2, 3]);
        let one_number_damaged = [(1, 0, 9), (900, 10, 19), (3, 20, 29)];
        assert_eq!(order(&one_number_damaged), [0, 1, 2]);
    }

    #[test]
    fn a_time_that_is_damaged_moves_no_buffer() {
        let one_early = [(1, 0, 9), (2, 10, 19), (3, 1, 29), (4, 30, 39)];
        assert_eq!(order(&one_early), [0, 1, 2, 3]);
        let one_early_and_two_swapped = [(2, 10, 19), (1, 0, 9), (3, 1, 29), (4, 30, 39)];
        assert_eq!(order(&one_early_and_two_swapped), [1, 0, 2, 3]);
        let set_back = [(1, 100, 109), (2, 110, 119), (3, 0, 9), (4, 10, 19)];
        assert_eq!(order(&set_back), [0, 1, 2, 3]);
    }

    #[test]
    fn events_at_the_edge_of_two_buffers_change_places() {
        let strays = |buffers| arranged(buffers).strays;
        let of_both = [
            (
                0,
                Strays {
                    taken: Some((1, 0..20)),
                    given: 0..0,
                },
            ),
            (
                1,
                Strays {
                    taken: None,
                    given: 0..20,
                },
            ),
        ];
        assert_eq!(strays(&[(1, 0, 20), (2, 19, 40)]), of_both.clone().into());
        assert_eq!(strays(&[(1, 0, 20), (2, 20, 40)]), [].into());
        // The last buffer may have no other event.
        assert_eq!(strays(&[(1, 0, 20), (2, 19, 19)]), of_both.into());
        // Neither the first nor the last event of these is only a little out of time.
        assert_eq!(strays(&[(1, 10, 20), (2, 5, 40)]), [].into());
        assert_eq!(strays(&[(1, 0, 90), (2, 20, 40), (3, 40, 50)]), [].into());
    }
}
