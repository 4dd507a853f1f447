//! Extras of processes, group 03 (§4.2). Freeze and thaw (0324, 0325) have no known payload.

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
}
