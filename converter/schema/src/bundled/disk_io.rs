//! Disk I/O, group 01 (§4.7). An event of a transfer is logged when the transfer is complete.

super::table::events! {
    0x010A "Read", 0x010B "Write", 0x0137 "OpticalRead", 0x0138 "OpticalWrite" {
        version 2 [
            DiskNumber: U32, IrpFlags: Hex32 as IRP_FLAGS, TransferSize: U32, Reserved: Pad(4), ByteOffset: U64,
            FileObject: Ptr, Irp: Ptr, HighResResponseTime: TickCount,
        ]
        version 3 [
            DiskNumber: U32, IrpFlags: Hex32 as IRP_FLAGS, TransferSize: U32, Reserved: Pad(4), ByteOffset: U64,
            FileObject: Ptr, Irp: Ptr, HighResResponseTime: TickCount, IssuingThreadId: U32,
        ]
    }
    0x010C "ReadInit", 0x010D "WriteInit", 0x010F "FlushInit",
    0x013A "OpticalReadInit", 0x013B "OpticalWriteInit", 0x013C "OpticalFlushInit" {
        version 2 [Irp: Ptr]
        version 3 [Irp: Ptr, IssuingThreadId: U32]
    }
    0x010E "FlushBuffers", 0x0139 "OpticalFlushBuffers" {
        version 2 [DiskNumber: U32, IrpFlags: Hex32 as IRP_FLAGS, HighResResponseTime: TickCount, Irp: Ptr]
        version 3 [
            DiskNumber: U32, IrpFlags: Hex32 as IRP_FLAGS, HighResResponseTime: TickCount, Irp: Ptr, IssuingThreadId: U32,
        ]
    }
}
