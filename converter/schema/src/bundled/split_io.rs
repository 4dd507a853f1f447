//! Requests that are passed on as others, group 1B: of a mirrored volume to its disks.
//!
//! Source: the MOF class `SplitIo_TypeGroup1`.

super::table::events! {
    0x1B20 "VolMgr" {
        version 2 [ParentIrp: Ptr, ChildIrp: Ptr]
    }
}
