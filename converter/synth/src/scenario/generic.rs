//! `generic`: many events of providers. Two describe their events in each event (TraceLogging), two by a manifest that the
//! trace carries as a merged one does; 200 000 events a second.

use std::io::{Seek, Write};

use super::crowd::{IMAGES, any_thread, rundown};
use super::{Load, Options};
use crate::events::manifest::{ManifestEvent, Value as ManifestValue};
use crate::events::trace_logging::{Value, trace_logging};
use crate::file::bytes::Guid;
use crate::file::event::{At, Origin, ProviderEvent};
use crate::file::writer::WriteError;
use crate::sim::rng::Rng;
use crate::truth::Truth;

const RENDERER: Guid = Guid::from_u128(0x5c0ffee5_0001_4d5a_9000_0b1eed5eed01);
const STORE: Guid = Guid::from_u128(0x5c0ffee5_0002_4d5a_9000_0b1eed5eed02);
const POWER: Guid = Guid::from_u128(0x331c3b3a_2005_44c2_ac5e_77220c37d6b4);
const DNS: Guid = Guid::from_u128(0x1c95126e_7eea_49a9_a3fe_a378b03ddb4d);

const BUFFER_BYTES: u32 = 0x1_0000;
/// Mean distance of events, in ticks.
const STEP: i64 = 50;
const NAMES: [&str; 4] = [
    "example.org",
    "update.example.com",
    "cdn-7.example.net",
    "localhost",
];

/// Writes the trace; memory does not grow with the number of events.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    load: Load,
) -> Result<(W, Truth), WriteError> {
    let mut writer = options.writer(sink, load.cpu_count, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let mut rng = Rng::new(options.seed);
    let mut ticks = rundown(&mut writer, session.start_ticks, false)?;
    let (tid, pid) = session.origin;
    for event in [power(&mut rng), dns(&mut rng)] {
        ticks += STEP;
        let description = event.description(Origin { tid, pid }, ticks);
        writer.raw(At::new(0, ticks), &description)?;
    }
    for number in 0..load.count {
        ticks += rng.within(1..2 * STEP);
        let cpu = rng.below(load.cpu_count);
        let thread = any_thread(rng.below(8) as usize % IMAGES.len(), &mut rng);
        let at = At::new(u16::try_from(cpu).unwrap_or(0), ticks);
        writer.provider(at, thread, &event(number, &mut rng))?;
    }
    let end_ticks = rundown(&mut writer, ticks, true)? + STEP;
    let (sink, written) = writer.finish(end_ticks)?;
    let truth = Truth::new("generic", options.seed, &session, end_ticks, &written);
    Ok((sink, truth))
}

fn event(number: u64, rng: &mut Rng) -> ProviderEvent {
    match rng.below(4) {
        0 => trace_logging(
            RENDERER,
            "Bench.Renderer",
            "FramePresented",
            &[
                ("frame", Value::UInt64(number)),
                ("targetTicks", Value::UInt64(rng.bits() >> 20)),
                ("queuedFrames", Value::UInt32(rng.below(4))),
            ],
        ),
        1 => trace_logging(
            STORE,
            "Bench.Store",
            "ItemRead",
            &[
                (
                    "path",
                    Value::Text(format!(r"C:\Data\item{:06}.bin", rng.below(100_000))),
                ),
                ("bytes", Value::UInt32(rng.below(1 << 20))),
                ("hitCache", Value::UInt32(rng.below(2))),
            ],
        ),
        2 => power(rng).event(),
        _ => dns(rng).event(),
    }
}

fn power(rng: &mut Rng) -> ManifestEvent {
    ManifestEvent {
        provider: POWER,
        provider_name: "Microsoft-Windows-Kernel-Power",
        id: 88,
        version: 0,
        task: (63, "ProcessorPower"),
        opcode: (0, "win:Info"),
        keywords: 0x8000_0000_0000_0004,
        fields: vec![
            ("Processor", ManifestValue::UInt32(rng.below(16))),
            ("OldState", ManifestValue::UInt32(rng.below(4))),
            ("NewState", ManifestValue::UInt32(rng.below(4))),
            ("Temperature", ManifestValue::Int32(-5)),
        ],
    }
}

fn dns(rng: &mut Rng) -> ManifestEvent {
    let name = NAMES.get(rng.below(4) as usize).copied();
    ManifestEvent {
        provider: DNS,
        provider_name: "Microsoft-Windows-DNS-Client",
        id: 3006,
        version: 0,
        task: (0, ""),
        opcode: (0, "win:Info"),
        keywords: 0x8000_0000_0000_0000,
        fields: vec![
            (
                "QueryName",
                ManifestValue::AnsiText(name.unwrap_or_default()),
            ),
            ("QueryType", ManifestValue::UInt32(1)),
            ("Status", ManifestValue::UInt32(rng.below(3))),
        ],
    }
}
