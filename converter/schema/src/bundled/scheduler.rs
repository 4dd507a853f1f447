//! What moves a thread besides context switches, group 05 (§4.4.4).
//!
//! Of waits and worker threads only the thread is known for certain: where their later fields stand was never confirmed.

use super::table::{Column, columns};

const SESSION: &[Column] =
    columns![SessionId: U32, CpuShareWeight: U32, CapturedWeight: I64, CyclesAccumulated: U64];

super::table::events! {
    0x0529 "SpinLock" {
        version 2 [
            SpinLock: Ptr, CallerAddress: Ptr, AcquireTime: U64, ReleaseTime: U64, WaitTimeInCycles: U32,
            SpinCount: U32, ThreadId: U32, InterruptCount: U32, Irql: U8, AcquireDepth: U8, Flags: Hex8, Spare: Pad(5),
        ]
    }
    0x052A "QueueWait" {
        version 2 [Object: Ptr, ThreadId: U32, Action: U8]
    }
    0x052B "Resource" {
        version 2 [
            AcquireTime: U64, HoldTime: U64, WaitTime: U64, MaxRecursionDepth: U32, ThreadId: U32, Resource: Ptr,
            Action: U32, ContentionDelta: U32,
        ]
    }
    0x052C "PushLockWait" {
        version 2 [Object: Ptr, ThreadId: U32, Action: U8 as PUSH_LOCK_ACTION]
    }
    0x052D "WaitSingle", 0x052E "WaitMultiple", 0x052F "DelayExecution", 0x0539 "WorkerThread" {
        version 0 [ThreadId: U32, Rest: Rest]
    }
    0x0530 "SetPriority" {
        version 2 [ThreadId: U32, OldPriority: I8, NewPriority: I8, Reserved: Pad(2)]
        version 3 [ThreadId: U32, OldPriority: I8, NewPriority: I8, DynamicPriority: I8, Reserved: Pad(1)]
    }
    0x0531 "SetBasePriority" {
        version 2 [ThreadId: U32, OldPriority: I8, NewPriority: I8, DynamicPriority: I8, Reserved: Pad(1)]
    }
    0x0533 "SetPagePriority" {
        version 2 [ThreadId: U32, OldPriority: U8, NewPriority: U8, Reserved: Pad(2)]
    }
    0x0534 "SetIoPriority" {
        version 2 [ThreadId: U32, OldPriority: U8 as IO_PRIORITY, NewPriority: U8 as IO_PRIORITY, Reserved: Pad(2)]
    }
    0x0535 "ThreadAffinity" {
        version 2 [Affinity: Ptr, ThreadId: U32, Group: U16, Reserved: Pad(2)]
    }
    0x053A "DfssStartNewInterval" {
        version 2 [
            Generation: U32, SessionCount: Count32(0), TotalCycleCredit: U64, TotalCyclesAccumulated: U64,
            Sessions: Each(0, SESSION),
        ]
    }
    0x053B "DfssReleaseThread" {
        version 2 [Generation: U32, SessionSelected: U32, CycleBaseAllowance: U64, CyclesRemaining: I64]
    }
    0x053C "AntiStarvationBoost" {
        version 2 [ThreadId: U32, ProcessorIndex: U16, OldPriority: I8, Spare: Pad(1)]
    }
    0x053D "ThreadMigration" {
        version 2 [
            ThreadId: U32, SourceProcessor: U16, TargetProcessor: U16, Priority: U8, IdealProcessorAdjusted: Bool8,
            OldIdealProcessor: U16,
        ]
    }
    0x053E "KQueueEnqueue" {
        version 2 [Entry: Ptr, ThreadId: U32]
    }
    0x053F "KQueueDequeue" {
        version 2 [ThreadId: U32, EntryCount: Count32(0), Entries: Ptrs(0)]
    }
    0x0540 "WorkerItemStart", 0x0541 "WorkerItemEnd" {
        version 2 [WorkerRoutine: Ptr]
    }
    0x0542 "AutoBoostSetFloor" {
        version 2 [
            Lock: Ptr, ThreadId: U32, NewCpuPriorityFloor: I8, OldCpuPriority: I8, NewFloorAndOldIoPriority: Hex8,
            Flags: Hex8 as AUTO_BOOST_FLAGS,
        ]
    }
    0x0543 "AutoBoostClearFloor" {
        version 2 [Lock: Ptr, ThreadId: U32, BoostBitmap: Hex16, Reserved: Pad(2)]
    }
    0x0544 "AutoBoostEntryExhaustion" {
        version 2 [Lock: Ptr, ThreadId: U32]
    }
    0x0545 "SubProcessTagChanged" {
        version 2 [OldTag: U32, NewTag: U32]
    }
}
