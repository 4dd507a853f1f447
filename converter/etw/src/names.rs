//! Names for people: kernel groups, kernel events, well-known providers.
//!
//! Source: `ntwmi.h`, the MOF classes, and the manifests of Windows and UIforETW. Unknown ones have no name here and are
//! shown by number.

use etl::{Guid, HookId};

use crate::clr::{CLR_PROVIDER, CLR_RUNDOWN_PROVIDER};

/// Name of a kernel event group: `Process`, `Thread`, ….
pub fn group_name(group: u8) -> Option<&'static str> {
    Some(match group {
        0x00 => "EventTrace",
        0x01 => "DiskIo",
        0x02 => "Memory",
        0x03 => "Process",
        0x04 => "FileIo",
        0x05 => "Thread",
        0x06 => "TcpIp",
        0x07 => "Job",
        0x08 => "UdpIp",
        0x09 => "Registry",
        0x0B => "SysConfig",
        0x0E => "Pool",
        0x0F => "PerfInfo",
        0x10 => "Heap",
        0x11 => "Object",
        0x12 => "Power",
        0x14 => "Image",
        0x18 => "StackWalk",
        0x1A => "ALPC",
        0x1B => "SplitIo",
        0x1C => "ThreadPool",
        _ => return None,
    })
}

/// Name of a kernel event within its group: `CSwitch`, `ReadyThread`, ….
pub fn hook_name(hook: HookId) -> Option<&'static str> {
    Some(match hook.0 {
        0x0000 => "Header",
        0x0005 => "Extension",
        0x0008 => "RundownComplete",
        0x0020 => "EndExtension",
        0x0030 => "RundownBegin",
        0x0031 => "RundownEnd",
        0x0042 => "BuildLab",
        0x0043 => "ProviderBinaryPath",
        0x0050 => "PartitionInfo",
        0x010A => "Read",
        0x010B => "Write",
        0x010C => "ReadInit",
        0x010D => "WriteInit",
        0x010E => "FlushBuffers",
        0x010F => "FlushInit",
        0x020A => "TransitionFault",
        0x020B => "DemandZeroFault",
        0x020C => "CopyOnWrite",
        0x020D => "GuardPageFault",
        0x020E => "HardPageFault",
        0x020F => "AccessViolation",
        0x0220 => "HardFault",
        0x0262 => "VirtualAlloc",
        0x0263 => "VirtualFree",
        0x0270 => "MemInfo",
        0x027D => "WorkingSetInfo",
        0x0280 => "VirtualAllocDCStart",
        0x0281 => "VirtualAllocDCEnd",
        0x030A => "ImageLoad",
        0x030B => "Terminate",
        0x0320 => "PerfCtr",
        0x0321 => "PerfCtrRundown",
        0x0323 => "InSwap",
        0x0324 => "Freeze",
        0x0325 => "Thaw",
        0x0327 => "Defunct",
        0x0400 => "Name",
        0x0420 => "FileCreate",
        0x0423 => "FileDelete",
        0x0424 => "FileRundown",
        0x0440 => "Create",
        0x0441 => "Cleanup",
        0x0442 => "Close",
        0x0443 => "Read",
        0x0444 => "Write",
        0x0445 => "SetInfo",
        0x0446 => "Delete",
        0x0447 => "Rename",
        0x0448 => "DirEnum",
        0x0449 => "Flush",
        0x044A => "QueryInfo",
        0x044B => "FSControl",
        0x044C => "OperationEnd",
        0x044D => "DirNotify",
        0x0524 => "CSwitch",
        0x0525 => "CompactCSwitch",
        0x0529 => "SpinLock",
        0x052D => "WaitSingle",
        0x052E => "WaitMultiple",
        0x052F => "DelayExecution",
        0x0530 => "SetPriority",
        0x0531 => "SetBasePriority",
        0x0532 => "ReadyThread",
        0x0533 => "SetPagePriority",
        0x0534 => "SetIoPriority",
        0x0535 => "ThreadAffinity",
        0x0539 => "WorkerThread",
        0x053A => "DfssStartNewInterval",
        0x053B => "DfssReleaseThread",
        0x053C => "AntiStarvationBoost",
        0x053D => "ThreadMigration",
        0x053E => "KQueueEnqueue",
        0x053F => "KQueueDequeue",
        0x0542 => "AutoBoostSetFloor",
        0x0543 => "AutoBoostClearFloor",
        0x0544 => "AutoBoostEntryExhaustion",
        0x0545 => "SubProcessTagChanged",
        0x0548 => "SetName",
        0x0B0A => "CPU",
        0x0B0B => "PhyDisk",
        0x0B0C => "LogDisk",
        0x0B0D => "NIC",
        0x0B0E => "Video",
        0x0B0F => "Services",
        0x0B10 => "Power",
        0x0B11 => "Network",
        0x0B12 => "OpticalMedia",
        0x0B13 => "PhyDiskEx",
        0x0B15 => "IRQ",
        0x0B16 => "PnP",
        0x0B17 => "IDEChannel",
        0x0B18 => "NumaNode",
        0x0B19 => "Platform",
        0x0B1A => "ProcessorGroup",
        0x0B1B => "ProcessorNumber",
        0x0B1C => "DPI",
        0x0B1D => "CodeIntegrity",
        0x0B1E => "MachineId",
        0x0B1F => "Defrag",
        0x0B20 => "MobilePlatform",
        0x0B21 => "DeviceFamily",
        0x0B22 => "FlightId",
        0x0B23 => "Processor",
        0x0B24 => "Virtualization",
        0x0B25 => "Boot",
        0x0F22 => "Mark",
        0x0F2E => "SampledProfile",
        0x0F2F => "PmcCounterProfile",
        0x0F32 => "IsrMsi",
        0x0F33 => "SysCallEnter",
        0x0F34 => "SysCallExit",
        0x0F37 => "SampledProfileCache",
        0x0F42 => "ThreadedDPC",
        0x0F43 => "ISR",
        0x0F44 => "DPC",
        0x0F45 => "TimerDPC",
        0x0F48 => "SetInterval",
        0x0F49 => "CollectionStart",
        0x0F4A => "CollectionEnd",
        0x1220 => "Battery",
        0x1230 => "PreSleep",
        0x1231 => "PostSleep",
        0x1233 => "PerfStateChange",
        0x1235 => "IdleStateChange",
        0x1239 => "IdleStateEnter",
        0x123A => "IdleStateExit",
        0x1402 => "Unload",
        0x1420 => "Relocation",
        0x1421 => "KernelBase",
        0x1422 => "HypercallPage",
        0x1820 => "Stack",
        0x1822 => "StackKeyCreate",
        0x1823 => "StackKeyDelete",
        0x1824 => "StackKeyRundown",
        0x1825 => "StackKeyKernel",
        0x1826 => "StackKeyUser",
        _ => return lifetime_name(hook),
    })
}

/// Types 1 to 4 mean the same in every group that has objects with lifetimes.
fn lifetime_name(hook: HookId) -> Option<&'static str> {
    if !matches!(hook.group(), 0x03 | 0x05 | 0x07 | 0x14) {
        return None;
    }
    Some(match hook.event_type() {
        1 => "Start",
        2 => "End",
        3 => "DCStart",
        4 => "DCEnd",
        _ => return None,
    })
}

const PROVIDERS: [(Guid, &str); 29] = [
    (
        Guid::new(0x22fb2cd6_0e7b_422b_a0c7_2fad1fd0e716),
        "Microsoft-Windows-Kernel-Process",
    ),
    (
        Guid::new(0x8c416c79_d49b_4f01_a467_e56d3aa8234c),
        "Microsoft-Windows-Win32k",
    ),
    (
        Guid::new(0x331c3b3a_2005_44c2_ac5e_77220c37d6b4),
        "Microsoft-Windows-Kernel-Power",
    ),
    (
        Guid::new(0x0f67e49f_fe51_4e9f_b490_6f2948cc6027),
        "Microsoft-Windows-Kernel-Processor-Power",
    ),
    (
        Guid::new(0xd1d93ef7_e1f2_4f45_9943_03d245fe6c00),
        "Microsoft-Windows-Kernel-Memory",
    ),
    (
        Guid::new(0x802ec45a_1e99_4b83_9920_87c98277ba9d),
        "Microsoft-Windows-DxgKrnl",
    ),
    (
        Guid::new(0x9e9bba3c_2e38_40cb_99f4_9e8281425164),
        "Microsoft-Windows-Dwm-Core",
    ),
    (
        Guid::new(0xd49918cf_9489_4bf1_9d7b_014d864cf71f),
        "Microsoft-Windows-ProcessStateManager",
    ),
    (
        Guid::new(0xb675ec37_bdb6_4648_bc92_f3fdc74d3ca2),
        "Microsoft-Windows-Kernel-EventTracing",
    ),
    (
        Guid::new(0x8f2048e0_f260_4f57_a8d1_932376291682),
        "Microsoft-Windows-MediaEngine",
    ),
    (CLR_PROVIDER, "Microsoft-Windows-DotNETRuntime"),
    (
        CLR_RUNDOWN_PROVIDER,
        "Microsoft-Windows-DotNETRuntimeRundown",
    ),
    (
        Guid::new(0x763fd754_7086_4dfe_95eb_c01a46faf4ca),
        "Microsoft-Windows-DotNETRuntimePrivate",
    ),
    (
        Guid::new(0xb3e675d7_2554_4f18_830b_2762732560de),
        "KernelTraceControl-ImageID",
    ),
    (
        Guid::new(0xbbccf6c1_6cd1_48c4_80ff_839482e37671),
        "KernelTraceControl-MetaData",
    ),
    (
        Guid::new(0x9b79ee91_b5fd_41c0_a243_4248e266e9d0),
        "KernelTraceControl-SysConfigEx",
    ),
    (
        Guid::new(0xed54dff8_c409_4cf6_bf83_05e1e61a09c4),
        "KernelTraceControl-WinSat",
    ),
    (
        Guid::new(0x6a399ae0_4bc6_4de9_870b_3657f8947e7e),
        "RTLostEvent",
    ),
    (
        Guid::new(0x2a576b87_09a7_520e_c21a_4942f0271d67),
        "Microsoft-Antimalware-Scan-Interface",
    ),
    (
        Guid::new(0x1c95126e_7eea_49a9_a3fe_a378b03ddb4d),
        "Microsoft-Windows-DNS-Client",
    ),
    (
        Guid::new(0xedd08927_9cc4_4e65_b970_c2560fb5c289),
        "Microsoft-Windows-Kernel-File",
    ),
    (
        Guid::new(0x70eb4f03_c1de_4f73_a051_33d13d5413bd),
        "Microsoft-Windows-Kernel-Registry",
    ),
    (
        Guid::new(0x7dd42a49_5329_4832_8dfd_43d979153a88),
        "Microsoft-Windows-Kernel-Network",
    ),
    (
        Guid::new(0xdd5ef90a_6398_47a4_ad34_4dcecdef795f),
        "Microsoft-Windows-HttpService",
    ),
    (
        Guid::new(0xa0c1853b_5c40_4b15_8766_3cf1c58f985a),
        "Microsoft-Windows-PowerShell",
    ),
    (
        Guid::new(0x231cf54b_22a0_49e4_a59a_47052a30ffed),
        "Multi-Main",
    ),
    (
        Guid::new(0xe9c3da11_e2a5_48fd_9cd3_17e7c764d303),
        "Multi-Worker",
    ),
    (
        Guid::new(0x2b25961d_ba6e_4d79_bec7_3605366e2e09),
        "Multi-FrameRate",
    ),
    (
        Guid::new(0x70e2503b_c6f3_4780_b323_bd8ed0c61bf8),
        "Multi-Input",
    ),
];

/// Name of a provider or event class that is not the kernel's.
pub fn provider_name(provider: Guid) -> Option<&'static str> {
    PROVIDERS
        .iter()
        .find_map(|(guid, name)| (*guid == provider).then_some(*name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_events_and_providers_have_the_names_people_search_for() {
        assert_eq!(group_name(5), Some("Thread"));
        let hooks = [0x0524, 0x0303, 0x1404, 0x0603, 0x0F99].map(|hook| hook_name(HookId(hook)));
        assert_eq!(
            hooks,
            [Some("CSwitch"), Some("DCStart"), Some("DCEnd"), None, None]
        );
        let power = Guid::new(0x331c3b3a_2005_44c2_ac5e_77220c37d6b4);
        assert_eq!(provider_name(power), Some("Microsoft-Windows-Kernel-Power"));
    }
}
