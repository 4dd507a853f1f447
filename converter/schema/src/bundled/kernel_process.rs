//! `Microsoft-Windows-Kernel-Process` (§6.8). Freezing starts with event 11 and ends with event 12.

super::table::events! {
    1 "ProcessStart/Start", 15 "ProcessRundown" {
        version 0 [ProcessID: U32, CreateTime: FileTime, ParentProcessID: U32, SessionID: U32, ImageName: Text16]
        version 1 [
            ProcessID: U32, CreateTime: FileTime, ParentProcessID: U32, SessionID: U32, Flags: Hex32, ImageName: Text16,
        ]
        version 2 [
            ProcessID: U32, CreateTime: FileTime, ParentProcessID: U32, SessionID: U32, Flags: Hex32, ImageName: Text16,
            ImageChecksum: Hex32, TimeDateStamp: Hex32, PackageFullName: Text16, PackageRelativeAppId: Text16,
        ]
        version 3 [
            ProcessID: U32, ProcessSequenceNumber: U64, CreateTime: FileTime, ParentProcessID: U32,
            ParentProcessSequenceNumber: U64, SessionID: U32, Flags: Hex32, ProcessTokenElevationType: U32,
            ProcessTokenIsElevated: U32, MandatoryLabel: Sid, ImageName: Text16, ImageChecksum: Hex32,
            TimeDateStamp: Hex32, PackageFullName: Text16, PackageRelativeAppId: Text16,
        ]
    }
    2 "ProcessStop/Stop" {
        version 0 [
            ProcessID: U32, CreateTime: FileTime, ExitTime: FileTime, ExitCode: U32, TokenElevationType: U32,
            HandleCount: U32, CommitCharge: U64, CommitPeak: U64, ImageName: Text8,
        ]
        version 1 [
            ProcessID: U32, CreateTime: FileTime, ExitTime: FileTime, ExitCode: U32, TokenElevationType: U32,
            HandleCount: U32, CommitCharge: U64, CommitPeak: U64, CPUCycleCount: U64, ReadOperationCount: U32,
            WriteOperationCount: U32, ReadTransferKiloBytes: U32, WriteTransferKiloBytes: U32, HardFaultCount: U32,
            ImageName: Text8,
        ]
    }
    3 "ThreadStart/Start" {
        version 0 [
            ProcessID: U32, ThreadID: U32, StackBase: Ptr, StackLimit: Ptr, UserStackBase: Ptr, UserStackLimit: Ptr,
            StartAddr: Ptr, Win32StartAddr: Ptr, TebBase: Ptr,
        ]
        version 1 [
            ProcessID: U32, ThreadID: U32, StackBase: Ptr, StackLimit: Ptr, UserStackBase: Ptr, UserStackLimit: Ptr,
            StartAddr: Ptr, Win32StartAddr: Ptr, TebBase: Ptr, SubProcessTag: U32,
        ]
    }
    4 "ThreadStop/Stop" {
        version 0 [
            ProcessID: U32, ThreadID: U32, StackBase: Ptr, StackLimit: Ptr, UserStackBase: Ptr, UserStackLimit: Ptr,
            StartAddr: Ptr, Win32StartAddr: Ptr, TebBase: Ptr,
        ]
        version 1 [
            ProcessID: U32, ThreadID: U32, StackBase: Ptr, StackLimit: Ptr, UserStackBase: Ptr, UserStackLimit: Ptr,
            StartAddr: Ptr, Win32StartAddr: Ptr, TebBase: Ptr, SubProcessTag: U32, CycleTime: U64,
        ]
    }
    5 "ImageLoad", 6 "ImageUnload" {
        version 0 [
            ImageBase: Ptr, ImageSize: Size, ProcessID: U32, ImageCheckSum: Hex32, TimeDateStamp: Hex32,
            DefaultBase: Ptr, ImageName: Text16,
        ]
    }
    7 "CpuBasePriorityChange", 8 "CpuPriorityChange", 9 "PagePriorityChange" {
        version 0 [ProcessID: U32, ThreadID: U32, OldPriority: U8, NewPriority: U8]
    }
    10 "IoPriorityChange" {
        version 0 [ProcessID: U32, ThreadID: U32, OldPriority: U8 as IO_PRIORITY, NewPriority: U8 as IO_PRIORITY]
    }
    11 "ProcessFreeze/Start", 12 "ProcessFreeze/Stop" {
        version 0 [FrozenProcessID: U32]
        version 1 [FrozenProcessID: U32, CreateTime: FileTime]
    }
    21 "ThreadWorkOnBehalfUpdate" {
        version 0 [OldWorkOnBehalfThreadID: U32, NewWorkOnBehalfThreadID: U32]
    }
}
