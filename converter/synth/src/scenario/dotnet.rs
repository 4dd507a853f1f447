//! `dotnet`: samples in two .NET programs, whose code lies at the same addresses. Only the rundown at the end names
//! most methods, and the event of one method is cut short. A dynamic method is unloaded, and its memory is used again.

use std::io::{Seek, Write};

use super::Options;
use crate::events::clr::{ClrChange, ClrMethod, ClrModule};
use crate::events::image::{ImageChange, ImageEvent};
use crate::events::process::{ProcessChange, ProcessEvent, ProcessInfo};
use crate::events::profile::{CollectionStart, SampledProfile, StackWalk};
use crate::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use crate::file::event::{At, Header, Origin};
use crate::file::writer::{TraceWriter, WriteError};
use crate::truth::Truth;

const BUFFER_BYTES: u32 = 0x1_0000;
const MS: i64 = 10_000;
/// Samples, 1 ms apart, in turn of [`TURN`].
const SAMPLES: i64 = 500;

const SHOP: Origin = Origin {
    pid: 3000,
    tid: 3004,
};
const BANK: Origin = Origin {
    pid: 4000,
    tid: 4004,
};
const CLR: u64 = 0x7FFE_2000_0000;
const NATIVE_IMAGE: u64 = 0x7FFE_3000_0000;
const IMAGE_BYTES: u32 = 0x10_0000;
/// Where both programs have the code of their methods.
const CODE: u64 = 0x7FF8_4000_0000;
/// Memory that is used by two methods, one after the other.
const REUSED: u64 = CODE + 0x8000;
/// Where methods without samples begin.
const MANY: u64 = 0x7FF9_0000_0000;
/// When the memory is given up, and when it is used again, in ms after the samples began.
const UNLOAD_MS: i64 = 200;
const LOAD_MS: i64 = 300;

const PROGRAM_MODULE: u64 = 0x7FF8_1000;
const CORE_MODULE: u64 = 0x7FF8_2000;
/// A module that no event describes.
const DYNAMIC_MODULE: u64 = 0x7FF8_3000;

/// Where the samples are, by turns, and what is so called.
const TURN: [(Origin, u64); 10] = [
    // Shop.Cart.Add
    (SHOP, CODE + 0x10),
    (SHOP, CODE + 0x20),
    // The same method, compiled anew.
    (SHOP, CODE + 0x1010),
    // Shop.Cart.Total
    (SHOP, CODE + 0x110),
    // System.String.Concat, in an image.
    (SHOP, NATIVE_IMAGE + 0x2010),
    // dynamicClass.Format, then no method, then Shop.Report.Print.
    (SHOP, REUSED + 0x50),
    // In the runtime itself.
    (SHOP, CLR + 0x500),
    // Bank.Ledger.Post
    (BANK, CODE + 0x10),
    (BANK, CODE + 0x110),
    // The method whose event is cut.
    (BANK, CODE + 0x2010),
];

/// Writes the trace, with so many further methods that were never sampled.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    further: u32,
) -> Result<(W, Truth), WriteError> {
    let mut writer = options.writer(sink, 1, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let start = CollectionStart { interval: 10_000 };
    writer.kernel(At::new(0, session.start_ticks), Header::PerfInfo, &start)?;
    let mut ticks = rundown(&mut writer, session.start_ticks)?;
    let format = method(REUSED, 0x80, DYNAMIC_MODULE, "dynamicClass", "Format");
    let print = method(REUSED + 0x40, 0x100, PROGRAM_MODULE, "Shop.Report", "Print");
    for (number, place) in (0..SAMPLES).zip(TURN.into_iter().cycle()) {
        let told = match number {
            0 => Some((format, ClrChange::Load)),
            UNLOAD_MS => Some((format, ClrChange::Unload)),
            LOAD_MS => Some((print, ClrChange::Load)),
            _ => None,
        };
        if let Some((method, change)) = told {
            writer.provider(At::new(0, ticks), SHOP, &method.event(change))?;
        }
        sample(&mut writer, ticks + 8, place)?;
        ticks += MS;
    }
    let end_ticks = clr_rundown(&mut writer, ticks, further)? + MS;
    let (sink, written) = writer.finish(end_ticks)?;
    let truth = Truth::new("dotnet", options.seed, &session, end_ticks, &written);
    Ok((sink, truth))
}

fn method<'a>(
    start: u64,
    size_bytes: u32,
    module_id: u64,
    namespace: &'a str,
    name: &'a str,
) -> ClrMethod<'a> {
    ClrMethod {
        start,
        size_bytes,
        module_id,
        namespace,
        name,
        signature: "instance void ()",
    }
}

/// A method of the program itself.
fn program<'a>(start: u64, size_bytes: u32, namespace: &'a str, name: &'a str) -> ClrMethod<'a> {
    method(start, size_bytes, PROGRAM_MODULE, namespace, name)
}

/// A sample with its stack: the place itself, called by the runtime.
fn sample<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    ticks: i64,
    (thread, address): (Origin, u64),
) -> Result<(), WriteError> {
    let sample = SampledProfile {
        version: 2,
        instruction_pointer: address,
        tid: thread.tid,
        flags: 0,
        priority: 8,
        rank: 0,
    };
    let stack = StackWalk {
        event_ticks: ticks,
        pid: thread.pid,
        tid: thread.tid,
        addresses: vec![address, CLR + 0x1000],
    };
    writer.kernel(At::new(0, ticks), Header::PerfInfo, &sample)?;
    writer.kernel(At::new(0, ticks + 1), Header::PerfInfo, &stack)
}

/// Processes, threads and images; answers when it was done.
fn rundown<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    mut ticks: i64,
) -> Result<i64, WriteError> {
    let system = Header::System(Origin::default());
    for (Origin { pid, tid }, name) in [(SHOP, "shop.exe"), (BANK, "bank.exe")] {
        ticks += 8;
        let process = ProcessEvent {
            change: ProcessChange::RundownStart,
            version: 4,
            process: &ProcessInfo::new(pid, 4, name),
        };
        writer.kernel(At::new(0, ticks), system, &process)?;
        let thread = ThreadEvent {
            change: ThreadChange::RundownStart,
            version: 3,
            thread: &ThreadInfo::new(pid, tid, 8),
        };
        writer.kernel(At::new(0, ticks + 1), system, &thread)?;
        for (base, file) in [(CLR, "clr.dll"), (NATIVE_IMAGE, "mscorlib.ni.dll")] {
            ticks += 8;
            let path = format!(r"\Device\HarddiskVolume3\Windows\{file}");
            let image = ImageEvent {
                change: ImageChange::RundownStart,
                version: 3,
                base,
                size_bytes: IMAGE_BYTES,
                pid,
                path: &path,
            };
            writer.kernel(At::new(0, ticks), system, &image)?;
        }
    }
    Ok(ticks + 8)
}

/// What the runtimes tell when the session ends; answers when it was done.
fn clr_rundown<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    mut ticks: i64,
    further: u32,
) -> Result<i64, WriteError> {
    let core = r"C:\Windows\Microsoft.NET\mscorlib.dll";
    let programs = [(SHOP, r"C:\Shop\shop.exe"), (BANK, r"C:\Bank\bank.exe")];
    for (process, il_path) in programs {
        for (id, il_path) in [(PROGRAM_MODULE, il_path), (CORE_MODULE, core)] {
            ticks += 1;
            let module = ClrModule { id, il_path }.event(ClrChange::RundownEnd);
            writer.provider(At::new(0, ticks), process, &module)?;
        }
    }
    let core = method(
        NATIVE_IMAGE + 0x2000,
        0x100,
        CORE_MODULE,
        "System.String",
        "Concat",
    );
    let told = [
        (SHOP, program(CODE, 0x100, "Shop.Cart", "Add")),
        (SHOP, program(CODE + 0x1000, 0x80, "Shop.Cart", "Add")),
        (SHOP, program(CODE + 0x100, 0x100, "Shop.Cart", "Total")),
        (SHOP, program(REUSED + 0x40, 0x100, "Shop.Report", "Print")),
        (SHOP, core),
        (BANK, program(CODE, 0x200, "Bank.Ledger", "Post")),
    ];
    for (process, method) in told {
        ticks += 1;
        let event = method.event(ClrChange::RundownEnd);
        writer.provider(At::new(0, ticks), process, &event)?;
    }
    let mut cut =
        program(CODE + 0x2000, 0x100, "Bank.Ledger", "Close").event(ClrChange::RundownEnd);
    cut.payload.truncate(64);
    writer.provider(At::new(0, ticks + 1), BANK, &cut)?;
    for number in 0..further {
        ticks += 1;
        let namespace = format!("Shop.Generated.Type{}", number / 16);
        let name = format!("Method{}", number % 5000);
        let start = MANY + u64::from(number) * 0x100;
        let event = program(start, 0x80, &namespace, &name).event(ClrChange::RundownEnd);
        writer.provider(At::new(0, ticks), SHOP, &event)?;
    }
    Ok(ticks + 2)
}
