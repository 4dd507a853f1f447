//! Which event ends which request to a file or a disk.

use std::collections::hash_map::Entry;

use facts::FileIo;
use rustc_hash::FxHashMap;

use super::super::keys::Known;
use super::event::{IoEvent, What};

/// Requests of one sort that are followed at once; only a forged trace has more.
const OPEN_MAX: usize = 1 << 18;

/// Requests under way.
#[derive(Debug, Default)]
pub struct Requests {
    files: Opens<FileIo>,
    /// Those to disks, which get the packets of files' requests.
    disks: Opens<Issue>,
}

/// What is known of a request to a disk where it is issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Issue {
    /// Who issues it.
    pub by: Option<Known>,
    /// The stack of that.
    pub callsite: Option<u32>,
}

/// What an event says about a request that was under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// How long ago it began; `None` if this is no end, or the begin was not met.
    pub since_ns: Option<u64>,
    /// An operation on a file that is over: it ends here, or its packet is used again.
    pub file: Option<FileIo>,
    /// Where a request to a disk was issued that ends here.
    pub issue: Option<Issue>,
}

impl Requests {
    /// Takes in what happens at `ts_ns`.
    pub fn step(&mut self, event: &IoEvent, ts_ns: u64) -> Past {
        let Some(irp) = event.irp else {
            return Past::default();
        };
        let since = |begin_ts_ns: u64| ts_ns.saturating_sub(begin_ts_ns);
        match event.what {
            What::FileBegin { .. } => Past {
                file: self.files.begin(irp, ts_ns),
                ..Past::default()
            },
            What::FileEnd { .. } => self.files.end(irp).map_or_else(Past::default, |open| Past {
                since_ns: Some(since(open.ts_ns)),
                file: open.known,
                ..Past::default()
            }),
            What::DiskBegin => {
                self.disks.begin(irp, ts_ns);
                Past::default()
            }
            What::DiskEnd { .. } => self.disks.end(irp).map_or_else(Past::default, |open| Past {
                since_ns: Some(since(open.ts_ns)),
                issue: open.known,
                ..Past::default()
            }),
            What::Name { .. } | What::HardFault { .. } => Past::default(),
        }
    }

    /// Keeps what is known of an operation on a file until its end; gives it back where there is no room.
    pub fn keep_file(&mut self, io: FileIo) -> Option<FileIo> {
        self.files.keep(io.irp, io.ts_ns, io)
    }

    /// Keeps what is known of a request to a disk until its end.
    pub fn keep_issue(&mut self, irp: Option<u64>, ts_ns: u64, issue: Issue) {
        self.disks.keep(irp, ts_ns, issue);
    }

    /// The operations on files that no end came for, in time order.
    pub fn take_files(&mut self) -> Vec<FileIo> {
        let open = std::mem::take(&mut self.files.open).into_values();
        let mut left: Vec<FileIo> = open.filter_map(|open| open.known).collect();
        left.sort_unstable_by_key(|io| io.ts_ns);
        left
    }

    /// How many begins were not kept, since too many requests were open: their ends are not told.
    pub fn left_out(&self) -> u64 {
        self.files.left_out + self.disks.left_out
    }
}

/// Those of a sort, by request packet.
#[derive(Debug)]
struct Opens<T> {
    open: FxHashMap<u64, Open<T>>,
    /// Begins that were not kept, since too many were open.
    left_out: u64,
}

#[derive(Debug)]
struct Open<T> {
    /// When it began.
    ts_ns: u64,
    known: Option<T>,
}

impl<T> Default for Opens<T> {
    fn default() -> Self {
        Self {
            open: FxHashMap::default(),
            left_out: 0,
        }
    }
}

impl<T> Opens<T> {
    /// Answers what is known of the one before, which no end came for.
    fn begin(&mut self, irp: u64, ts_ns: u64) -> Option<T> {
        let is_full = self.open.len() >= OPEN_MAX;
        let next = Open { ts_ns, known: None };
        match self.open.entry(irp) {
            Entry::Occupied(mut before) => before.insert(next).known,
            Entry::Vacant(_) if is_full => {
                self.left_out += 1;
                None
            }
            Entry::Vacant(place) => {
                place.insert(next);
                None
            }
        }
    }

    fn end(&mut self, irp: u64) -> Option<Open<T>> {
        self.open.remove(&irp)
    }

    fn keep(&mut self, irp: Option<u64>, ts_ns: u64, known: T) -> Option<T> {
        let open = irp.and_then(|irp| self.open.get_mut(&irp));
        match open.filter(|open| open.ts_ns == ts_ns) {
            Some(open) => {
                open.known = Some(known);
                None
            }
            None => Some(known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE_BEGIN: What = What::FileBegin { event_type: 0x43 };
    const FILE_END: What = What::FileEnd {
        done: None,
        status: None,
    };

    fn event(what: What, irp: u64) -> IoEvent {
        IoEvent {
            irp: Some(irp),
            ..IoEvent::of(what)
        }
    }

    fn disk_end() -> What {
        What::DiskEnd {
            deed: facts::DiskDeed::Read,
            took_ns: None,
            disk: None,
            priority: None,
            irp_flags: None,
        }
    }

    fn operation(ts_ns: u64) -> FileIo {
        FileIo {
            ts_ns,
            end: None,
            event_type: 0x43,
            asked: facts::Asked::default(),
            irp: Some(7),
        }
    }

    #[test]
    fn an_end_tells_when_its_own_request_began() {
        let mut requests = Requests::default();
        let mut since = |what, ts_ns| requests.step(&event(what, 7), ts_ns).since_ns;
        since(FILE_BEGIN, 10);
        since(FILE_BEGIN, 20);
        since(What::DiskBegin, 30);
        assert_eq!(since(FILE_END, 40), Some(20));
        assert_eq!(since(FILE_END, 41), None);
        assert_eq!(since(disk_end(), 50), Some(20));
    }

    #[test]
    fn an_operation_is_over_with_its_end_or_when_its_packet_is_used_again() {
        let mut requests = Requests::default();
        let mut past = |what: What, ts_ns| {
            let past = requests.step(&event(what.clone(), 7), ts_ns);
            let kept = (what == FILE_BEGIN).then(|| requests.keep_file(operation(ts_ns)));
            assert_eq!(kept.flatten(), None);
            past.file
        };
        assert_eq!(past(FILE_BEGIN, 10), None);
        assert_eq!(past(FILE_BEGIN, 20), Some(operation(10)));
        assert_eq!(past(FILE_END, 30), Some(operation(20)));
        assert_eq!(past(FILE_BEGIN, 40), None);
        assert_eq!(requests.take_files(), [operation(40)]);
    }

    #[test]
    fn requests_beyond_the_bound_are_counted_until_others_end() {
        let mut requests = Requests::default();
        for irp in 0..=OPEN_MAX as u64 {
            requests.step(&event(FILE_BEGIN, irp), irp);
        }
        assert_eq!(
            (requests.files.open.len(), requests.left_out()),
            (OPEN_MAX, 1)
        );
        let end_ts_ns = 20 + OPEN_MAX as u64;
        let without_begin = event(FILE_END, OPEN_MAX as u64);
        assert_eq!(requests.step(&without_begin, end_ts_ns), Past::default());
        assert_eq!(
            requests.keep_file(operation(end_ts_ns)),
            Some(operation(end_ts_ns))
        );
        requests.step(&event(FILE_END, 0), end_ts_ns);
        requests.step(&event(FILE_BEGIN, 1 << 40), end_ts_ns);
        assert_eq!(
            (requests.files.open.len(), requests.left_out()),
            (OPEN_MAX, 1)
        );
    }
}
