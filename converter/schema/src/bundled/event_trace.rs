//! The session's own events, group 00 (§4.13).

super::table::events! {
    0x0008 "RundownComplete", 0x0030 "RundownBegin", 0x0031 "RundownEnd" {
        version 0 []
    }
    0x0040 "DbgIdRSDS" {
        version 0 [GuidSig: Guid, Age: U32, PdbFileName: Text8]
    }
    0x0042 "BuildLab" {
        version 0 [BuildLab: Text8]
    }
    0x0043 "ProviderBinaryPath" {
        version 0 [GuidCount: Count32(0), Guids: Guids(0), BinaryPath: Text16]
    }
    0x0050 "PartitionInfo" {
        version 0 [
            PartitionInfoVersion: U16, Reserved: Pad(2), PartitionType: U32, QpcOffsetFromRoot: I64, PartitionId: Guid,
            ParentId: Guid,
        ]
    }
}
