//! What ETW says of a moment and Perfetto has no field for, in words that a person reads and SQL takes apart:
//! `rank=2 switch_out_priority=14`. Each has the name of the column that it becomes.
//!
//! Form: `docs/encoding.md`, "Words".

use std::fmt::{Display, Formatter, Result};

use etw::{ReadyThread, thread_state_name, wait_reason_name};
use facts::{CounterSample, EventStack, RunEnd, RunOutlook, Sample, StackOf, StackedKind};

/// In place of a rank that was not recorded.
const UNKNOWN: &str = "unknown";

/// In place of words where nothing was recorded.
const NOTHING: &str = "nothing";

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
    /// A sample of the profile; thread and stack are left out.
    Sample {
        /// Priority of the thread.
        priority: Option<u8>,
        /// Its rank.
        rank: Option<u8>,
        /// Whether the CPU was in a DPC.
        in_dpc: bool,
        /// Whether it was in an ISR.
        in_isr: bool,
        /// CPU time that the sample stands for.
        weight_ns: Option<u64>,
    },
    /// A sample of a hardware counter, likewise.
    CounterSample {
        /// The counter's number.
        source: u16,
        /// Counted events that the sample stands for.
        weight_events: Option<u32>,
    },
    /// The event of a stack.
    Stack {
        /// What event.
        of: StackOf,
        /// Whether its CPU is known.
        has_cpu: bool,
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

    /// Of a sample of the profile.
    pub fn of_sample(sample: &Sample) -> Self {
        Self::Sample {
            priority: sample.priority,
            rank: sample.rank,
            in_dpc: sample.in_dpc,
            in_isr: sample.in_isr,
            weight_ns: sample.weight_ns,
        }
    }

    /// Of a sample of a hardware counter.
    pub fn of_counter_sample(sample: &CounterSample) -> Self {
        Self::CounterSample {
            source: sample.source,
            weight_events: sample.weight_events,
        }
    }

    /// Of the event of a stack.
    pub fn of_stack(stack: &EventStack) -> Self {
        Self::Stack {
            of: stack.of,
            has_cpu: stack.cpu.is_some(),
        }
    }
}

impl Display for Words {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut words = Joined { f, is_first: true };
        match self {
            Self::Run(run) => run_words(run, &mut words)?,
            Self::End(end) => end_words(end, &mut words)?,
            Self::IdealCpu { tid, ideal_cpu } => {
                words.word("tid", tid)?;
                words.word("ideal_cpu", ideal_cpu)?;
            }
            Self::Sample {
                priority,
                rank,
                in_dpc,
                in_isr,
                weight_ns,
            } => {
                words.some("rank", *rank)?;
                words.some("priority", *priority)?;
                words.unless_zero("in_dpc", (*in_dpc).into())?;
                words.unless_zero("in_isr", (*in_isr).into())?;
                words.some("weight_ns", *weight_ns)?;
            }
            Self::CounterSample {
                source,
                weight_events,
            } => {
                words.word("source", source)?;
                words.some("weight_events", *weight_events)?;
            }
            Self::Stack { of, has_cpu } => {
                words.some("kind", of.kind().map(StackedKind::name))?;
                if let StackOf::Kernel(hook) = of {
                    words.word("event_id", hook)?;
                }
                words.some("cpu", (!has_cpu).then_some(UNKNOWN))?;
            }
        }
        words.end()
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

impl Joined<'_, '_> {
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

    /// The importer makes no difference between an empty name and none.
    fn end(self) -> Result {
        if self.is_first {
            self.f.write_str(NOTHING)?;
        }
        Ok(())
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
        assert_eq!(words(RunStart::default(), None, None), "nothing");
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
    fn a_sample_tells_what_was_recorded() {
        let whole = Words::Sample {
            priority: Some(14),
            rank: Some(2),
            in_dpc: true,
            in_isr: false,
            weight_ns: Some(1_000_000),
        };
        assert_eq!(
            whole.to_string(),
            "rank=2 priority=14 in_dpc=1 weight_ns=1000000"
        );
        let old = Words::Sample {
            priority: None,
            rank: None,
            in_dpc: false,
            in_isr: true,
            weight_ns: None,
        };
        assert_eq!(old.to_string(), "in_isr=1");
    }

    #[test]
    fn a_sample_of_a_hardware_counter_tells_which() {
        let sample = Words::CounterSample {
            source: 19,
            weight_events: Some(65_536),
        };
        assert_eq!(sample.to_string(), "source=19 weight_events=65536");
    }

    #[test]
    fn a_stack_tells_of_its_event() {
        let words = |of, has_cpu| Words::Stack { of, has_cpu }.to_string();
        let switch = StackOf::Kernel(0x0524);
        assert_eq!(words(switch, true), "kind=context_switch event_id=1316");
        assert_eq!(words(StackOf::Provider, false), "kind=event cpu=unknown");
        assert_eq!(words(StackOf::Unknown, false), "cpu=unknown");
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
