//! Objects and handles, group 11 (§4.9). Bit 31 of a handle marks a kernel handle.

super::table::events! {
    0x1120 "CreateHandle", 0x1121 "CloseHandle" {
        version 2 [Object: Ptr, Handle: Hex32, ObjectType: U16]
        version 2 [Object: Ptr, Handle: Hex32, ObjectType: U16, ObjectName: Text16]
    }
    0x1122 "DuplicateHandle" {
        version 2 [
            Object: Ptr, SourceHandle: Hex32, TargetHandle: Hex32, TargetProcessId: U32, ObjectType: U16,
            SourceProcessId: U32,
        ]
    }
    0x1124 "TypeDCStart", 0x1125 "TypeDCEnd" {
        version 2 [ObjectType: U16, Reserved: Pad(2), TypeName: Text16]
    }
    0x1126 "HandleDCStart", 0x1127 "HandleDCEnd" {
        version 2 [Object: Ptr, ProcessId: U32, Handle: Hex32, ObjectType: U16, ObjectName: Text16]
    }
    0x1130 "CreateObject", 0x1131 "DeleteObject" {
        version 2 [Object: Ptr, ObjectType: U16]
    }
    0x1132 "ReferenceObject", 0x1133 "DereferenceObject" {
        version 2 [Object: Ptr, Tag: Hex32, Count: U32]
    }
}
