//! `outrank-synth`: writes synthetic `.etl` files with known truth.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use synth::file::bytes::Pointer;
use synth::file::session::Clock;
use synth::file::writer::WriteError;
use synth::scenario::{
    Load, Options, attention, bounds, counters, dotnet, exit_storm, generic, hot_loop, io,
    lock_screen, many_processors, minimal, random, routine, slow_disk, stacks, switch_storm,
    switches, symbols, thread_growth, user_lock, verdicts, wmi,
};
use synth::truth::Truth;

/// Write synthetic Windows traces (.etl) whose truth is known.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    scenario: Scenario,
}

#[derive(Subcommand)]
enum Scenario {
    /// The demo: on eight busy processors, a lock screen thread is ready for 19.493 s because of its rank.
    LockScreen(Common),
    /// A thread of the WMI service holds a lock for 41.57 s; its release sets hundreds of threads free.
    Wmi(Common),
    /// Two processors, three threads, a dozen context switches.
    Minimal(Common),
    /// The focus moves, processes are frozen and thawed, keys and buttons are pressed.
    Attention {
        /// Do not describe the events, as in a recording that was not merged.
        #[arg(long)]
        undescribed: bool,
        #[command(flatten)]
        common: Common,
    },
    /// A service's thread is in a loop of nine instructions for 15 s, and others wait for the lock that it holds.
    HotLoop {
        /// Of 1000 samples of the service, how many are in the loop.
        #[arg(long, default_value_t = 953, value_parser = clap::value_parser!(u32).range(0..=988))]
        loop_permille: u32,
        #[command(flatten)]
        common: Common,
    },
    /// A test suite kills 1000 processes at once, and their exits queue behind one lock.
    ExitStorm {
        /// How many of the processes need the lock to exit.
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=1000))]
        locked: u32,
        #[command(flatten)]
        common: Common,
    },
    /// A server makes threads. Each takes longer to make than the one before.
    ThreadGrowth {
        /// How many threads it makes.
        #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
        threads: u32,
        /// What each costs more than the one before, in ns.
        #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
        slope_ns: u32,
        #[command(flatten)]
        common: Common,
    },
    /// Two threads of a service take turns so often that eight processors do little else than switch.
    SwitchStorm {
        /// Context switches, about.
        #[arg(long, default_value_t = 10_000_000)]
        count: u64,
        /// Context switches a second, all processors together.
        #[arg(long, default_value_t = 2_000_000, value_parser = clap::value_parser!(u32).range(1..=4_000_000))]
        per_second: u32,
        #[command(flatten)]
        common: Common,
    },
    /// 96 processors in two groups, under any clock: interrupts, priorities, affinities, a sleep.
    ManyProcessors {
        /// Clock of the timestamps.
        #[arg(long, default_value = "qpc", value_parser = ["qpc", "system-time", "cpu-cycles"])]
        clock: String,
        #[command(flatten)]
        common: Common,
    },
    /// A shell's thread holds the window manager's lock, for which an editor in focus and a browser wait.
    UserLock {
        /// For how long it holds the lock, in ms.
        #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(60..=800))]
        held_ms: u32,
        /// Show how the editor waits for messages, and blocks for the lock.
        #[arg(long)]
        messages: bool,
        #[command(flatten)]
        common: Common,
    },
    /// What a rule of the findings looks for, at its bound, or just short of it.
    Bounds {
        /// The rule.
        #[arg(long)]
        rule: bounds::Bound,
        /// A little less than the rule asks for: a tick, a thread, a sample or an event.
        #[arg(long)]
        just_not: bool,
        /// Also write the PDB of the rule `driver-stall`, as a symbol store keeps it, into this folder.
        #[arg(long)]
        pdbs: Option<PathBuf>,
        #[command(flatten)]
        common: Common,
    },
    /// A machine that does random things, by its seed, with the truth of all of them.
    Random {
        /// Events, about.
        #[arg(long, default_value_t = 600)]
        events: u64,
        /// Lose some buffers: then the trace tells less than its truth.
        #[arg(long)]
        lose_buffers: bool,
        /// Write some buffers twice or in another order, and swap events at their edges: the truth is the same.
        #[arg(long)]
        disorder: bool,
        /// Record stacks with context switches and ready events.
        #[arg(long)]
        stacks: bool,
        #[command(flatten)]
        common: Common,
    },
    /// A small machine whose processes do the same all the time, with a change put in: two of them can be compared.
    Routine {
        /// Length of the recording, in seconds.
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=3_600))]
        seconds: u32,
        /// What is another way than without a change.
        #[arg(long, default_value = "none")]
        change: routine::Change,
        /// How much of the change there is, in percent; a processor is missing or not.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100))]
        size_percent: u32,
        /// Runs and sleeps last nearly as long each time, so that a small change can be told.
        #[arg(long)]
        steady: bool,
        /// Process ids begin so much later, as after another boot.
        #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
        first_id: u32,
        #[command(flatten)]
        common: Common,
    },
    /// Two threads whose context switches carry hardware counters and QoS levels.
    Counters(Common),
    /// Two processors, and a ready wait for each reason that there is.
    Verdicts(Common),
    /// Samples in images whose PDBs are known, and in others.
    Symbols {
        /// Also write the PDBs, as a symbol store keeps them, into this folder.
        #[arg(long)]
        pdbs: Option<PathBuf>,
        #[command(flatten)]
        common: Common,
    },
    /// Samples in two .NET programs whose methods lie at the same addresses.
    Dotnet {
        /// Further methods that are never sampled.
        #[arg(long, default_value_t = 0)]
        methods: u32,
        #[command(flatten)]
        common: Common,
    },
    /// Many context switches of many threads: the benchmark's load.
    Switches {
        /// How many threads share the work.
        #[arg(long, default_value_t = switches::THREADS, value_parser = clap::value_parser!(u32).range(3..=1_000_000))]
        threads: u32,
        #[command(flatten)]
        sized: SizedLoad,
    },
    /// Many events of providers that describe them.
    Generic(SizedLoad),
    /// Many profile samples with deep stacks.
    Stacks(SizedLoad),
    /// Many operations on files. A disk serves some of them.
    Io(SizedLoad),
    /// Threads that wait for a slow disk, and others with them.
    SlowDisk(SizedLoad),
}

#[derive(Args)]
struct SizedLoad {
    /// How many switches, events or samples to write.
    #[arg(long, default_value_t = 1_000_000)]
    count: u64,
    /// Processors of the machine.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1024))]
    cpus: u32,
    #[command(flatten)]
    common: Common,
}

impl SizedLoad {
    fn load(&self) -> Load {
        Load {
            count: self.count,
            cpu_count: self.cpus,
        }
    }
}

#[derive(Args)]
struct Common {
    /// File to write.
    #[arg(short, long)]
    out: PathBuf,
    /// Also write what is known of the trace, as JSON.
    #[arg(long)]
    truth: Option<PathBuf>,
    /// Compress the buffers.
    #[arg(long)]
    compressed: bool,
    /// Write the file as a merge of several would be.
    #[arg(long)]
    merged: bool,
    /// Log context switches as compact ones: many packed into one event, without rank, state and wait reason.
    #[arg(long)]
    compact: bool,
    /// Pointer width in bytes.
    #[arg(long, default_value = "8", value_parser = ["4", "8"])]
    pointer: String,
    /// Seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Common {
    fn options(&self) -> Options {
        Options {
            seed: self.seed,
            pointer: if self.pointer == "4" {
                Pointer::Four
            } else {
                Pointer::Eight
            },
            compressed: self.compressed,
            merged: self.merged,
            compact_switches: self.compact,
        }
    }
}

type Sink = BufWriter<File>;

fn main() -> ExitCode {
    let (common, result) = match Cli::parse().scenario {
        Scenario::LockScreen(common) => {
            let result = write(&common, lock_screen::write);
            (common, result)
        }
        Scenario::Wmi(common) => {
            let result = write(&common, wmi::write);
            (common, result)
        }
        Scenario::Minimal(common) => {
            let result = write(&common, minimal::write);
            (common, result)
        }
        Scenario::Attention {
            undescribed,
            common,
        } => {
            let result = write(&common, |sink, options| {
                attention::write(sink, options, !undescribed)
            });
            (common, result)
        }
        Scenario::HotLoop {
            loop_permille,
            common,
        } => {
            let result = write(&common, |sink, options| {
                hot_loop::write(sink, options, loop_permille)
            });
            (common, result)
        }
        Scenario::ExitStorm { locked, common } => {
            let result = write(&common, |sink, options| {
                exit_storm::write(sink, options, locked)
            });
            (common, result)
        }
        Scenario::ThreadGrowth {
            threads,
            slope_ns,
            common,
        } => {
            let growth = thread_growth::Growth { threads, slope_ns };
            let result = write(&common, |sink, options| {
                thread_growth::write(sink, options, growth)
            });
            (common, result)
        }
        Scenario::SwitchStorm {
            count,
            per_second,
            common,
        } => {
            let storm = switch_storm::Storm { count, per_second };
            let result = write(&common, |sink, options| {
                switch_storm::write(sink, options, storm)
            });
            (common, result)
        }
        Scenario::UserLock {
            held_ms,
            messages,
            common,
        } => {
            let hold = user_lock::Hold {
                ms: held_ms,
                shows_messages: messages,
            };
            let result = write(&common, |sink, options| {
                user_lock::write(sink, options, hold)
            });
            (common, result)
        }
        Scenario::Random {
            events,
            lose_buffers,
            disorder,
            stacks,
            common,
        } => {
            let chaos = random::Chaos {
                events,
                lose_buffers,
                disorder,
                stacks,
            };
            let result = write(&common, |sink, options| random::write(sink, options, chaos));
            (common, result)
        }
        Scenario::Routine {
            seconds,
            change,
            size_percent,
            steady: is_steady,
            first_id,
            common,
        } => {
            let first_id = first_id / 4 * 4;
            let routine = routine::Routine {
                seconds,
                change,
                size_percent,
                is_steady,
                first_id,
            };
            let result = write(&common, |sink, options| {
                routine::write(sink, options, routine)
            });
            (common, result)
        }
        Scenario::Counters(common) => {
            let result = write(&common, counters::write);
            (common, result)
        }
        Scenario::Verdicts(common) => {
            let result = write(&common, verdicts::write);
            (common, result)
        }
        Scenario::Symbols { pdbs, common } => {
            let trace = write(&common, symbols::write);
            let result = with_pdbs(trace, pdbs.as_deref(), symbols::write_pdbs);
            (common, result)
        }
        Scenario::Bounds {
            rule: bound,
            just_not,
            pdbs,
            common,
        } => {
            let case = bounds::Case { bound, just_not };
            let trace = write(&common, |sink, options| bounds::write(sink, options, case));
            let result = with_pdbs(trace, pdbs.as_deref(), bounds::write_pdb);
            (common, result)
        }
        Scenario::Dotnet { methods, common } => {
            let result = write(&common, |sink, options| {
                dotnet::write(sink, options, methods)
            });
            (common, result)
        }
        Scenario::ManyProcessors { clock, common } => {
            let clock = match clock.as_str() {
                "system-time" => Clock::SystemTime,
                "cpu-cycles" => Clock::Cycles,
                _ => Clock::Qpc { hz: 10_000_000 },
            };
            let result = write(&common, |sink, options| {
                many_processors::write(sink, options, clock)
            });
            (common, result)
        }
        Scenario::Switches { threads, sized } => write_sized(sized, |sink, options, load| {
            switches::write_of_threads(sink, options, load, threads)
        }),
        Scenario::Generic(sized) => write_sized(sized, generic::write),
        Scenario::Stacks(sized) => write_sized(sized, stacks::write),
        Scenario::Io(sized) => write_sized(sized, io::write),
        Scenario::SlowDisk(sized) => write_sized(sized, slow_disk::write),
    };
    match result {
        Ok(truth) => {
            let Truth {
                events,
                context_switches,
                file_bytes,
                ..
            } = truth;
            let out = common.out.display();
            eprintln!(
                "{out}: {events} events, {context_switches} of them context switches, {file_bytes} bytes"
            );
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("outrank-synth: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Writes PDBs in addition to a trace, where they are asked for.
fn with_pdbs(
    trace: Result<Truth, String>,
    store: Option<&Path>,
    write_pdbs: impl FnOnce(&Path) -> std::io::Result<()>,
) -> Result<Truth, String> {
    let truth = trace?;
    if let Some(store) = store {
        write_pdbs(store).map_err(|problem| about(store, &problem))?;
    }
    Ok(truth)
}

fn write_sized(
    sized: SizedLoad,
    scenario: impl FnOnce(Sink, Options, Load) -> Result<(Sink, Truth), WriteError>,
) -> (Common, Result<Truth, String>) {
    let load = sized.load();
    let result = write(&sized.common, |sink, options| scenario(sink, options, load));
    (sized.common, result)
}

fn write(
    common: &Common,
    scenario: impl FnOnce(Sink, Options) -> Result<(Sink, Truth), WriteError>,
) -> Result<Truth, String> {
    let truth = write_trace(common, scenario).map_err(|problem| about(&common.out, &problem))?;
    if let Some(path) = &common.truth {
        write_truth(path, &truth).map_err(|problem| about(path, &problem))?;
    }
    Ok(truth)
}

fn about(path: &Path, problem: &impl Display) -> String {
    format!("{}: {problem}", path.display())
}

fn write_trace(
    common: &Common,
    scenario: impl FnOnce(Sink, Options) -> Result<(Sink, Truth), WriteError>,
) -> Result<Truth, WriteError> {
    let sink = BufWriter::with_capacity(1 << 20, File::create(&common.out)?);
    let (mut sink, truth) = scenario(sink, common.options())?;
    sink.flush()?;
    Ok(truth)
}

fn write_truth(path: &Path, truth: &Truth) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    serde_json::to_writer_pretty(&mut file, truth)?;
    file.write_all(b"\n")
}
