//! Processes that the user chose: of all others only scheduling is written.

use crate::images::ImageLife;
use crate::lifetime::Lifetimes;

/// Names in a message are not more than these.
const NAMES_MAX: usize = 12;

/// Which processes are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    by_process: Vec<bool>,
}

impl Kept {
    /// The processes of these names or ids; `None` if none is named: all. `.exe` may be left out.
    ///
    /// # Errors
    /// In words, if there is no process of a name.
    pub fn of(asked: &[String], lifetimes: &Lifetimes) -> Result<Option<Self>, String> {
        if asked.is_empty() {
            return Ok(None);
        }
        let mut by_process = vec![false; lifetimes.processes.len()];
        for wanted in asked {
            let mut found = false;
            for (process, kept) in lifetimes.processes.iter().zip(&mut by_process) {
                let facts = &process.facts;
                let name = facts.image_name.as_deref().unwrap_or_default();
                let stem = name.strip_suffix(".exe").unwrap_or(name);
                if wanted.parse() == Ok(facts.pid)
                    || wanted.eq_ignore_ascii_case(name)
                    || wanted.eq_ignore_ascii_case(stem)
                {
                    (*kept, found) = (true, true);
                }
            }
            if !found {
                return Err(unknown(wanted, lifetimes));
            }
        }
        Ok(Some(Self { by_process }))
    }

    /// Whether a process is kept, by its index in [`Lifetimes::processes`].
    pub fn has(&self, process: usize) -> bool {
        self.by_process.get(process).copied().unwrap_or(false)
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.by_process.iter().filter(|kept| **kept).count() as u64
    }

    /// Whether the process is kept that has a pid at a time.
    pub fn has_pid(&self, lifetimes: &Lifetimes, pid: u32, raw: i64) -> bool {
        let process = lifetimes.process_of(pid, raw);
        process.is_some_and(|process| self.has(process))
    }

    /// Whether an image is kept: those of the kernel are, since every stack passes through them.
    pub fn has_image(&self, image: &ImageLife) -> bool {
        image.life.facts.is_kernel || image.process.is_some_and(|process| self.has(process))
    }
}

fn unknown(wanted: &str, lifetimes: &Lifetimes) -> String {
    let names = lifetimes.processes.iter();
    let mut names: Vec<&str> = names
        .filter_map(|process| process.facts.image_name.as_deref())
        .collect();
    names.sort_unstable();
    names.dedup();
    let more = names.len().saturating_sub(NAMES_MAX);
    names.truncate(NAMES_MAX);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    // Strangers chose the names: a break of lines among them would end the message's one line.
    let names = names.join(", ").replace(char::is_control, " ");
    format!("--process {wanted}: no process has that name or id; there are {names}{more}")
}
