//! How long interrupts took, on a track for each routine on each CPU.

use facts::{InterruptRoutine, Interrupted};
use pftrace::{TraceWriter, Track};
use rustc_hash::FxHashSet;

use super::tracks::{CPU_INTERRUPT_TRACKS, ETW_TRACK, INTERRUPT_TRACKS};

/// Tracks that are remembered, before all are described anew where they are used: 1 MiB.
const TRACKS_MAX: usize = 1 << 16;
const NUMBER_BITS: u32 = 17;
const _: () = assert!(InterruptRoutine::NUMBER_MAX < 1 << NUMBER_BITS);

/// The tracks that are described.
#[derive(Debug, Default)]
pub struct Routines {
    described: FxHashSet<u64>,
}

impl Routines {
    /// Writes how long an interrupt took, at its end.
    pub fn interrupt(&mut self, interrupt: &Interrupted, writer: &mut TraceWriter) {
        let ts_ns = interrupt.te_ns;
        let cpu_uuid = CPU_INTERRUPT_TRACKS + u64::from(interrupt.cpu);
        let uuid = INTERRUPT_TRACKS
            + (u64::from(interrupt.cpu) << NUMBER_BITS)
            + u64::from(interrupt.number);
        if self.described.len() >= TRACKS_MAX {
            self.described.clear();
        }
        if self.described.insert(cpu_uuid) {
            let track = Track::Within {
                name: &format!("etw.interrupt {}", interrupt.cpu),
                parent_uuid: ETW_TRACK,
            };
            writer.track(ts_ns, cpu_uuid, &track);
        }
        if self.described.insert(uuid) {
            let track = Track::Counter {
                name: &name(interrupt),
                parent_uuid: cpu_uuid,
            };
            writer.track(ts_ns, uuid, &track);
        }
        writer.counter(ts_ns, uuid, ts_ns.saturating_sub(interrupt.ts_ns));
    }
}

/// Such as `dpc tcpip.sys+0x1a2b`.
fn name(interrupt: &Interrupted) -> String {
    let kind = interrupt.source.kind.name();
    let file = |path: &str| path.rsplit('\\').next().map(str::to_owned);
    match (interrupt.module.as_deref().and_then(file), interrupt.rva) {
        (Some(file), Some(rva)) => format!("{kind} {file}+{rva:#x}"),
        _ => format!("{kind} {:#x}", interrupt.source.routine),
    }
}
