//! `outrank-convert`: the command line.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use convert::{
    Budget, Choices, Converted, Cost, Error, FactCounts, Form, Progress, ProgressStyle,
    RedactionReport, Request, Time,
};

/// Convert a Windows performance trace (.etl, also in .gz, .zip, .diagsession or .cab) to a Perfetto trace.
#[derive(Parser)]
#[command(
    name = "outrank-convert",
    version,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    convert: Option<ConvertArgs>,
    #[command(flatten)]
    selection: SelectionArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Tell what a trace holds: header, session, clock, events by provider, losses, time spans by CPU.
    Info(InfoArgs),
    /// Convert a trace to give away: take out, or put pseudonyms for, what tells about the user and the machine. Tells what
    /// was found and what became of it; without -o it only tells what would be in the output, and writes nothing.
    Redact(RedactArgs),
    /// Count the facts that a trace yields, such as runs, ready waits and samples, and write nothing.
    Facts(FactsArgs),
    /// Write tables of a trace as columns: Arrow or Parquet files, each named as the table is in SQL.
    Columns(ColumnsArgs),
}

#[derive(Args)]
struct FactsArgs {
    /// Trace to read: one file, or the several files of one recording, which are merged by time.
    #[arg(value_name = "IN", required = true, num_args = 1..=FILES_MAX)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// How to show progress on stderr.
    #[arg(long, value_enum, default_value_t)]
    progress: ProgressStyle,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct ColumnsArgs {
    /// Trace to read: one file, or the several files of one recording, which are merged by time.
    #[arg(value_name = "IN", required = true, num_args = 1..=FILES_MAX)]
    inputs: Vec<PathBuf>,
    /// Folder to write into. A file of a table takes the place of an earlier one.
    #[arg(short = 'o', long = "output", value_name = "FOLDER")]
    output: PathBuf,
    /// What to write: arrow, which any part of is read where it lies, or parquet, which is smaller.
    #[arg(long, value_name = "FORM", default_value_t)]
    format: Form,
    /// What to take out, as for `redact`, and tell what was found; without it nothing is taken out.
    #[arg(long = "redact", value_name = "LIST")]
    choices: Option<Choices>,
    /// How to show progress on stderr.
    #[arg(long, value_enum, default_value_t)]
    progress: ProgressStyle,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct RedactArgs {
    /// Trace to read: one file, or the several files of one recording, which are merged by time.
    #[arg(value_name = "IN", required = true, num_args = 1..=FILES_MAX)]
    inputs: Vec<PathBuf>,
    /// Perfetto trace to write; without it nothing is written.
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    output: Option<PathBuf>,
    /// What to take out: all, none, or a list of names, command-lines, users, paths, titles, keys, hosts, providers, fields,
    /// each with =remove, =pseudonym or =keep if its usual way is not wanted. Taken from left to right: all,paths=keep.
    #[arg(long = "redact", value_name = "LIST", default_value = "all")]
    choices: Choices,
    /// Keep events, samples, stacks, images and names of this process only, by name or id; of all others only scheduling.
    /// May be given more than once.
    #[arg(long = "process", value_name = "PROCESS")]
    processes: Vec<String>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// How to show progress on stderr.
    #[arg(long, value_enum, default_value_t)]
    progress: ProgressStyle,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct ConvertArgs {
    /// Trace to read: one file, or the several files of one recording (such as those of the kernel's and the providers'
    /// sessions), which are merged by time.
    #[arg(value_name = "IN", required = true, num_args = 1..=FILES_MAX)]
    inputs: Vec<PathBuf>,
    /// Perfetto trace to write [default: the first IN with the extension .pftrace].
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write scheduling (context switches, ready events, interrupts) as columns into this folder, and leave it out of OUT: Arrow
    /// files, each named as the table is in SQL. Takes the whole trace.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["from", "to", "only", "skip"])]
    columns: Option<PathBuf>,
    /// Write the tables as Parquet too, into this folder, as `columns --format=parquet` does.
    #[arg(long, value_name = "FOLDER", requires = "columns")]
    parquet: Option<PathBuf>,
    /// Of the generic events write into the columns only those of these providers, and one more where there are others. What needs no
    /// other ones is converted sooner.
    #[arg(
        long,
        value_name = "PROVIDERS",
        value_delimiter = ',',
        requires = "columns"
    )]
    events_of: Option<Vec<String>>,
    /// Write nothing if the selected events cost more than this, and print what `info --json` prints (exit code 4).
    #[arg(long, value_name = "COST")]
    max_cost: Option<u64>,
    /// What one event of a kind costs, such as bytes in the engine: scheduling=200,generic=250. Other kinds cost nothing.
    #[arg(long, value_name = "KIND=COST", value_delimiter = ',')]
    cost: Vec<Cost>,
    /// How to show progress on stderr.
    #[arg(long, value_enum, default_value_t)]
    progress: ProgressStyle,
    /// Treat any loss as an error and write nothing.
    #[arg(long)]
    strict: bool,
}

/// What part of the trace is converted.
#[derive(Args)]
struct SelectionArgs {
    /// Start of the range: 30.3s, 500ms, 20us or 5ns after the start of the recording, or ns on the trace clock (ts).
    /// What holds then is known: names, ranks, who runs, who waits, images, freezes, focus.
    #[arg(long, value_name = "TIME")]
    from: Option<Time>,
    /// End of the range.
    #[arg(long, value_name = "TIME")]
    to: Option<Time>,
    /// Convert only these kinds of events, separated by commas: scheduling, samples, stacks, images, io, interrupts,
    /// memory, network, registry, kernel (all other kernel events), generic (all events of providers), or providers by
    /// name or GUID. Processes, threads and names are always kept.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave these kinds of events out; the same names as for --only.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    skip: Vec<String>,
}

impl SelectionArgs {
    fn request(&self) -> Request {
        Request {
            from: self.from,
            to: self.to,
            only: self.only.clone(),
            skip: self.skip.clone(),
            ..Request::default()
        }
    }
}

#[derive(Args)]
struct InfoArgs {
    /// Trace to read: one file, or the several files of one recording (such as those of the kernel's and the providers'
    /// sessions), which are merged by time.
    #[arg(value_name = "IN", required = true, num_args = 1..=FILES_MAX)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Write JSON to this file too.
    #[arg(long, value_name = "FILE")]
    json_to: Option<PathBuf>,
}

/// What the exit code of the process means.
mod exit {
    pub const CONVERTED: u8 = 0;
    pub const USAGE: u8 = 1;
    pub const UNREADABLE: u8 = 2;
    pub const DAMAGED: u8 = 3;
    pub const TOO_LARGE: u8 = 4;
}

/// More files than any recording has.
const FILES_MAX: usize = 256;
/// Losses told one by one; the rest by number.
const WARNINGS_MAX: usize = 20;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors. A failed write is ignored: the reader of the output may be gone.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() {
                exit::USAGE
            } else {
                exit::CONVERTED
            });
        }
    };
    if let Err(error) = prepare() {
        eprintln!("outrank-convert: {error}");
        return ExitCode::from(exit::UNREADABLE);
    }
    let code = match (cli.command, cli.convert) {
        (Some(Command::Info(args)), _) => info(&args),
        (Some(Command::Redact(args)), _) => redact(&args),
        (Some(Command::Columns(args)), _) => columns(&args),
        (Some(Command::Facts(args)), _) => facts(&args),
        (None, Some(args)) => {
            let request = Request {
                budget: Budget {
                    most: args.max_cost,
                    costs: args.cost.clone(),
                },
                events_of: args.events_of.clone(),
                ..cli.selection.request()
            };
            convert(&args, &request)
        }
        (None, None) => exit::USAGE,
    };
    ExitCode::from(code)
}

/// What the whole program needs of the system.
#[cfg(not(target_family = "wasm"))]
fn prepare() -> Result<(), String> {
    // Made at its first use it would panic instead, where memory or the count of threads is limited.
    let made = rayon::ThreadPoolBuilder::new().build_global();
    made.map_err(|error| format!("no threads can be started: {error}"))
}

/// WebAssembly has no threads, as Rayon notices by itself, and no folders but those that it is told.
#[cfg(target_family = "wasm")]
fn prepare() -> Result<(), String> {
    use std::path::Path;
    let told = |name: &str, otherwise: &str| std::env::var_os(name).unwrap_or(otherwise.into());
    let _ = tempfile::env::override_temp_dir(Path::new(&told("TMPDIR", "/tmp")));
    std::env::set_current_dir(told("PWD", "/")).map_err(|error| format!("no folder: {error}"))
}

fn convert(args: &ConvertArgs, request: &Request) -> u8 {
    let progress = watched(args.progress);
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| default_output(&args.inputs));
    let (inputs, strict) = (&args.inputs, args.strict);
    let lean = args.columns.iter().map(|folder| (folder, Form::Lean));
    let parquet = args.parquet.iter().map(|folder| (folder, Form::Parquet));
    let forms = lean.chain(parquet);
    let columns: Vec<_> = forms.map(|(at, form)| (at.as_path(), form)).collect();
    let converted = if columns.is_empty() {
        convert::convert(inputs, &output, request, strict, &progress)
    } else {
        convert::convert_apart(inputs, &output, &columns, request, strict, &progress)
    };
    match converted {
        Ok(converted) => told(&args.inputs, &converted, &progress),
        Err(error) => {
            if let Error::TooLarge { info, .. } = &error {
                // A failed write is ignored: the reader of the output may be gone.
                let _ = writeln!(std::io::stdout(), "{}", info.to_json());
            }
            progress.error(&error.to_string());
            code_of(&error)
        }
    }
}

fn redact(args: &RedactArgs) -> u8 {
    let progress = watched(args.progress);
    let request = Request {
        processes: args.processes.clone(),
        redact: Some(args.choices),
        ..args.selection.request()
    };
    let written = match &args.output {
        Some(output) => convert::convert(&args.inputs, output, &request, false, &progress),
        None => convert::preview(&args.inputs, &request, &progress),
    };
    match written {
        Ok(converted) => {
            print_report(&converted, args.json);
            told(&args.inputs, &converted, &progress)
        }
        Err(error) => {
            progress.error(&error.to_string());
            code_of(&error)
        }
    }
}

fn columns(args: &ColumnsArgs) -> u8 {
    let progress = watched(args.progress);
    let request = Request {
        redact: args.choices,
        ..Request::default()
    };
    match convert::columns(&args.inputs, &args.output, args.format, &request, &progress) {
        Ok(converted) => {
            if args.choices.is_some() {
                print_report(&converted, args.json);
            }
            told(&args.inputs, &converted, &progress)
        }
        Err(error) => {
            progress.error(&error.to_string());
            code_of(&error)
        }
    }
}

fn facts(args: &FactsArgs) -> u8 {
    let progress = watched(args.progress);
    match convert::count_facts(&args.inputs, &args.selection.request(), &progress) {
        Ok(converted) => {
            let counts = converted.facts.iter().flat_map(FactCounts::named);
            let text = if args.json {
                let counts: BTreeMap<_, _> = counts.collect();
                serde_json::json!(counts).to_string()
            } else {
                let lines = counts.map(|(kind, count)| format!("{kind:16}{count:>12}"));
                lines.collect::<Vec<_>>().join("\n")
            };
            // A reader that closed the pipe (`| head`) has what it wanted.
            let _ = writeln!(std::io::stdout(), "{text}");
            told(&args.inputs, &converted, &progress)
        }
        Err(error) => {
            progress.error(&error.to_string());
            code_of(&error)
        }
    }
}

/// Prints what was found in texts and became of it.
fn print_report(converted: &Converted, json: bool) {
    let report = RedactionReport::of(converted);
    let text = if json {
        report.to_json()
    } else {
        convert::printable(&report.to_string())
    };
    // A reader that closed the pipe (`| head`) has what it wanted.
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Tells what was lost; answers the exit code.
fn told(inputs: &[PathBuf], converted: &Converted, progress: &Progress) -> u8 {
    warn(inputs, converted, progress);
    if converted.losses.is_empty() {
        exit::CONVERTED
    } else {
        exit::DAMAGED
    }
}

/// Progress that is told, and stopped by an interrupt.
fn watched(style: ProgressStyle) -> Arc<Progress> {
    let progress = Arc::new(Progress::new(style));
    stop_at_interrupt(&progress);
    progress
}

#[cfg(not(target_family = "wasm"))]
fn stop_at_interrupt(progress: &Arc<Progress>) {
    let stopped = Arc::clone(progress);
    // Without a handler a stopped conversion leaves its temporary file behind, and nothing worse.
    let _ = ctrlc::set_handler(move || stopped.stop());
}

/// Whoever runs WebAssembly ends it, and clears up.
#[cfg(target_family = "wasm")]
fn stop_at_interrupt(_progress: &Arc<Progress>) {}

fn code_of(error: &Error) -> u8 {
    match error {
        Error::Selection { .. } | Error::Write { .. } | Error::Place { .. } | Error::Columns(_) => {
            exit::USAGE
        }
        Error::TooLarge { .. } => exit::TOO_LARGE,
        _ => exit::UNREADABLE,
    }
}

/// `trace.etl`, `trace.etl.gz` and `trace.etl.zip` all become `trace.pftrace`.
fn default_output(inputs: &[PathBuf]) -> PathBuf {
    let first = inputs.first().cloned().unwrap_or_default();
    let packed = first.extension().is_some_and(|extension| {
        ["gz", "zip", "cab"]
            .iter()
            .any(|packed| extension == *packed)
    });
    let unpacked = if packed {
        first.with_extension("")
    } else {
        first
    };
    unpacked.with_extension("pftrace")
}

fn warn(inputs: &[PathBuf], converted: &Converted, progress: &Progress) {
    let input = convert::input_name(inputs);
    for loss in converted.losses.iter().take(WARNINGS_MAX) {
        progress.warning(&format!("{input}: {loss}"));
    }
    if converted.losses.len() > WARNINGS_MAX {
        let more = converted.losses.len() - WARNINGS_MAX;
        progress.warning(&format!("{input}: and {more} more losses"));
    }
}

fn info(args: &InfoArgs) -> u8 {
    let progress = Progress::new(ProgressStyle::None);
    let info = match convert::info(&args.inputs, &args.selection.request()) {
        Ok(info) => info,
        Err(error) => {
            progress.error(&error.to_string());
            return code_of(&error);
        }
    };
    let json = info.to_json();
    if let Some(path) = &args.json_to
        && let Err(error) = std::fs::write(path, &json)
    {
        progress.error(&format!("{}: cannot be written: {error}", path.display()));
        return exit::USAGE;
    }
    let text = if args.json {
        json
    } else {
        convert::printable(&info.to_string())
    };
    // A reader that closed the pipe (`| head`) has what it wanted.
    let _ = writeln!(std::io::stdout(), "{text}");
    if info.is_whole() {
        exit::CONVERTED
    } else {
        exit::DAMAGED
    }
}
