//! What Windows recorded: every payload of `etw/tests/recorded/payloads.tsv` and what it is decoded into.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::fmt::{Debug, Write};

use etl::TraceFile;
use etw::{
    ContextSwitch, GroupMasks, Image, Interrupt, InterruptKind, PointerWidth, Process,
    ProfileInterval, ReadyThread, SampledProfile, StackWalk, Thread, hook,
};
use support::{Etl, converted};
use synth::file::bytes::{Bytes, Pointer};
use synth::file::event::KernelEvent;
use synth::file::session::Session;
use tempfile::TempDir;

const RECORDED: &str = include_str!("../../etw/tests/recorded/payloads.tsv");
/// A row that is no payload but a header with two counters before it; see `counters.rs`.
const HEADER: &str = "HeaderPerfInfo64_CSwitch_2PMC";

/// The hook ids of the events as the file names them.
const HOOKS: [(&str, u16); 97] = [
    ("ImageUnload", 0x1402),
    ("ImageDCStart", 0x1403),
    ("ImageDCEnd", 0x1404),
    ("ImageLoad", 0x030A),
    ("ImageKernelBase", 0x1421),
    ("EventTraceEventExtension", 0x0005),
    ("PerfInfoSampleProf", 0x0F2E),
    ("PerfInfoISRMSI", 0x0F32),
    ("PerfInfoSysClEnter", 0x0F33),
    ("PerfInfoSysClExit", 0x0F34),
    ("PerfInfoDebuggerEnabled", 0x0F3A),
    ("PerfInfoThreadedDPC", 0x0F42),
    ("PerfInfoISR", 0x0F43),
    ("PerfInfoDPC", 0x0F44),
    ("PerfInfoTimerDPC", 0x0F45),
    ("PerfInfoCollectionStart", 0x0F49),
    ("PerfInfoCollectionEnd", 0x0F4A),
    ("PerfInfoCollectionStartSecond", 0x0F4B),
    ("PerfInfoCollectionEndSecond", 0x0F4C),
    ("ProcessStart", 0x0301),
    ("ProcessEnd", 0x0302),
    ("ProcessDCStart", 0x0303),
    ("ProcessDCEnd", 0x0304),
    ("ProcessTerminate", 0x030B),
    ("ProcessPerfCtr", 0x0320),
    ("ProcessPerfCtrRundown", 0x0321),
    ("ProcessDefunct", 0x0327),
    ("ThreadStart", 0x0501),
    ("ThreadEnd", 0x0502),
    ("ThreadDCStart", 0x0503),
    ("ThreadDCEnd", 0x0504),
    ("ThreadCSwitch", 0x0524),
    ("ThreadSpinLock", 0x0529),
    ("ThreadSetPriority", 0x0530),
    ("ThreadSetBasePriority", 0x0531),
    ("ThreadReadyThread", 0x0532),
    ("ThreadSetPagePriority", 0x0533),
    ("ThreadSetIoPriority", 0x0534),
    ("ThreadAutoBoostSetFloor", 0x0542),
    ("ThreadAutoBoostClearFloor", 0x0543),
    ("ThreadAutoBoostEntryExhaustion", 0x0544),
    ("TcplpSendIPV4", 0x060A),
    ("TcplpRecvIPV4", 0x060B),
    ("TcplpConnectIPV4", 0x060C),
    ("TcplpDisconnectIPV4", 0x060D),
    ("TcplpRetransmitIPV4", 0x060E),
    ("TcplpTCPCopyIPV4", 0x0612),
    ("RegistryCreate", 0x090A),
    ("RegistryOpen", 0x090B),
    ("RegistryQuery", 0x090D),
    ("RegistrySetValue", 0x090E),
    ("RegistryQueryValue", 0x0910),
    ("RegistryEnumerateKey", 0x0911),
    ("RegistryEnumerateValueKey", 0x0912),
    ("RegistrySetInformation", 0x0914),
    ("RegistryKCBCreate", 0x0916),
    ("RegistryKCBDelete", 0x0917),
    ("RegistryKCBRundownEnd", 0x0919),
    ("RegistryClose", 0x091B),
    ("RegistrySetSecurity", 0x091C),
    ("RegistryQuerySecurity", 0x091D),
    ("RegistryCounters", 0x0922),
    ("RegistryConfig", 0x0923),
    ("FileIOFileCreate", 0x0420),
    ("FileIOFileDelete", 0x0423),
    ("FileIOFileRundown", 0x0424),
    ("FileIOCreate", 0x0440),
    ("FileIOCleanup", 0x0441),
    ("FileIOClose", 0x0442),
    ("FileIORead", 0x0443),
    ("FileIOWrite", 0x0444),
    ("FileIOSetInfo", 0x0445),
    ("FileIODelete", 0x0446),
    ("FileIORename", 0x0447),
    ("FileIODirEnum", 0x0448),
    ("FileIOFlush", 0x0449),
    ("FileIOQueryInfo", 0x044A),
    ("FileIOFSControl", 0x044B),
    ("FileIOOperationEnd", 0x044C),
    ("FileIODirNotify", 0x044D),
    ("FileIODletePath", 0x044F),
    ("FileIORenamePath", 0x0450),
    ("DiskIORead", 0x010A),
    ("DiskIOWrite", 0x010B),
    ("DiskIOReadInit", 0x010C),
    ("DiskIOWriteInit", 0x010D),
    ("DiskIOFlushBuffers", 0x010E),
    ("DiskIOFlushInit", 0x010F),
    ("StackWalkStack", 0x1820),
    ("PageFaultTransitionFault", 0x020A),
    ("PageFaultDemandZeroFault", 0x020B),
    ("PageFaultCopyOnWrite", 0x020C),
    ("PageFaultHardPageFault", 0x020E),
    ("PageFaultAccessViolation", 0x020F),
    ("PageFaultHardFault", 0x0220),
    ("PageFaultVirtualAlloc", 0x0262),
    ("PageFaultVirtualFree", 0x0263),
];

/// A payload that Windows recorded.
struct Recorded {
    name: &'static str,
    hook: u16,
    width: PointerWidth,
    version: u8,
    payload: Vec<u8>,
}

impl KernelEvent for Recorded {
    fn hook(&self) -> u16 {
        self.hook
    }

    fn version(&self) -> u8 {
        self.version
    }

    fn write(&self, out: &mut Bytes) {
        out.raw(&self.payload);
    }
}

impl Recorded {
    fn pointer(&self) -> Pointer {
        match self.width {
            PointerWidth::Bits32 => Pointer::Four,
            PointerWidth::Bits64 => Pointer::Eight,
        }
    }

    /// What the payload tells, field by field.
    fn decoded(&self) -> String {
        let (version, width, payload) = (self.version, self.width, &self.payload[..]);
        let id = etl::HookId(self.hook);
        if let Some(kind) = InterruptKind::of(id) {
            return fields(Interrupt::decode(kind, version, width, payload));
        }
        match id {
            hook::TRACE_HEADER => self.log_file_header(),
            hook::TRACE_EXTENSION => fields(GroupMasks::decode(payload)),
            hook::CONTEXT_SWITCH => fields(ContextSwitch::decode(version, payload)),
            hook::READY_THREAD => fields(ReadyThread::decode(payload)),
            hook::SAMPLED_PROFILE => fields(SampledProfile::decode(version, width, payload)),
            hook::PROFILE_COLLECTION_START | hook::PROFILE_COLLECTION_END => {
                fields(ProfileInterval::decode(payload))
            }
            hook::STACK_WALK => fields(StackWalk::decode(width, payload)),
            hook::PROCESS_START
            | hook::PROCESS_END
            | hook::PROCESS_RUNDOWN_START
            | hook::PROCESS_RUNDOWN_END => fields(Process::decode(version, width, payload)),
            hook::THREAD_START
            | hook::THREAD_END
            | hook::THREAD_RUNDOWN_START
            | hook::THREAD_RUNDOWN_END => fields(Thread::decode(version, width, payload)),
            hook::IMAGE_LOAD
            | hook::IMAGE_UNLOAD
            | hook::IMAGE_RUNDOWN_START
            | hook::IMAGE_RUNDOWN_END => fields(Image::decode(version, width, payload)),
            _ => self.generic(),
        }
    }

    /// The generic event that the converter writes of it.
    fn generic(&self) -> String {
        let mut etl = Etl::of(Session {
            pointer: self.pointer(),
            ..Session::default()
        });
        etl.put(0, 10, self);
        let output = converted(&etl.finish());
        assert_eq!(
            output.converted.losses,
            Vec::<String>::new(),
            "{}",
            self.name
        );
        output.messages().join("; ")
    }

    /// What a file says when its first event has this payload.
    fn log_file_header(&self) -> String {
        let mut event = Bytes::new(self.pointer());
        let marker = if self.width == PointerWidth::Bits64 {
            2
        } else {
            1
        };
        let size = u16::try_from(0x20 + self.payload.len()).expect("it is small");
        event.u16(self.version.into()).u8(marker).u8(0xC0);
        event.u16(size).u16(0).fill(24, 0).raw(&self.payload);
        let event = event.as_slice();
        let end = u32::try_from(0x48 + event.len()).expect("it is small");
        let mut file = Bytes::new(self.pointer());
        file.u32(end)
            .fill(0x2C, 0)
            .u32(end)
            .u16(0)
            .u16(4)
            .fill(16, 0);
        file.raw(event);
        let folder = TempDir::new().expect("there is a temporary folder");
        let path = folder.path().join("trace.etl");
        std::fs::write(&path, file.as_slice()).expect("the temporary folder takes a file");
        format!("{:?}", TraceFile::open(&path).expect("it opens").header())
    }
}

fn fields<T: Debug, E: Debug>(decoded: Result<T, E>) -> String {
    format!("{:?}", decoded.expect("the payload is whole"))
}

fn recorded() -> Vec<Recorded> {
    let rows = RECORDED.lines().skip(1);
    let rows = rows.map(|row| {
        let columns: Vec<&str> = row.split('\t').collect();
        let [name, bits, version, bytes, hex, _source] =
            <[&str; 6]>::try_from(columns).expect("a row has six columns");
        let payload = hex.as_bytes().chunks(2).map(|digits| {
            let digits = std::str::from_utf8(digits).expect("digits are ASCII");
            u8::from_str_radix(digits, 16).expect("digits are hexadecimal")
        });
        let payload: Vec<u8> = payload.collect();
        assert_eq!(payload.len().to_string(), bytes, "{name}");
        let known = HOOKS.iter().find(|(known, _)| *known == name);
        Recorded {
            name,
            hook: known.map_or(0, |(_, hook)| *hook),
            width: match bits {
                "32" => PointerWidth::Bits32,
                _ => PointerWidth::Bits64,
            },
            version: version.parse().expect("a version is a number"),
            payload,
        }
    });
    rows.collect()
}

#[test]
fn every_payload_is_decoded() {
    let mut out = String::new();
    for recorded in recorded() {
        let Recorded { name, version, .. } = recorded;
        if name == HEADER {
            continue;
        }
        let bits = 8 * recorded.width.bytes();
        let decoded = recorded.decoded();
        let is_decoded = !decoded.is_empty() && !decoded.contains("$raw");
        assert!(is_decoded, "{name} {bits} v{version}: {decoded}");
        let _ = writeln!(out, "{name} {bits} v{version}: {decoded}");
    }
    insta::assert_snapshot!(out);
}
