//! The run under way on a CPU, and what is known of it once it has ended.

use facts::{Run, Switch};

/// A stretch of time, in ns on the trace clock.
type Span = (u64, u64);

/// A run under way.
#[derive(Clone, Copy, Debug)]
pub struct Stay {
    /// What is known of it; its end is not.
    pub run: Run,
    /// The idle thread stands for a thread that nothing recorded tells.
    pub is_unknown: bool,
}

impl Stay {
    /// The run that a switch begins.
    #[inline]
    pub fn of(switch: &Switch) -> Self {
        Self {
            run: Run {
                ts_ns: switch.ts_ns,
                te_ns: switch.ts_ns,
                cpu: switch.cpu,
                thread: switch.new,
                priority: switch.new_priority,
                has_ended: false,
                outlook: switch.begins,
            },
            is_unknown: false,
        }
    }

    /// The run, ended at `te_ns`: by a switch, unless the recording `is_over` there. Of the idle thread's, what is known
    /// besides the gaps in it, which stand for whoever ran: a part shorter than a tick of the clock only keeps apart what was
    /// recorded at one time.
    #[inline]
    pub fn ended(
        self,
        te_ns: u64,
        is_over: bool,
        gaps: &mut Gaps,
        tick_ns: f64,
    ) -> [Option<Run>; 2] {
        let run = Run { te_ns, ..self.run };
        if run.thread.tid != 0 {
            gaps.take_until(te_ns);
            let has_ended = run.outlook.is_some_and(|outlook| outlook.end.is_some());
            return [Some(Run { has_ended, ..run }), None];
        }
        let has_ended = !is_over;
        let Some((gap_ns, gap_end_ns)) = gaps.take_until(te_ns) else {
            let known = (!self.is_unknown).then_some(Run { has_ended, ..run });
            return [known, None];
        };
        let is_long = |run: &Run| run.te_ns.saturating_sub(run.ts_ns) as f64 >= tick_ns;
        let before = Run {
            te_ns: gap_ns,
            ..run
        };
        let after = Run {
            ts_ns: gap_end_ns,
            has_ended,
            ..run
        };
        [
            Some(before).filter(is_long),
            Some(after).filter(|run| has_ended && is_long(run)),
        ]
    }
}

/// Gaps in a CPU's events that no run that has ended lies over, in the order of their beginnings.
#[derive(Clone, Debug, Default)]
pub struct Gaps(Vec<Span>);

impl Gaps {
    /// Adds one.
    pub fn add(&mut self, gap: Span) {
        self.0.push(gap);
    }

    /// Takes those whose middle is before a time: from the first one's beginning to the last one's end.
    #[inline]
    fn take_until(&mut self, te_ns: u64) -> Option<Span> {
        if self.0.is_empty() {
            return None;
        }
        let mut taken: Option<Span> = None;
        self.0.retain(|&(ts, te)| {
            let is_taken = ts.midpoint(te) < te_ns;
            if is_taken {
                let (from, to) = taken.unwrap_or((ts, te));
                taken = Some((from.min(ts), to.max(te)));
            }
            !is_taken
        });
        taken
    }
}

#[cfg(test)]
mod tests {
    use facts::{RunOutlook, RunStart, Thread};

    use super::*;

    const IDLE: Stay = Stay {
        run: Run {
            ts_ns: 1_000,
            te_ns: 1_000,
            cpu: 0,
            thread: Thread { tid: 0, utid: 0 },
            priority: 0,
            has_ended: false,
            outlook: None,
        },
        is_unknown: false,
    };

    fn spans(stay: Stay, te_ns: u64, is_over: bool, gaps: &[Span]) -> Vec<(u64, u64, bool)> {
        let mut gaps = Gaps(gaps.to_vec());
        let runs = stay.ended(te_ns, is_over, &mut gaps, 100.0);
        let runs = runs.into_iter().flatten();
        runs.map(|run| (run.ts_ns, run.te_ns, run.has_ended))
            .collect()
    }

    #[test]
    fn an_idle_run_is_what_the_gaps_leave_of_it() {
        assert_eq!(spans(IDLE, 9_000, false, &[]), [(1_000, 9_000, true)]);
        assert_eq!(spans(IDLE, 9_000, true, &[]), [(1_000, 9_000, false)]);
        let gaps = [(2_000, 3_000), (5_000, 6_000), (20_000, 21_000)];
        let parts = [(1_000, 2_000, false), (6_000, 9_000, true)];
        assert_eq!(spans(IDLE, 9_000, false, &gaps), parts);
        assert_eq!(spans(IDLE, 9_000, true, &gaps), parts[..1]);
        assert_eq!(spans(IDLE, 9_000, false, &[(1_001, 8_999)]), []);
    }

    #[test]
    fn a_run_of_a_thread_that_nothing_tells_is_none() {
        let unknown = Stay {
            is_unknown: true,
            ..IDLE
        };
        assert_eq!(spans(unknown, 9_000, false, &[]), []);
    }

    #[test]
    fn a_thread_whose_end_is_not_recorded_was_still_running() {
        let outlook = RunOutlook {
            start: RunStart::default(),
            end: None,
            rank_before: None,
        };
        let run = Run {
            thread: Thread { tid: 8, utid: 1 },
            outlook: Some(outlook),
            ..IDLE.run
        };
        let stay = Stay { run, ..IDLE };
        let expected = [(1_000, 9_000, false)];
        assert_eq!(spans(stay, 9_000, false, &[(9_000, 9_900)]), expected);
    }
}
