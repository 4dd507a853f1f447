//! Page faults and virtual memory, group 02 (§4.7). A hard fault is logged when it is resolved. The layouts
//! of the summaries of memory change from build to build and are not public.

super::table::events! {
    0x020A "TransitionFault", 0x020B "DemandZeroFault", 0x020C "CopyOnWrite",
    0x020D "GuardPageFault", 0x020E "HardPageFault", 0x020F "AccessViolation" {
        version 2 [VirtualAddress: Ptr, ProgramCounter: Ptr]
    }
    0x0220 "HardFault" {
        version 2 [
            InitialTime: Ticks, ReadOffset: U64, VirtualAddress: Ptr, FileObject: Ptr, ThreadId: U32, ByteCount: U32,
        ]
    }
    0x0262 "VirtualAlloc", 0x0263 "VirtualFree" {
        version 2 [BaseAddress: Ptr, RegionSize: Size, ProcessId: U32, Flags: Hex32 as VIRTUAL_ALLOC_FLAGS]
    }
    0x0269 "ImageLoadBacked" {
        version 2 [FileObject: Ptr, DeviceCharacteristics: Hex32, FileCharacteristics: Hex16, LoadFlags: Hex16]
    }
    0x0270 "MemInfo", 0x027D "WorkingSetInfo" {
        version 0 [Rest: Rest]
    }
    0x0280 "VirtualAllocDCStart", 0x0281 "VirtualAllocDCEnd" {
        version 2 [
            BaseAddress: Ptr, RegionSize: Size, ProcessId: U32, Flags: Hex32 as VIRTUAL_ALLOC_FLAGS, CommitSize: Size,
        ]
    }
}
