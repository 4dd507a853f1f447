//! Layouts of events that no trace describes itself: the kernel's, and those of well-known providers.
//!
//! Source: the MOF classes and `ntwmi.h` for the kernel (§4), the providers' manifests (§6.7, §6.8, or as their files
//! say).

mod alpc;
mod clr;
mod disk_io;
mod event_trace;
mod file_io;
pub(crate) mod header;
mod http_service;
mod image;
mod image_id;
mod kernel_network;
mod kernel_power;
mod kernel_process;
mod memory;
mod names;
mod object;
mod perf_info;
mod pool;
mod power;
mod power_shell;
mod process;
mod registry;
mod rt_lost_event;
mod scheduler;
mod split_io;
mod sys_config;
mod sys_config_ex;
mod table;
mod tcp_ip;
mod udp_ip;
mod uiforetw;
mod win32k;

use std::sync::{LazyLock, OnceLock};

use etl::{Event, EventId, Guid, HookId};
use rustc_hash::FxHashMap;

use crate::event_schema::{EventSchema, SchemaKey};
use crate::walk::fits_exactly;
use table::Entry;

/// What the numbers of a table's events are.
#[derive(Clone, Copy)]
enum Numbers {
    Hooks,
    TypesOf(Guid),
    IdsOf(Guid),
}

const IMAGE_ID: Guid = Guid::new(0xb3e675d7_2554_4f18_830b_2762732560de);
const RT_LOST_EVENT: Guid = Guid::new(0x6a399ae0_4bc6_4de9_870b_3657f8947e7e);
const SYS_CONFIG_EX: Guid = Guid::new(0x9b79ee91_b5fd_41c0_a243_4248e266e9d0);
const KERNEL_PROCESS: Guid = Guid::new(0x22fb2cd6_0e7b_422b_a0c7_2fad1fd0e716);
const KERNEL_POWER: Guid = Guid::new(0x331c3b3a_2005_44c2_ac5e_77220c37d6b4);
const PROCESSOR_POWER: Guid = Guid::new(0x0f67e49f_fe51_4e9f_b490_6f2948cc6027);
const WIN32K: Guid = Guid::new(0x8c416c79_d49b_4f01_a467_e56d3aa8234c);
const CLR: Guid = Guid::new(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4);
const CLR_RUNDOWN: Guid = Guid::new(0xa669021c_c450_4609_a035_5af59af4df18);
const CLR_PRIVATE: Guid = Guid::new(0x763fd754_7086_4dfe_95eb_c01a46faf4ca);
const KERNEL_NETWORK: Guid = Guid::new(0x7dd42a49_5329_4832_8dfd_43d979153a88);
const HTTP_SERVICE: Guid = Guid::new(0xdd5ef90a_6398_47a4_ad34_4dcecdef795f);
const POWER_SHELL: Guid = Guid::new(0xa0c1853b_5c40_4b15_8766_3cf1c58f985a);
const MULTI_MAIN: Guid = Guid::new(0x231cf54b_22a0_49e4_a59a_47052a30ffed);
const MULTI_WORKER: Guid = Guid::new(0xe9c3da11_e2a5_48fd_9cd3_17e7c764d303);
const MULTI_FRAME_RATE: Guid = Guid::new(0x2b25961d_ba6e_4d79_bec7_3605366e2e09);
const MULTI_INPUT: Guid = Guid::new(0x70e2503b_c6f3_4780_b323_bd8ed0c61bf8);

#[rustfmt::skip]
const TABLES: &[(Numbers, &str, &[Entry])] = &[
    (Numbers::Hooks, "EventTrace", event_trace::EVENTS),
    (Numbers::Hooks, "DiskIo", disk_io::EVENTS),
    (Numbers::Hooks, "Memory", memory::EVENTS),
    (Numbers::Hooks, "Process", process::EVENTS),
    (Numbers::Hooks, "FileIo", file_io::EVENTS),
    (Numbers::Hooks, "Thread", scheduler::EVENTS),
    (Numbers::Hooks, "TcpIp", tcp_ip::EVENTS),
    (Numbers::Hooks, "UdpIp", udp_ip::EVENTS),
    (Numbers::Hooks, "Registry", registry::EVENTS),
    (Numbers::Hooks, "SysConfig", sys_config::EVENTS),
    (Numbers::Hooks, "PerfInfo", perf_info::EVENTS),
    (Numbers::Hooks, "Object", object::EVENTS),
    (Numbers::Hooks, "Power", power::EVENTS),
    (Numbers::Hooks, "Image", image::EVENTS),
    (Numbers::Hooks, "Pool", pool::EVENTS),
    (Numbers::Hooks, "ALPC", alpc::EVENTS),
    (Numbers::Hooks, "SplitIo", split_io::EVENTS),
    (Numbers::TypesOf(IMAGE_ID), "KernelTraceControl-ImageID", image_id::EVENTS),
    (Numbers::TypesOf(RT_LOST_EVENT), "RTLostEvent", rt_lost_event::EVENTS),
    (Numbers::TypesOf(SYS_CONFIG_EX), "KernelTraceControl-SysConfigEx", sys_config_ex::EVENTS),
    (Numbers::IdsOf(KERNEL_PROCESS), "Microsoft-Windows-Kernel-Process", kernel_process::EVENTS),
    (Numbers::IdsOf(KERNEL_POWER), "Microsoft-Windows-Kernel-Power", kernel_power::kernel::EVENTS),
    (
        Numbers::IdsOf(PROCESSOR_POWER),
        "Microsoft-Windows-Kernel-Processor-Power",
        kernel_power::processor::EVENTS,
    ),
    (Numbers::IdsOf(WIN32K), "Microsoft-Windows-Win32k", win32k::EVENTS),
    (Numbers::IdsOf(CLR), "Microsoft-Windows-DotNETRuntime", clr::gc::EVENTS),
    (Numbers::IdsOf(CLR), "Microsoft-Windows-DotNETRuntime", clr::heap::EVENTS),
    (Numbers::IdsOf(CLR), "Microsoft-Windows-DotNETRuntime", clr::loader::EVENTS),
    (Numbers::IdsOf(CLR), "Microsoft-Windows-DotNETRuntime", clr::method::EVENTS),
    (Numbers::IdsOf(CLR), "Microsoft-Windows-DotNETRuntime", clr::thread::EVENTS),
    (Numbers::IdsOf(CLR_RUNDOWN), "Microsoft-Windows-DotNETRuntimeRundown", clr::rundown::EVENTS),
    (Numbers::IdsOf(CLR_PRIVATE), "Microsoft-Windows-DotNETRuntimePrivate", clr::private::EVENTS),
    (Numbers::IdsOf(KERNEL_NETWORK), "Microsoft-Windows-Kernel-Network", kernel_network::EVENTS),
    (Numbers::IdsOf(HTTP_SERVICE), "Microsoft-Windows-HttpService", http_service::EVENTS),
    (Numbers::IdsOf(POWER_SHELL), "Microsoft-Windows-PowerShell", power_shell::EVENTS),
    (Numbers::IdsOf(MULTI_MAIN), "Multi-Main", uiforetw::main::EVENTS),
    (Numbers::IdsOf(MULTI_WORKER), "Multi-Worker", uiforetw::worker::EVENTS),
    (Numbers::IdsOf(MULTI_FRAME_RATE), "Multi-FrameRate", uiforetw::frame_rate::EVENTS),
    (Numbers::IdsOf(MULTI_INPUT), "Multi-Input", uiforetw::input::EVENTS),
];

/// For each version with layouts of its own, ascending, these layouts: more than one where the payload's length decides.
type Versions = Box<[(u8, Box<[EventSchema]>)]>;

/// An event that is written down here; most traces hold few of them.
struct Described {
    group: &'static str,
    name: &'static str,
    entry: &'static Entry,
    versions: OnceLock<Versions>,
}

#[derive(Default)]
struct Bundled {
    of_kernel: FxHashMap<HookId, Described>,
    of_others: FxHashMap<SchemaKey, Described>,
}

static BUNDLED: LazyLock<Bundled> = LazyLock::new(Bundled::new);

/// The schema of an event that the trace does not describe: of its version, or of the highest known version below. A
/// version below all that are known has none, as kernel events have changed the order of their fields.
pub(crate) fn find(event: &Event<'_>) -> Option<&'static EventSchema> {
    let described = match event.id {
        EventId::Kernel(hook) => BUNDLED.of_kernel.get(&hook)?,
        EventId::Classic { class, event_type } => BUNDLED
            .of_others
            .get(&SchemaKey::Classic { class, event_type })?,
        EventId::Manifest(descriptor) => BUNDLED.of_others.get(&SchemaKey::Manifest {
            provider: descriptor.provider,
            id: descriptor.id,
        })?,
        EventId::TraceLogging(_) | EventId::Wpp { .. } => return None,
    };
    pick(
        described.versions(),
        event.version,
        event.payload,
        event.pointer_bytes,
    )
}

/// The schema of a kernel event of a version; of several that only the payload's length tells apart, the first.
pub(crate) fn of_kernel(hook: HookId, version: u8) -> Option<&'static EventSchema> {
    first_of(BUNDLED.of_kernel.get(&hook)?.versions(), version)
}

/// The same for the event of a provider.
pub(crate) fn described(key: &SchemaKey, version: u8) -> Option<&'static EventSchema> {
    first_of(BUNDLED.of_others.get(key)?.versions(), version)
}

fn first_of(versions: &Versions, version: u8) -> Option<&EventSchema> {
    let mut newest_first = versions.iter().rev();
    let (_, schemas) = newest_first.find(|(known, _)| *known <= version)?;
    schemas.first()
}

fn pick<'v>(
    versions: &'v Versions,
    version: u8,
    payload: &[u8],
    pointer_bytes: u8,
) -> Option<&'v EventSchema> {
    let mut newest_first = versions.iter().rev();
    let (_, schemas) = newest_first.find(|(known, _)| *known <= version)?;
    match &**schemas {
        [only] => Some(only),
        several => several
            .iter()
            .find(|schema| fits_exactly(&schema.layout, payload, pointer_bytes))
            .or(several.first()),
    }
}

impl Bundled {
    fn new() -> Self {
        let mut bundled = Self::default();
        for (numbers, group, entries) in TABLES {
            for entry in *entries {
                for (number, name) in entry.events {
                    let described = Described {
                        group,
                        name,
                        entry,
                        versions: OnceLock::new(),
                    };
                    bundled.add(*numbers, *number, described);
                }
            }
        }
        bundled
    }

    fn add(&mut self, numbers: Numbers, number: u16, described: Described) {
        match numbers {
            Numbers::Hooks => {
                self.of_kernel.insert(HookId(number), described);
            }
            Numbers::TypesOf(class) => {
                let event_type = number.to_le_bytes()[0];
                let key = SchemaKey::Classic { class, event_type };
                self.of_others.insert(key, described);
            }
            Numbers::IdsOf(provider) => {
                let key = SchemaKey::Manifest {
                    provider,
                    id: number,
                };
                self.of_others.insert(key, described);
            }
        }
    }
}

impl Described {
    fn versions(&self) -> &Versions {
        self.versions
            .get_or_init(|| schemas(self.group, self.name, self.entry))
    }
}

fn schemas(group: &str, name: &str, entry: &Entry) -> Versions {
    let schema = |columns| EventSchema {
        provider_name: group.into(),
        name: name.into(),
        layout: table::layout(columns),
        ..EventSchema::default()
    };
    let same_version = |(a, _): &(u8, _), (b, _): &(u8, _)| a == b;
    let versions = entry.versions.chunk_by(same_version);
    versions
        .filter_map(|layouts| {
            let (version, _) = layouts.first()?;
            let schemas = layouts.iter().map(|(_, columns)| schema(columns));
            Some((*version, schemas.collect()))
        })
        .collect()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
