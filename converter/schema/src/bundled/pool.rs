//! Memory of the kernel's pools, group 0E. The bytes of a tag are its four characters.
//!
//! Source: the MOF classes `PoolTrace_*`.

super::table::events! {
    0x0E20 "Allocation", 0x0E22 "Free" {
        version 2 [Type: U32, Tag: Hex32, NumberOfBytes: Size, Entry: Ptr]
    }
    0x0E21 "SessionAllocation", 0x0E23 "SessionFree" {
        version 2 [Type: U32, Tag: Hex32, NumberOfBytes: Size, Entry: Ptr, SessionId: U32]
    }
}
