//! What the user is told while a conversion runs.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

/// How progress is shown on stderr.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ProgressStyle {
    /// One JSON object on a line for each step, warning and error.
    Json,
    /// A line that is rewritten, if stderr is a terminal.
    #[default]
    Bar,
    /// Nothing but warnings and errors.
    None,
}

/// The two passes over the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Pass 1.
    Index,
    /// Pass 2.
    Convert,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Line<'a> {
    Progress { stage: Stage, fraction: f64 },
    Warning { warning: &'a str },
    Error { error: &'a str },
}

/// Least time between two progress lines.
const INTERVAL: Duration = Duration::from_millis(60);

/// Tells progress, warnings and errors on stderr, and takes the wish to stop. Usable from several threads.
#[derive(Debug)]
pub struct Progress {
    style: ProgressStyle,
    done: AtomicU64,
    is_stopped: AtomicBool,
    shown: Mutex<Shown>,
}

#[derive(Debug)]
struct Shown {
    stage: Stage,
    last: Option<Instant>,
    bar_is_open: bool,
}

impl Progress {
    /// Progress in one style; a bar only where stderr is a terminal.
    pub fn new(style: ProgressStyle) -> Self {
        let style = match style {
            ProgressStyle::Bar if !std::io::stderr().is_terminal() => ProgressStyle::None,
            style => style,
        };
        let shown = Shown {
            stage: Stage::Index,
            last: None,
            bar_is_open: false,
        };
        Self {
            style,
            done: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
            shown: Mutex::new(shown),
        }
    }

    /// Asks the conversion to end soon, without a result.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether [`Progress::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// A stage begins.
    pub fn start(&self, stage: Stage) {
        self.done.store(0, Ordering::Relaxed);
        if let Ok(mut shown) = self.shown.lock() {
            shown.stage = stage;
            shown.last = None;
            self.show(&mut shown, 0.0);
        }
    }

    /// `step` more of `total` is done.
    pub fn advance(&self, step: u64, total: u64) {
        let done = self.done.fetch_add(step, Ordering::Relaxed) + step;
        // Whoever cannot get the lock at once leaves the telling to the one who has it.
        let Ok(mut shown) = self.shown.try_lock() else {
            return;
        };
        if shown.last.is_some_and(|last| last.elapsed() < INTERVAL) && done < total {
            return;
        }
        self.show(&mut shown, done as f64 / total.max(1) as f64);
    }

    fn show(&self, shown: &mut Shown, fraction: f64) {
        shown.last = Some(Instant::now());
        let fraction = (fraction.min(1.0) * 1000.0).round() / 1000.0;
        match self.style {
            ProgressStyle::Json => print_json(&Line::Progress {
                stage: shown.stage,
                fraction,
            }),
            ProgressStyle::Bar => {
                shown.bar_is_open = true;
                let verb = match shown.stage {
                    Stage::Index => "indexing",
                    Stage::Convert => "converting",
                };
                print(&format!("\r{verb} {:3.0} %", fraction * 100.0));
            }
            ProgressStyle::None => {}
        }
    }

    /// Something was lost or is doubtful; the conversion goes on.
    pub fn warning(&self, text: &str) {
        self.end_bar();
        match self.style {
            ProgressStyle::Json => print_json(&Line::Warning { warning: text }),
            _ => print(&format!("outrank-convert: warning: {}\n", printable(text))),
        }
    }

    /// The conversion failed.
    pub fn error(&self, text: &str) {
        self.end_bar();
        match self.style {
            ProgressStyle::Json => print_json(&Line::Error { error: text }),
            _ => print(&format!("outrank-convert: error: {}\n", printable(text))),
        }
    }

    /// Ends the rewritten line.
    pub fn end_bar(&self) {
        if let Ok(mut shown) = self.shown.lock()
            && std::mem::take(&mut shown.bar_is_open)
        {
            print("\r                  \r");
        }
    }
}

fn print_json(line: &Line<'_>) {
    if let Ok(mut text) = serde_json::to_string(line) {
        text.push('\n');
        print(&text);
    }
}

/// A text for a terminal: names in a trace may hold what moves its cursor, or writes its title.
#[must_use]
pub fn printable(text: &str) -> String {
    let shown = |character: char| match character {
        '\n' | '\t' => character,
        _ if character.is_control() => char::REPLACEMENT_CHARACTER,
        _ => character,
    };
    text.chars().map(shown).collect()
}

/// A failed write does not stop a conversion: the reader of the output may be gone.
fn print(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
