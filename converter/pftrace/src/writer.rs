//! One method per packet of a converted trace.

use crate::annotation::Annotations;
use crate::etw_bundle::{ContextSwitch, EtwBundle};
use crate::field::{
    clock_snapshot, ftrace, packet, process_tree, sequence_flags, service_event, task_state, trace,
    track_event,
};
use crate::interned::Interned;
use crate::log_batch::{LogBatch, LogMessage};
use crate::perf_sample::PerfSample;
use crate::track::Track;
use crate::wire::{LongMessage, Wire};

/// Scheduling events, samples and log messages between two flush markers: without them the importer parses nothing
/// before the end of the file.
const EVENTS_BETWEEN_FLUSHES: u32 = 65_536;

/// Packet sequence of track descriptors; events on a sequence with thread descriptors would get an extra argument.
const DESCRIPTOR_SEQUENCE: u64 = 1;
/// Packet sequence of track events.
const EVENT_SEQUENCE: u64 = 2;
/// Packet sequence of profile samples and of what they share.
const SAMPLE_SEQUENCE: u64 = 3;
/// Packet sequence of instants whose names are written once, and of these names.
const NAMED_SEQUENCE: u64 = 4;

/// Collects the packets of a trace as bytes. Timestamps are ns on the trace clock and must not fall.
#[derive(Debug, Default)]
pub struct TraceWriter {
    out: Vec<u8>,
    bundles: Vec<EtwBundle>,
    log: LogBatch,
    /// UTC time, in ns since 1970, at which the trace clock is zero; wraps below.
    utc_at_zero_ns: u64,
    events_since_flush: u32,
    last_ts_ns: u64,
}

impl TraceWriter {
    /// A writer without packets.
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes collected since the last [`TraceWriter::take`], open bundles and log messages left out.
    pub fn pending_bytes(&self) -> usize {
        self.out.len()
    }

    /// Takes the collected bytes, leaving `empty` (cleared) to collect into.
    pub fn take(&mut self, mut empty: Vec<u8>) -> Vec<u8> {
        empty.clear();
        std::mem::replace(&mut self.out, empty)
    }

    /// Pairs the trace clock with UTC (ns since 1970) and makes it the trace's own.
    pub fn clock_snapshot(&mut self, ts_ns: u64, utc_ns: u64) {
        self.utc_at_zero_ns = utc_ns.wrapping_sub(ts_ns);
        self.packet(ts_ns, None, |p| {
            p.short_message(packet::CLOCK_SNAPSHOT, |m| {
                for (id, time_ns) in [
                    (clock_snapshot::BOOTTIME, ts_ns),
                    (clock_snapshot::REALTIME, utc_ns),
                ] {
                    m.short_message(clock_snapshot::CLOCKS, |clock| {
                        clock.uint(clock_snapshot::CLOCK_ID, id);
                        clock.uint(clock_snapshot::CLOCK_TIMESTAMP, time_ns);
                    });
                }
                m.uint(
                    clock_snapshot::PRIMARY_TRACE_CLOCK,
                    clock_snapshot::BOOTTIME,
                );
            });
        });
    }

    /// A context switch on `cpu`, put into that CPU's bundle.
    #[inline]
    pub fn context_switch(&mut self, cpu: u16, ts_ns: u64, switch: &ContextSwitch) {
        self.scheduling_event(cpu, ts_ns, |bundle| bundle.context_switch(ts_ns, switch));
    }

    /// `readied_tid` is made ready by `waker_tid` (0: from a DPC, or unknown), recorded on `cpu`.
    #[inline]
    pub fn ready_thread(&mut self, cpu: u16, ts_ns: u64, readied_tid: u32, waker_tid: u32) {
        self.scheduling_event(cpu, ts_ns, |bundle| {
            bundle.ready_thread(ts_ns, readied_tid, waker_tid);
        });
    }

    /// A log message. Needs a clock snapshot before it: the packet carries UTC, which the importer converts back.
    pub fn log(&mut self, ts_ns: u64, message: &LogMessage<'_>) {
        self.last_ts_ns = ts_ns;
        let utc_ns = self.utc_at_zero_ns.wrapping_add(ts_ns);
        self.log.add(ts_ns, utc_ns, message);
        if self.log.is_full() {
            self.log.write_out(&mut self.out);
        }
        self.count_to_flush();
    }

    /// A sample of a counter track. The engine keeps integers up to 2^53 exactly.
    #[inline]
    pub fn counter(&mut self, ts_ns: u64, track_uuid: u64, value: u64) {
        self.last_ts_ns = ts_ns;
        self.out.short_message(trace::PACKET, |p| {
            p.uint(packet::TIMESTAMP, ts_ns);
            p.uint(packet::SEQUENCE_ID, EVENT_SEQUENCE);
            p.short_message(packet::TRACK_EVENT, |m| {
                m.uint(track_event::TYPE, track_event::TYPE_COUNTER);
                m.uint(track_event::TRACK_UUID, track_uuid);
                m.uint(track_event::COUNTER_VALUE, value);
            });
        });
    }

    /// An instant on a track, with the annotations that `fill` adds.
    pub fn instant(
        &mut self,
        ts_ns: u64,
        track_uuid: u64,
        name: &str,
        fill: impl FnOnce(&mut Annotations<'_>),
    ) {
        self.packet(ts_ns, Some(EVENT_SEQUENCE), |p| {
            p.message(packet::TRACK_EVENT, |m| {
                m.uint(track_event::TYPE, track_event::TYPE_INSTANT);
                m.uint(track_event::TRACK_UUID, track_uuid);
                m.bytes(track_event::NAME, name.as_bytes());
                fill(&mut Annotations { event: m });
            });
        });
    }

    /// Begins the sequence of named instants: names that were given before mean nothing from here on.
    pub fn begin_names(&mut self, ts_ns: u64) {
        self.begin_sequence(ts_ns, NAMED_SEQUENCE);
    }

    /// Gives later instants a name, by its number.
    pub fn name(&mut self, ts_ns: u64, iid: u64, name: &str) {
        self.packet(ts_ns, Some(NAMED_SEQUENCE), |p| {
            p.uint(
                packet::SEQUENCE_FLAGS,
                sequence_flags::NEEDS_INCREMENTAL_STATE,
            );
            p.message(packet::INTERNED_DATA, |m| {
                Interned { data: m }.event_name(iid, name);
            });
        });
    }

    /// An instant on a track, with a name that was given before.
    #[inline]
    pub fn named_instant(&mut self, ts_ns: u64, track_uuid: u64, name_iid: u64) {
        self.last_ts_ns = ts_ns;
        self.out.short_message(trace::PACKET, |p| {
            p.uint(packet::TIMESTAMP, ts_ns);
            p.uint(packet::SEQUENCE_ID, NAMED_SEQUENCE);
            p.uint(
                packet::SEQUENCE_FLAGS,
                sequence_flags::NEEDS_INCREMENTAL_STATE,
            );
            p.short_message(packet::TRACK_EVENT, |m| {
                m.uint(track_event::TYPE, track_event::TYPE_INSTANT);
                m.uint(track_event::NAME_IID, name_iid);
                m.uint(track_event::TRACK_UUID, track_uuid);
            });
        });
    }

    /// Begins the sequence of samples: what they refer to must be given from here on.
    pub fn begin_samples(&mut self, ts_ns: u64) {
        self.begin_sequence(ts_ns, SAMPLE_SEQUENCE);
    }

    /// What later samples refer to: mappings, frames and callstacks.
    pub fn interned(&mut self, ts_ns: u64, fill: impl FnOnce(&mut Interned<'_>)) {
        self.packet(ts_ns, Some(SAMPLE_SEQUENCE), |p| {
            p.uint(
                packet::SEQUENCE_FLAGS,
                sequence_flags::NEEDS_INCREMENTAL_STATE,
            );
            p.message(packet::INTERNED_DATA, |m| fill(&mut Interned { data: m }));
        });
    }

    /// A profile sample; what it refers to must have come before.
    pub fn perf_sample(&mut self, ts_ns: u64, sample: &PerfSample) {
        self.last_ts_ns = ts_ns;
        self.out.short_message(trace::PACKET, |p| {
            p.uint(packet::TIMESTAMP, ts_ns);
            p.uint(packet::SEQUENCE_ID, SAMPLE_SEQUENCE);
            p.uint(
                packet::SEQUENCE_FLAGS,
                sequence_flags::NEEDS_INCREMENTAL_STATE,
            );
            p.short_message(packet::PERF_SAMPLE, |m| sample.write(m));
        });
        self.count_to_flush();
    }

    /// Describes a track; a new UUID for a known pid or tid starts a new incarnation.
    pub fn track(&mut self, ts_ns: u64, uuid: u64, track: &Track<'_>) {
        self.log.write_out(&mut self.out);
        self.packet(ts_ns, Some(DESCRIPTOR_SEQUENCE), |p| {
            p.message(packet::TRACK_DESCRIPTOR, |m| track.write(uuid, m));
        });
    }

    /// Parent and command line of a process; the first element of `command_line` is the image name.
    pub fn process_tree(
        &mut self,
        ts_ns: u64,
        pid: u32,
        parent_pid: Option<u32>,
        command_line: &[&str],
    ) {
        self.packet(ts_ns, None, |p| {
            p.message(packet::PROCESS_TREE, |tree| {
                tree.message(process_tree::PROCESSES, |m| {
                    m.uint(process_tree::PID, u64::from(pid));
                    if let Some(parent_pid) = parent_pid {
                        m.uint(process_tree::PPID, u64::from(parent_pid));
                    }
                    for element in command_line {
                        m.bytes(process_tree::CMDLINE, element.as_bytes());
                    }
                });
            });
        });
    }

    /// A thread comes into being: frees the tid from an earlier thread of that number.
    pub fn thread_created(&mut self, ts_ns: u64, tid: u32) {
        self.log.write_out(&mut self.out);
        self.packet(ts_ns, None, |p| {
            p.short_message(packet::GENERIC_KERNEL_TASK_STATE_EVENT, |m| {
                m.uint(task_state::TID, u64::from(tid));
                m.uint(task_state::STATE, task_state::CREATED);
            });
        });
    }

    /// The thread or process of this id ends here; must stand after the thread's last switch-out.
    pub fn task_free(&mut self, ts_ns: u64, id: u32) {
        self.log.write_out(&mut self.out);
        self.packet(ts_ns, None, |p| {
            p.short_message(packet::FTRACE_EVENTS, |bundle| {
                bundle.uint(ftrace::CPU, 0);
                bundle.short_message(ftrace::EVENT, |event| {
                    event.uint(ftrace::TIMESTAMP, ts_ns);
                    event.uint(ftrace::PID, u64::from(id));
                    event.short_message(ftrace::SCHED_PROCESS_FREE, |m| {
                        m.uint(ftrace::SCHED_PROCESS_FREE_PID, u64::from(id));
                    });
                });
            });
        });
    }

    /// Writes out all open bundles and log messages, then tells the importer that it may parse what came so far.
    pub fn flush(&mut self) {
        for (cpu, bundle) in (0_u16..).zip(&mut self.bundles) {
            bundle.write_out(cpu, &mut self.out);
        }
        self.log.write_out(&mut self.out);
        self.events_since_flush = 0;
        let ts_ns = self.last_ts_ns;
        for field in [
            service_event::ALL_DATA_SOURCES_FLUSHED,
            service_event::ALL_DATA_SOURCES_FLUSHED,
            service_event::READ_TRACING_BUFFERS_COMPLETED,
        ] {
            self.packet(ts_ns, None, |p| {
                p.short_message(packet::SERVICE_EVENT, |m| m.uint(field, 1));
            });
        }
    }

    #[inline]
    fn scheduling_event(&mut self, cpu: u16, ts_ns: u64, add: impl FnOnce(&mut EtwBundle)) {
        self.last_ts_ns = ts_ns;
        let index = usize::from(cpu);
        if self.bundles.len() <= index {
            self.bundles.resize_with(index + 1, EtwBundle::default);
        }
        if let Some(bundle) = self.bundles.get_mut(index) {
            add(bundle);
            if bundle.is_full() {
                bundle.write_out(cpu, &mut self.out);
            }
        }
        self.count_to_flush();
    }

    #[inline]
    fn count_to_flush(&mut self) {
        self.events_since_flush += 1;
        if self.events_since_flush >= EVENTS_BETWEEN_FLUSHES {
            self.flush();
        }
    }

    fn begin_sequence(&mut self, ts_ns: u64, sequence: u64) {
        self.packet(ts_ns, Some(sequence), |p| {
            p.uint(
                packet::SEQUENCE_FLAGS,
                sequence_flags::INCREMENTAL_STATE_CLEARED,
            );
        });
    }

    fn packet(&mut self, ts_ns: u64, sequence: Option<u64>, fill: impl FnOnce(&mut Vec<u8>)) {
        self.last_ts_ns = self.last_ts_ns.max(ts_ns);
        self.out.message(trace::PACKET, |p| {
            p.uint(packet::TIMESTAMP, ts_ns);
            if let Some(sequence) = sequence {
                p.uint(packet::SEQUENCE_ID, sequence);
            }
            fill(p);
        });
    }
}
