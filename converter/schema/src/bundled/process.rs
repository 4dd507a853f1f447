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
}
