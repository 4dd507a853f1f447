//! Images, group 14, and their load, which is in group 03 (§4.3).

super::table::events! {
    0x030A "Load", 0x1402 "Unload", 0x1403 "DCStart", 0x1404 "DCEnd" {
        version 0 [ImageBase: Ptr, ImageSize: U32, FileName: Text16]
        version 1 [ImageBase: Ptr, ImageSize: Size, ProcessId: U32, FileName: Text16]
        version 2 [
            ImageBase: Ptr, ImageSize: Size, ProcessId: U32, ImageCheckSum: Hex32, TimeDateStamp: Hex32, Reserved: Pad(4),
            DefaultBase: Ptr, MoreReserved: Pad(16), FileName: Text16,
        ]
        version 3 [
            ImageBase: Ptr, ImageSize: Size, ProcessId: U32, ImageCheckSum: Hex32, TimeDateStamp: Hex32,
            SignatureLevel: U8, SignatureType: U8, Reserved: Pad(2), DefaultBase: Ptr, MoreReserved: Pad(16),
            FileName: Text16,
        ]
    }
    0x1421 "KernelBase", 0x1422 "HypercallPage" {
        version 2 [ImageBase: Ptr]
    }
}
