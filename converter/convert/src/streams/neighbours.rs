//! What is next to a buffer on its CPU.

use etl::BufferInfo;

use super::buffer_scan::BufferScan;

/// The nearest buffers before and after a buffer, of its CPU and file. Only buffers with a readable event count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The last before it.
    pub before: Option<usize>,
    /// The first after it.
    pub after: Option<usize>,
}

/// Those of each buffer.
pub(super) fn neighbours(buffers: &[BufferInfo], scans: &[BufferScan]) -> Vec<Neighbours> {
    let place = |info: &BufferInfo| (info.file, info.cpu, info.sequence);
    let numbered = buffers.iter().enumerate();
    let mut order: Vec<_> = numbered.map(|(at, info)| (place(info), at)).collect();
    order.sort_unstable();
    let is_read = |at: usize| scans.get(at).is_some_and(|scan| scan.times.is_some());
    let mut neighbours = vec![Neighbours::default(); order.len()];
    for on_cpu in
        order.chunk_by(|((file, cpu, _), _), (other, _)| (*file, *cpu) == (other.0, other.1))
    {
        let (mut before, mut after) = (None, None);
        for &(_, at) in on_cpu {
            if let Some(slot) = neighbours.get_mut(at) {
                slot.before = before;
            }
            before = Some(at).filter(|at| is_read(*at)).or(before);
        }
        for &(_, at) in on_cpu.iter().rev() {
            if let Some(slot) = neighbours.get_mut(at) {
                slot.after = after;
            }
            after = Some(at).filter(|at| is_read(*at)).or(after);
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nearest buffers of the same CPU and file that were read, each looked for among all.
    fn naive(buffers: &[BufferInfo], scans: &[BufferScan]) -> Vec<Neighbours> {
        let number = |at: usize| (buffers[at].sequence, at);
        let nearest = |at: usize| {
            let is_beside = |other: &usize| {
                let (own, other_info) = (buffers[at], buffers[*other]);
                (own.file, own.cpu) == (other_info.file, other_info.cpu)
                    && scans[*other].times.is_some()
            };
            let beside = (0..buffers.len()).filter(is_beside);
            let (before, after): (Vec<usize>, Vec<usize>) = beside
                .filter(|other| *other != at)
                .partition(|other| number(*other) < number(at));
            Neighbours {
                before: before.into_iter().max_by_key(|other| number(*other)),
                after: after.into_iter().min_by_key(|other| number(*other)),
            }
        };
        (0..buffers.len()).map(nearest).collect()
    }

    /// Numbers that look random, the same in each run.
    fn random(state: &mut u64, below: u64) -> u64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (*state >> 33) % below
    }

    #[test]
    fn neighbours_are_the_nearest_that_were_read_of_the_same_cpu_and_file() {
        let state = &mut 1;
        for _ in 0..500 {
            let count = random(state, 40);
            let (buffers, scans): (Vec<_>, Vec<_>) = (0..count)
                .map(|_| {
                    let info = BufferInfo {
                        file: random(state, 2) as u16,
                        cpu: random(state, 3) as u16,
                        // Some numbers come twice.
                        sequence: random(state, 30).cast_signed(),
                        ..BufferInfo::default()
                    };
                    let is_read = random(state, 3) > 0;
                    let scan = BufferScan {
                        times: is_read.then_some((0, 0)),
                        ..BufferScan::default()
                    };
                    (info, scan)
                })
                .unzip();
            assert_eq!(neighbours(&buffers, &scans), naive(&buffers, &scans));
        }
    }

    /// As many as no search among all could go through: 10^12 steps.
    #[test]
    fn a_million_buffers_that_cannot_be_read_are_passed_once() {
        let count = 1_000_000;
        let numbered = (0..count).map(|sequence| BufferInfo {
            sequence,
            ..BufferInfo::default()
        });
        let buffers: Vec<BufferInfo> = numbered.collect();
        let mut scans = vec![BufferScan::default(); buffers.len()];
        let read = Some((0, 0));
        let last = scans.len() - 1;
        (scans[0].times, scans[last].times) = (read, read);
        let found = neighbours(&buffers, &scans);
        let ends = (Some(0), Some(last));
        let is_between = |beside: &Neighbours| (beside.before, beside.after) == ends;
        assert!(found[1..last].iter().all(is_between));
    }
}
