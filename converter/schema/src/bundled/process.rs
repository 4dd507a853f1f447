//! Extras of processes, group 03 (§4.2). A defunct process has ended but is still referenced. Freeze and thaw (0324,
//! 0325) have no known payload.

super::table::events! {
    0x030B "Terminate" {
        version 2 [ProcessId: U32]
    }
    0x0320 "PerfCtr", 0x0321 "PerfCtrRundown" {
        version 2 [
            ProcessId: U32, PageFaultCount: U32, HandleCount: U32, Reserved: Pad(4), PeakVirtualSize: Size,
            PeakWorkingSetSize: Size, PeakPagefileUsage: Size, QuotaPeakPagedPoolUsage: Size,
            QuotaPeakNonPagedPoolUsage: Size, VirtualSize: Size, WorkingSetSize: Size, PagefileUsage: Size,
            QuotaPagedPoolUsage: Size, QuotaNonPagedPoolUsage: Size, PrivatePageCount: Size,
        ]
    }
    0x0323 "InSwap" {
        version 2 [DirectoryTableBase: Ptr, ProcessId: U32]
    }
    0x0327 "Defunct" {
        version 2 [
            UniqueProcessKey: Ptr, ProcessId: U32, ParentId: U32, SessionId: U32, ExitStatus: I32, UserSID: TokenUserSid,
            ImageFileName: Text8, CommandLine: Text16,
        ]
        version 3 [
            UniqueProcessKey: Ptr, ProcessId: U32, ParentId: U32, SessionId: U32, ExitStatus: I32,
            DirectoryTableBase: Ptr, UserSID: TokenUserSid, ImageFileName: Text8, CommandLine: Text16,
        ]
        version 4 [
            UniqueProcessKey: Ptr, ProcessId: U32, ParentId: U32, SessionId: U32, ExitStatus: I32,
            DirectoryTableBase: Ptr, Flags: Hex32 as PROCESS_FLAGS, UserSID: TokenUserSid, ImageFileName: Text8,
            CommandLine: Text16, PackageFullName: Text16, ApplicationId: Text16,
        ]
        version 5 [
            UniqueProcessKey: Ptr, ProcessId: U32, ParentId: U32, SessionId: U32, ExitStatus: I32,
            DirectoryTableBase: Ptr, Flags: Hex32 as PROCESS_FLAGS, UserSID: TokenUserSid, ImageFileName: Text8,
            CommandLine: Text16, PackageFullName: Text16, ApplicationId: Text16, ExitTime: FileTime,
        ]
    }
    0x0330 "ChargeWakeCounterUser", 0x0331 "ChargeWakeCounterExecution", 0x0332 "ChargeWakeCounterKernel",
    0x0333 "ChargeWakeCounterInstrumentation", 0x0334 "ChargeWakeCounterPreserveProcess",
    0x0340 "ReleaseWakeCounterUser", 0x0341 "ReleaseWakeCounterExecution", 0x0342 "ReleaseWakeCounterKernel",
    0x0343 "ReleaseWakeCounterInstrumentation", 0x0344 "ReleaseWakeCounterPreserveProcess",
    0x0350 "WakeDropUser", 0x0351 "WakeDropExecution", 0x0352 "WakeDropKernel",
    0x0353 "WakeDropInstrumentation", 0x0354 "WakeDropPreserveProcess",
    0x0360 "WakeEventUser", 0x0361 "WakeEventExecution", 0x0362 "WakeEventKernel",
    0x0363 "WakeEventInstrumentation", 0x0364 "WakeEventPreserveProcess" {
        version 0 [Object: Ptr, Tag: Ptr, ProcessId: U32, Count: I32]
        version 0 [Object: Ptr, Tag: Ptr, ProcessId: U32, Count: I32, CounterValue: U64]
    }
}
