//! File I/O, group 04 (§4.7). `Irp` joins an operation with its end.

super::table::events! {
    0x0400 "Name", 0x0420 "FileCreate", 0x0423 "FileDelete", 0x0424 "FileRundown" {
        version 2 [FileKey: Ptr, FileName: Text16]
    }
    0x0425 "MapFile", 0x0426 "UnmapFile", 0x0427 "MapFileDCStart", 0x0428 "MapFileDCEnd" {
        version 2 [ViewBase: Ptr, FileObject: Ptr, MiscInfo: Hex64, ViewSize: Size, ProcessId: U32]
    }
    0x0440 "Create", 0x044E "CreateNew" {
        version 2 [
            Irp: Ptr, ThreadId: Size, FileObject: Ptr, CreateOptions: Hex32, FileAttributes: Hex32, ShareAccess: Hex32,
            OpenPath: Text16,
        ]
        version 3 [
            Irp: Ptr, FileObject: Ptr, ThreadId: U32, CreateOptions: Hex32, FileAttributes: Hex32, ShareAccess: Hex32,
            OpenPath: Text16,
        ]
    }
    0x0441 "Cleanup", 0x0442 "Close", 0x0449 "Flush" {
        version 2 [Irp: Ptr, ThreadId: Size, FileObject: Ptr, FileKey: Ptr]
        version 3 [Irp: Ptr, FileObject: Ptr, FileKey: Ptr, ThreadId: U32]
    }
    0x0443 "Read", 0x0444 "Write" {
        version 2 [
            Offset: U64, Irp: Ptr, ThreadId: Size, FileObject: Ptr, FileKey: Ptr, IoSize: U32,
            IoFlags: Hex32 as IRP_FLAGS,
        ]
        version 3 [
            Offset: U64, Irp: Ptr, FileObject: Ptr, FileKey: Ptr, ThreadId: U32, IoSize: U32,
            IoFlags: Hex32 as IRP_FLAGS,
        ]
        version 3 [
            Offset: U64, Irp: Ptr, FileObject: Ptr, FileKey: Ptr, ThreadId: U32, IoSize: U32,
            IoFlags: Hex32 as IRP_FLAGS, ExtraFlags: Hex32,
        ]
    }
    0x0445 "SetInfo", 0x0446 "Delete", 0x0447 "Rename", 0x044A "QueryInfo", 0x044B "FSControl" {
        version 2 [
            Irp: Ptr, ThreadId: Size, FileObject: Ptr, FileKey: Ptr, ExtraInformation: Ptr, InformationClass: U32,
        ]
        version 3 [
            Irp: Ptr, FileObject: Ptr, FileKey: Ptr, ExtraInformation: Ptr, ThreadId: U32, InformationClass: U32,
        ]
    }
    0x0448 "DirEnum", 0x044D "DirNotify" {
        version 2 [
            Irp: Ptr, ThreadId: Size, FileObject: Ptr, FileKey: Ptr, Length: U32, InformationClass: U32, FileIndex: U32,
            FileName: Text16,
        ]
        version 3 [
            Irp: Ptr, FileObject: Ptr, FileKey: Ptr, ThreadId: U32, Length: U32, InformationClass: U32, FileIndex: U32,
            FileName: Text16,
        ]
    }
    0x044C "OperationEnd" {
        version 2 [Irp: Ptr, ExtraInformation: Size, NtStatus: Hex32]
    }
    0x044F "DeletePath", 0x0450 "RenamePath", 0x0451 "LinkPath" {
        version 3 [
            Irp: Ptr, FileObject: Ptr, FileKey: Ptr, ExtraInformation: Ptr, ThreadId: U32, InformationClass: U32,
            FileName: Text16,
        ]
    }
}
