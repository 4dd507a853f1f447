//! Converts a Windows trace (`.etl`) into a Perfetto trace, and tells what a trace holds.

mod compact;
mod counters;
mod counts;
mod error;
mod fate;
mod fates;
mod first_times;
mod header_words;
mod images;
mod index;
mod info;
mod lifetime;
mod loss;
mod methods;
mod output;
mod pass;
mod perfetto;
mod progress;
mod redaction;
mod selection;
mod stacks;
mod streams;
mod texts;
mod timeline;
mod told;

use std::path::Path;

use columns::Columns;
use etl::TraceFile;

use index::{Index, Refusal};
use output::Output;
use pass::Sinks;
use perfetto::{Perfetto, SchedulingPlace};
use redact::Redactor;
use streams::Overlap;

pub use columns::Form;
pub use counts::Totals;
pub use error::Error;
pub use facts::FactCounts;
pub use info::Info;
pub use progress::{Progress, ProgressStyle, printable};
pub use redact::{Choices, KindReport, Report};
pub use redaction::RedactionReport;
pub use selection::{Budget, Cost, Request, Time};

/// What a conversion did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Events read, and what became of them.
    pub totals: Totals,
    /// What was lost, one line each; empty if nothing was.
    pub losses: Vec<String>,
    /// Context switches in which another thread ran than the scheduler had planned.
    pub corrected_switches: u64,
    /// Size of all files of the output in bytes.
    pub output_bytes: u64,
    /// What was found in texts and became of it, if the request says what is to be taken out.
    pub redaction: Option<Report>,
    /// How many facts there were, where these were only counted.
    pub facts: Option<FactCounts>,
}

/// Converts what is requested of the trace in `inputs`, which are the files of one recording, into a Perfetto trace at
/// `output`, which appears whole or not at all. With `strict` any loss is an error.
///
/// # Errors
/// If the inputs are no traces or not of one recording, the request makes no sense for them, the output cannot be
/// written, `strict` and something was lost, or it was stopped.
pub fn convert<P: AsRef<Path>>(
    inputs: &[P],
    output: &Path,
    request: &Request,
    strict: bool,
    progress: &Progress,
) -> Result<Converted, Error> {
    output::check_place(output, inputs)?;
    let written = Written {
        trace: Trace::To(output),
        columns: &[],
    };
    write(inputs, written, request, strict, progress)
}

/// Does all that [`convert`] does, but writes scheduling, samples and stacks as columns into folders, each in its form. They are made if they are not
/// there, and each file is named as the table is in SQL. The Perfetto trace at `output` has all else, and the same keys of threads.
///
/// # Errors
/// As [`convert`].
pub fn convert_apart<P: AsRef<Path>>(
    inputs: &[P],
    output: &Path,
    columns: &[(&Path, Form)],
    request: &Request,
    strict: bool,
    progress: &Progress,
) -> Result<Converted, Error> {
    output::check_place(output, inputs)?;
    let written = Written {
        trace: Trace::To(output),
        columns,
    };
    write(inputs, written, request, strict, progress)
}

/// Reads the whole trace in `inputs` once and tells what it holds.
///
/// # Errors
/// If the inputs are no traces or not of one recording, or the request makes no sense for them.
pub fn info<P: AsRef<Path>>(inputs: &[P], request: &Request) -> Result<Info, Error> {
    let progress = Progress::new(ProgressStyle::None);
    let (trace, index) = open(inputs, request, true, &progress)?;
    Ok(Info::of(&input_name(inputs), &trace, &index))
}

/// Does all that [`convert`] does and writes nothing: what would be in the output, and how large it would be.
///
/// # Errors
/// As [`convert`].
pub fn preview<P: AsRef<Path>>(
    inputs: &[P],
    request: &Request,
    progress: &Progress,
) -> Result<Converted, Error> {
    let written = Written {
        trace: Trace::Measured,
        columns: &[],
    };
    write(inputs, written, request, false, progress)
}

/// Reads the trace as [`convert`] does, and only counts the facts that it yields: names of kinds, with how many there are.
///
/// # Errors
/// As [`convert`].
pub fn count_facts<P: AsRef<Path>>(
    inputs: &[P],
    request: &Request,
    progress: &Progress,
) -> Result<Converted, Error> {
    let written = Written {
        trace: Trace::None,
        columns: &[],
    };
    write(inputs, written, request, false, progress)
}

/// Writes the tables of the trace in `inputs` as columns into `folder`, which is made if it is not there: a file each, which
/// takes the place of one of its name.
///
/// # Errors
/// As [`convert`].
pub fn columns<P: AsRef<Path>>(
    inputs: &[P],
    folder: &Path,
    form: Form,
    request: &Request,
    progress: &Progress,
) -> Result<Converted, Error> {
    let written = Written {
        trace: Trace::None,
        columns: &[(folder, form)],
    };
    write(inputs, written, request, false, progress)
}

/// What becomes of the Perfetto trace.
#[derive(Clone, Copy, Debug)]
enum Trace<'a> {
    /// It is written.
    To(&'a Path),
    /// It is made, and its bytes are counted.
    Measured,
    /// None is made.
    None,
}

/// What is written. Where it is nothing at all, facts are counted.
#[derive(Clone, Copy, Debug)]
struct Written<'a> {
    trace: Trace<'a>,
    /// Columns: their folders, and the form in each. Where there are any, scheduling is in them alone.
    columns: &'a [(&'a Path, Form)],
}

impl Written<'_> {
    fn output(&self) -> Result<Output, Error> {
        match self.trace {
            Trace::To(path) => Output::create(path),
            Trace::Measured | Trace::None => Ok(Output::counted()),
        }
    }

    fn sinks(&self, span_ns: (u64, u64)) -> Result<Sinks, Error> {
        let begin = |&(folder, form): &(&Path, Form)| {
            std::fs::create_dir_all(folder).map_err(|source| Error::Write {
                path: folder.to_owned(),
                source,
            })?;
            Ok(Columns::create(folder, form, span_ns)?)
        };
        let columns: Vec<Columns> = self
            .columns
            .iter()
            .map(begin)
            .collect::<Result<_, Error>>()?;
        let scheduling = if columns.is_empty() {
            SchedulingPlace::Within
        } else {
            SchedulingPlace::Apart
        };
        let has_trace = !matches!(self.trace, Trace::None);
        Ok(Sinks {
            perfetto: has_trace.then(|| Perfetto::new(scheduling)),
            counts: (!has_trace && columns.is_empty()).then(FactCounts::default),
            columns,
        })
    }
}

fn write<P: AsRef<Path>>(
    inputs: &[P],
    written: Written<'_>,
    request: &Request,
    strict: bool,
    progress: &Progress,
) -> Result<Converted, Error> {
    let input = input_name(inputs);
    let has_timeline = request.budget.most.is_some();
    let (trace, mut index) = open(inputs, request, has_timeline, progress)?;
    go_on(&input, progress)?;
    let cost = request.budget.cost_of(&index.by_kind());
    if let Some(limit) = request.budget.most.filter(|most| cost > *most) {
        return Err(Error::TooLarge {
            cost,
            limit,
            info: Box::new(Info::of(&input, &trace, &index)),
            input,
        });
    }
    let mut losses = loss::losses(&trace, &index);
    let mut messages: Vec<String> = losses.iter().map(|loss| loss.message.clone()).collect();
    if strict {
        refuse(&input, &messages)?;
    }
    index.redactor = request.redact.map(Redactor::new).transpose()?;
    redaction::redact(&mut index, &mut losses, &trace);
    let mut file = written.output()?;
    let places = pass::Places {
        output: &mut file,
        sinks: written.sinks(pass::span_ns(&trace, &index))?,
    };
    let outcome = pass::convert(&trace, &index, &losses, places, progress)?;
    go_on(&input, progress)?;
    if outcome.events_dropped > 0 {
        let count = outcome.events_dropped;
        messages.push(format!(
            "{count} events dropped: too much data of all CPUs at one time"
        ));
        if strict {
            refuse(&input, &messages)?;
        }
    }
    let mut columns_bytes = 0;
    for columns in outcome.columns {
        columns_bytes += columns.finish()?;
    }
    progress.end_bar();
    let converted = Converted {
        totals: index.counts.totals(),
        losses: messages,
        corrected_switches: outcome.corrected_switches,
        output_bytes: file.finish()? + columns_bytes,
        facts: outcome.counts,
        redaction: index.redactor.as_ref().map(Redactor::report),
    };
    // Millions of small pieces: the caller need not wait until they are freed.
    rayon::spawn(move || drop(index));
    Ok(converted)
}

/// What the inputs are called in messages.
pub fn input_name<P: AsRef<Path>>(inputs: &[P]) -> String {
    let names = inputs
        .iter()
        .map(|path| path.as_ref().display().to_string());
    names.collect::<Vec<_>>().join(" + ")
}

/// Opens the inputs as one trace and reads them once. Files of an archive that repeat what another has are left out.
fn open<P: AsRef<Path>>(
    inputs: &[P],
    request: &Request,
    has_timeline: bool,
    progress: &Progress,
) -> Result<(TraceFile, Index), Error> {
    const TWICE: &str = "both hold context switches of the same time and processor";
    let mut trace = TraceFile::open_all(inputs)?;
    loop {
        match index::index(&trace, request, has_timeline, progress) {
            Ok(read) => return Ok(read),
            Err(Refusal::Request(message)) => {
                let input = input_name(inputs);
                return Err(Error::Selection { input, message });
            }
            // The largest file of an archive comes first and stays.
            Err(Refusal::Overlap(Overlap { file, other })) => {
                trace = trace.without(file.max(other), file.min(other), TWICE)?;
            }
        }
    }
}

fn go_on(input: &str, progress: &Progress) -> Result<(), Error> {
    if progress.is_stopped() {
        let input = input.to_owned();
        return Err(Error::Stopped { input });
    }
    Ok(())
}

fn refuse(input: &str, losses: &[String]) -> Result<(), Error> {
    let Some(first) = losses.first() else {
        return Ok(());
    };
    let message = match losses.len() {
        1 => first.clone(),
        count => format!("{first} (and {} more losses)", count - 1),
    };
    Err(Error::Damaged {
        input: input.to_owned(),
        message,
    })
}
