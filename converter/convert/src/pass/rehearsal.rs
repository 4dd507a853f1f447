//! The time before the selected range: taken in like any other, so that what holds at its start is known, but not
//! written. Where the range begins, what still holds is written as it was, at its own time: the last run of each thread,
//! who runs on each CPU, who was made ready and waits, who is frozen and has the focus.

use std::ops::Range;

use etl::TraceFile;
use etw::thread_state;
use facts::{
    EventHeader, GenericEvent, Mention, Request, RunBefore, RunOutlook, Sink, Switch, Thread,
};
use rustc_hash::FxHashMap;

use super::batch::Generic;
use crate::counters::Counters;
use crate::index::Index;
use crate::selection::FileName;

/// Standing events that are kept at most; only a forged trace has more.
const MESSAGES_MAX: usize = 1 << 16;
/// Files whose names are kept at most.
const FILE_NAMES_MAX: usize = 1 << 18;

/// What is known before the range begins.
pub struct Rehearsal<'a> {
    pub trace: &'a TraceFile,
    pub index: &'a Index,
    pub from_raw: i64,
    /// By thread: its last run that has ended.
    ended: FxHashMap<u32, Run>,
    /// By thread: the end of the run that was under way before its CPU's first switch, where that is its last.
    before: FxHashMap<u32, RunBefore>,
    /// By CPU: the run under way.
    open: Vec<Option<Run>>,
    /// By CPU: when the last run of an unknown thread began.
    unknown: FxHashMap<u16, u64>,
    /// By thread: the first ready event since its last run.
    woken: FxHashMap<u32, Woken>,
    messages: Vec<Message>,
    /// Names of files, by their keys.
    file_names: FxHashMap<u64, Message>,
    /// When processes began that began within the trace, by their index.
    pub processes_created: FxHashMap<usize, u64>,
    /// The same for threads.
    pub threads_created: FxHashMap<usize, u64>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    cpu: u16,
    tid: u32,
    /// `None` where it began before the CPU's first switch.
    start: Option<RunStart>,
    end: Option<RunEnd>,
}

#[derive(Clone, Copy, Debug)]
struct RunStart {
    ts_ns: u64,
    priority: i8,
    outlook: Option<RunOutlook>,
}

#[derive(Clone, Copy, Debug)]
struct RunEnd {
    ts_ns: u64,
    state: u8,
    wait_reason: u8,
    /// How far the hardware counters came meanwhile.
    counted: Option<Counters>,
}

/// A ready event.
#[derive(Clone, Copy, Debug)]
pub struct Woken {
    pub ts_ns: u64,
    pub cpu: u16,
    pub waker_tid: u32,
}

/// A generic event.
pub struct Message {
    pub ts_ns: u64,
    pub pid: u32,
    pub tid: u32,
    cpu: Option<u16>,
    kind: String,
    header: EventHeader,
    text: Vec<u8>,
    more_header: Option<Range<usize>>,
    fields: Range<usize>,
    request: Option<Request>,
    is_told: bool,
}

impl Message {
    /// Tells it, as one that this thread wrote.
    pub fn tell(&self, thread: Option<Thread>, pid: Option<u32>, sink: &mut impl Sink) {
        let part = |range: &Range<usize>| self.text.get(range.clone()).unwrap_or_default();
        sink.generic_event(&GenericEvent {
            ts_ns: self.ts_ns,
            cpu: self.cpu,
            thread,
            mention: Mention { pid, is_new: false },
            kind: &self.kind,
            header: self.header,
            more_header: self.more_header.as_ref().map(part),
            fields: part(&self.fields),
            request: self.request,
            is_told: self.is_told,
        });
    }
}

/// Something to be written again, at its own time.
pub enum Replayed {
    Switch(Switched),
    /// How far the hardware counters came in a run that ends.
    Counted(Counters),
    RunBefore(RunBefore),
    RunUnknown(u16),
    Ready(u32, Woken),
}

/// A switch between threads that have no keys yet in the range.
#[derive(Clone, Copy, Debug)]
pub struct Switched {
    pub cpu: u16,
    pub new_tid: u32,
    pub old_tid: u32,
    pub new_priority: i8,
    pub old_state: u8,
    pub old_wait_reason: u8,
    pub begins: Option<RunOutlook>,
}

impl<'a> Rehearsal<'a> {
    /// For a selection that begins within the trace.
    pub fn of(trace: &'a TraceFile, index: &'a Index) -> Option<Self> {
        Some(Self {
            trace,
            index,
            from_raw: index.selection.from_raw?,
            ended: FxHashMap::default(),
            before: FxHashMap::default(),
            open: Vec::new(),
            unknown: FxHashMap::default(),
            woken: FxHashMap::default(),
            messages: Vec::new(),
            file_names: FxHashMap::default(),
            processes_created: FxHashMap::default(),
            threads_created: FxHashMap::default(),
        })
    }

    /// A switch.
    pub fn switch(&mut self, switch: &Switch) {
        let (cpu, ts_ns) = (switch.cpu, switch.ts_ns);
        let index = usize::from(cpu);
        if self.open.len() <= index {
            self.open.resize(index + 1, None);
        }
        self.woken.remove(&switch.new.tid);
        let start = RunStart {
            ts_ns,
            priority: switch.new_priority,
            outlook: switch.begins,
        };
        let next = Run {
            cpu,
            tid: switch.new.tid,
            start: Some(start),
            end: None,
        };
        let Some(open) = self.open.get_mut(index) else {
            return;
        };
        let mut run = open.replace(next).unwrap_or(Run {
            cpu,
            tid: switch.old.tid,
            start: None,
            end: None,
        });
        if run.tid != 0 {
            run.end = Some(RunEnd {
                ts_ns,
                state: switch.old_state,
                wait_reason: switch.old_wait_reason,
                counted: None,
            });
            self.ended.insert(run.tid, run);
        }
    }

    /// How far the hardware counters came in the run of a thread that has just ended.
    pub fn counted(&mut self, tid: u32, counted: Counters) {
        let run = self.ended.get_mut(&tid);
        if let Some(end) = run.and_then(|run| run.end.as_mut()) {
            end.counted = Some(counted);
        }
    }

    /// A run that was under way before its CPU's first switch has just ended.
    pub fn run_before(&mut self, run: &RunBefore) {
        self.before.insert(run.thread.tid, *run);
    }

    /// It is not known who runs on a CPU from here on.
    pub fn run_unknown(&mut self, cpu: u16, ts_ns: u64) {
        self.unknown.insert(cpu, ts_ns);
    }

    /// A thread is made ready.
    pub fn ready(&mut self, cpu: u16, ts_ns: u64, tid: u32, waker_tid: u32) {
        self.woken.entry(tid).or_insert(Woken {
            ts_ns,
            cpu,
            waker_tid,
        });
    }

    /// A standing event, or one that names a file.
    pub fn message(
        &mut self,
        ts_ns: u64,
        (pid, tid): (u32, u32),
        event: &Generic,
        kind: &str,
        text: &[u8],
        request: Option<Request>,
    ) {
        let kept = || Message {
            ts_ns,
            pid,
            tid,
            cpu: event.cpu,
            kind: kind.to_owned(),
            header: event.header,
            text: text.to_vec(),
            more_header: event.more_header.clone(),
            fields: event.fields.clone(),
            request,
            is_told: event.is_told,
        };
        match event.file_name {
            Some(FileName {
                key, is_end: true, ..
            }) => drop(self.file_names.remove(&key)),
            Some(FileName { key, .. }) if self.file_names.len() < FILE_NAMES_MAX => {
                self.file_names.insert(key, kept());
            }
            None if self.messages.len() < MESSAGES_MAX => self.messages.push(kept()),
            _ => {}
        }
    }

    /// What was kept of generic events, in time order.
    pub fn messages(&mut self) -> Vec<Message> {
        let mut messages = std::mem::take(&mut self.messages);
        messages.extend(std::mem::take(&mut self.file_names).into_values());
        messages.sort_by_key(|message| message.ts_ns);
        messages
    }

    /// A thread has ended.
    pub fn forget(&mut self, tid: u32) {
        self.ended.remove(&tid);
        self.before.remove(&tid);
        self.woken.remove(&tid);
    }

    /// The scheduling that still holds, in time order.
    pub fn scheduling(&self) -> Vec<(u64, Replayed)> {
        let mut runs: Vec<Run> = self.ended.values().copied().collect();
        runs.extend(self.open.iter().flatten());
        runs.sort_by_key(|run| (run.cpu, run.start.map(|start| start.ts_ns)));
        let mut replayed = Vec::new();
        let counted = runs.iter().filter_map(|run| run.end);
        replayed
            .extend(counted.filter_map(|end| Some((end.ts_ns, Replayed::Counted(end.counted?)))));
        for on_cpu in runs.chunk_by(|a, b| a.cpu == b.cpu) {
            replay_runs(on_cpu, &mut replayed);
        }
        let before = self.before.iter().filter_map(|(tid, before)| {
            let last = self.ended.get(tid).filter(|run| run.start.is_none())?;
            Some((last.end?.ts_ns, Replayed::RunBefore(*before)))
        });
        replayed.extend(before);
        let unknown = self.unknown.iter().filter(|(cpu, ts_ns)| {
            let open = self.open.get(usize::from(**cpu)).copied().flatten();
            open.and_then(|run| run.start)
                .is_some_and(|start| start.ts_ns == **ts_ns)
        });
        replayed.extend(unknown.map(|(&cpu, &ts_ns)| (ts_ns, Replayed::RunUnknown(cpu))));
        let woken = self.woken.iter();
        replayed.extend(woken.map(|(&tid, &woken)| (woken.ts_ns, Replayed::Ready(tid, woken))));
        replayed.sort_by_key(|(ts_ns, _)| *ts_ns);
        replayed
    }
}

/// The switches of some runs of one CPU, with the idle thread between those that did not follow each other.
fn replay_runs(runs: &[Run], replayed: &mut Vec<(u64, Replayed)>) {
    let idle = RunEnd {
        ts_ns: 0,
        state: thread_state::INITIALIZED,
        wait_reason: 0,
        counted: None,
    };
    let mut before: Option<(&Run, RunEnd)> = None;
    let mut switch = |old: Option<(&Run, RunEnd)>, cpu, new_tid, start: RunStart| {
        let (old_tid, end) = old.map_or((0, idle), |(run, end)| (run.tid, end));
        let switched = Switched {
            cpu,
            new_tid,
            old_tid,
            new_priority: start.priority,
            old_state: end.state,
            old_wait_reason: end.wait_reason,
            begins: start.outlook,
        };
        replayed.push((start.ts_ns, Replayed::Switch(switched)));
    };
    let to_idle = |end: RunEnd| RunStart {
        ts_ns: end.ts_ns,
        priority: 0,
        outlook: None,
    };
    for run in runs {
        if let Some(start) = run.start {
            let follows = |(_, end): &(&Run, RunEnd)| end.ts_ns == start.ts_ns;
            if let Some((_, end)) = before.filter(|before| !follows(before)) {
                switch(before.take(), run.cpu, 0, to_idle(end));
            }
            switch(before.take(), run.cpu, run.tid, start);
        }
        before = run.end.map(|end| (run, end));
    }
    if let Some((run, end)) = before {
        switch(before, run.cpu, 0, to_idle(end));
    }
}
