//! What identifies an image, as the merge writes it before the image's event (§4.11).
//!
//! Type 22 is as seen in a real trace: its checksum and time stamp are those of the image. So is type 27. It is not
//! known what type 27 identifies.

super::table::events! {
    0x00 "ImageId" {
        version 2 [ImageBase: Ptr, ImageSize: Size, Reserved: Pad(4), TimeDateStamp: Hex32, OriginalFileName: Text16]
    }
    0x20 "DbgIdNone" {
        version 2 [ImageBase: Ptr, ProcessId: U32]
    }
    0x22 "DbgIdDbg" {
        version 2 [
            ImageBase: Ptr, ProcessId: U32, ImageCheckSum: Hex32, TimeDateStamp: Hex32, ImageSize: U32,
            DbgFileName: Text16,
        ]
    }
    0x24 "DbgIdRSDS", 0x25 "DbgIdILRSDS" {
        version 2 [ImageBase: Ptr, ProcessId: U32, GuidSig: Guid, Age: U32, PdbFileName: Text8]
    }
    0x26 "DbgIdPortablePdb" {
        version 2 [ImageBase: Ptr, ProcessId: U32, TimeDateStamp: Hex32, MajorVersion: U16, MinorVersion: U16]
    }
    0x27 "DbgIdType27" {
        version 1 [ImageBase: Ptr, ProcessId: U32, Unknown1: U16, Unknown2: U16, GuidSig: Guid, Age: U32]
    }
    0x28 "DbgIdDeterministic" {
        version 1 [ImageBase: Ptr, ProcessId: U32]
    }
    0x29 "MappingMessage" {
        version 1 [Message: Text16]
    }
    0x40 "FileVersion" {
        version 0 [
            ImageSize: U32, TimeDateStamp: Hex32, OriginalFileName: Text16, FileDescription: Text16,
            FileVersion: Text16, BinFileVersion: Text16, Language: Text16, ProductName: Text16, CompanyName: Text16,
            ProductVersion: Text16, FileId: Text16, ProgramId: Text16,
        ]
    }
}
