//! Which events are kept, where only chosen processes are.

use crate::pass::state::Pass;
use crate::pass::subject::{REMEMBERED_MAX, Subject};

impl Pass<'_> {
    /// Whether an event is kept that is about `subject` and written by a thread of `author_pid`, if by any.
    pub fn keeps_event(
        &mut self,
        raw: i64,
        author_pid: Option<u32>,
        subject: Option<&Subject>,
    ) -> bool {
        let (Some(_), Some(subject)) = (self.kept, subject) else {
            return true;
        };
        let files = || subject.files.iter().flatten();
        let keeps = match (subject.tid, subject.pid) {
            (Some(tid), _) => {
                let pid = self.lives.pid_of(self.lifetimes, tid, subject.pid);
                pid.is_some_and(|pid| self.keeps_pid(raw, pid))
            }
            (None, Some(pid)) => self.keeps_pid(raw, pid),
            (None, None) => match subject.irp {
                Some(irp) => self.remembered.irps.contains(&irp),
                None if files().next().is_some() => {
                    files().any(|file| self.remembered.files.contains(file))
                }
                None => author_pid.map_or(subject.is_of_machine, |pid| self.keeps_pid(raw, pid)),
            },
        };
        if keeps && self.remembered.irps.len() < REMEMBERED_MAX {
            self.remembered.irps.extend(subject.irp);
        }
        if keeps && self.remembered.files.len() < REMEMBERED_MAX {
            self.remembered
                .files
                .extend(files().filter(|file| **file != 0));
        }
        keeps
    }

    /// Whether what a process did is kept.
    pub fn keeps_pid(&self, raw: i64, pid: u32) -> bool {
        self.kept
            .is_none_or(|kept| kept.has_pid(self.lifetimes, pid, raw))
    }
}
