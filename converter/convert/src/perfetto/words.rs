//! What ETW says of a moment and Perfetto has no field for, in words that a person reads and SQL takes apart:
//! `rank=2 switch_out_priority=14`. Each has the name of the column that it becomes.
//!
//! Form: `docs/encoding.md`, "Words".

use std::fmt::{Display, Formatter, Result};

use etw::{ReadyThread, thread_state_name, wait_reason_name};
use facts::{RunEnd, RunOutlook};

/// In place of a rank that was not recorded.
const UNKNOWN: &str = "unknown";

/// What a moment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Words {
    /// A run that begins. What depends on the thread itself is left out.
    Run(RunOutlook),
    /// The end of a run whose beginning was not recorded.
    End(RunEnd),
    /// The ideal processor of a thread.
    IdealCpu {
        /// The thread.
        tid: u32,
        /// The low 8 bits of the processor's number.
        ideal_cpu: u8,
    },
}

impl Words {
    /// Of a run. Threads that run alike have the same words.
    pub fn of_run(run: &RunOutlook) -> Self {
        let mut run = *run;
        if let Some(ready) = &mut run.start.ready {
            ready.tid = 0;
        }
        if let Some(end) = &mut run.end {
            end.tid = 0;
        }
        Self::Run(run)
    }
}

impl Display for Words {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Run(run) => run_words(run, &mut Joined::new(f)),
            Self::End(end) => end_words(end, &mut Joined::new(f)),
            Self::IdealCpu { tid, ideal_cpu } => write!(f, "tid={tid} ideal_cpu={ideal_cpu}"),
        }
    }
}

fn run_words(run: &RunOutlook, words: &mut Joined<'_, '_>) -> Result {
    if let Some(end) = &run.end {
        end_words(end, words)?;
    }
    if run.rank_before != run.rank() {
        match run.rank_before {
            Some(rank) => words.word("rank_before", rank)?,
            None => words.word("rank_before", UNKNOWN)?,
        }
    }
    words.some("switch_in_qos", run.other_qos())?;
    if let Some(ready) = &run.start.ready {
        ready_words(ready, words)?;
    }
    words.unless_zero(
        "priority_decrement",
        run.start.priority_decrement.clamp(0, 31).into(),
    )?;
    words.some("previous_c_state", run.start.c_state)
}

fn end_words(end: &RunEnd, words: &mut Joined<'_, '_>) -> Result {
    words.some("rank", end.rank)?;
    words.word("switch_out_priority", end.priority.clamp(0, 31))?;
    words.some("switch_out_state", thread_state_name(end.state))?;
    words.some("switch_out_wait_reason", wait_reason_name(end.wait_reason))?;
    if end.wait_reason < RunEnd::WAIT_REASON_NONE {
        let mode = if end.wait_mode == 0 { "kernel" } else { "user" };
        words.word("switch_out_wait_mode", mode)?;
    }
    if end.is_whole() {
        words.word("switch_out_qos", end.qos)?;
    }
    Ok(())
}

fn ready_words(ready: &ReadyThread, words: &mut Joined<'_, '_>) -> Result {
    words.unless_zero("ready_flags", (ready.flags & 31).into())?;
    words.unless_zero(
        "ready_increment",
        ready.adjust_increment.clamp(-32, 31).into(),
    )?;
    words.unless_zero("ready_adjust_reason", ready.adjust_reason.min(3).into())
}

/// Words with a blank between.
struct Joined<'a, 'f> {
    f: &'a mut Formatter<'f>,
    is_first: bool,
}

impl<'a, 'f> Joined<'a, 'f> {
    fn new(f: &'a mut Formatter<'f>) -> Self {
        Self { f, is_first: true }
    }

    fn word(&mut self, name: &str, value: impl Display) -> Result {
        let blank = if std::mem::take(&mut self.is_first) {
            ""
        } else {
            " "
        };
        write!(self.f, "{blank}{name}={value}")
    }

    fn some(&mut self, name: &str, value: Option<impl Display>) -> Result {
        value.map_or(Ok(()), |value| self.word(name, value))
    }

    fn unless_zero(&mut self, name: &str, value: i16) -> Result {
        self.some(name, Some(value).filter(|value| *value != 0))
    }
}

#[cfg(test)]
mod tests {
    use facts::RunStart;

    use super::*;

    const END: RunEnd = RunEnd {
        tid: 8,
        rank: Some(2),
        priority: 14,
        wait_reason: 6,
        wait_mode: 1,
        state: 5,
        qos: 3,
    };

    fn words(start: RunStart, end: Option<RunEnd>, rank_before: Option<u8>) -> String {
        let run = RunOutlook {
            start,
            end,
            rank_before,
        };
        Words::of_run(&run).to_string()
    }

    #[test]
    fn a_run_tells_all_that_its_columns_hold() {
        let ready = ReadyThread {
            tid: 8,
            adjust_reason: 1,
            adjust_increment: -2,
            flags: ReadyThread::FROM_DPC | ReadyThread::DIRECT_SWITCH_ATTEMPT,
        };
        let start = RunStart {
            ready: Some(ready),
            priority_decrement: 4,
            c_state: Some(1),
            qos: Some(0),
        };
        assert_eq!(
            words(start, Some(END), Some(0)),
            "rank=2 switch_out_priority=14 switch_out_state=Waiting switch_out_wait_reason=UserRequest \
             switch_out_wait_mode=user switch_out_qos=3 rank_before=0 switch_in_qos=0 ready_flags=9 ready_increment=-2 \
             ready_adjust_reason=1 priority_decrement=4 previous_c_state=1"
        );
    }

    #[test]
    fn an_open_run_tells_nothing_of_its_end() {
        assert_eq!(words(RunStart::default(), None, None), "");
        assert_eq!(words(RunStart::default(), None, Some(2)), "rank_before=2");
    }

    #[test]
    fn the_end_by_a_compact_switch_has_a_priority_and_no_more() {
        let end = RunEnd {
            rank: None,
            wait_reason: RunEnd::WAIT_REASON_NONE,
            wait_mode: 0,
            state: RunEnd::STATE_NOT_RECORDED,
            qos: 0,
            ..END
        };
        assert_eq!(
            words(RunStart::default(), Some(end), None),
            "switch_out_priority=14"
        );
    }

    #[test]
    fn a_rank_that_was_not_recorded_before_is_unknown() {
        let words = words(RunStart::default(), Some(END), None);
        assert!(
            words.ends_with("switch_out_qos=3 rank_before=unknown"),
            "{words}"
        );
    }

    #[test]
    fn runs_of_several_threads_have_the_same_words() {
        let of = |tid| {
            Words::of_run(&RunOutlook {
                start: RunStart::default(),
                end: Some(RunEnd { tid, ..END }),
                rank_before: None,
            })
        };
        assert_eq!(of(8), of(12));
    }
}
