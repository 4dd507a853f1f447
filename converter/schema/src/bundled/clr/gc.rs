//! What the garbage collector does: collections, their phases, segments, allocations, handles.
//!
//! The collector copies the structures of 208 and 209 as they lie in memory, with gaps that the manifest leaves out:
//! read back from a file.

use super::shared::{GC_HANDLE, INSTANCE};
use crate::bundled::table::{Column, columns};

const GENERATION_HISTORY: &[Column] = columns![
    SizeBefore: Ptr, FreeListBefore: Ptr, FreeObjBefore: Ptr, SizeAfter: Ptr, FreeListAfter: Ptr, FreeObjAfter: Ptr,
    In: Ptr, PinnedSurv: Ptr, NonePinnedSurv: Ptr, NewAllocation: Ptr,
];
const LOH_COMPACT_64: &[Column] = columns![
    TimePlan: U32, TimeCompact: U32, TimeRelocate: U32, Gap: Pad(4), TotalRefs: Ptr, ZeroRefs: Ptr,
];
const LOH_COMPACT_32: &[Column] =
    columns![TimePlan: U32, TimeCompact: U32, TimeRelocate: U32, TotalRefs: Ptr, ZeroRefs: Ptr];

crate::bundled::table::events! {
    1 "GarbageCollection/Start" {
        version 0 [Count: U32, Reason: U32 as GC_REASON]
        version 1 [Count: U32, Depth: U32, Reason: U32 as GC_REASON, Type: U32 as GC_TYPE, ClrInstanceID: U16]
        version 2 [
            Count: U32, Depth: U32, Reason: U32 as GC_REASON, Type: U32 as GC_TYPE, ClrInstanceID: U16,
            ClientSequenceNumber: U64,
        ]
    }
    2 "GarbageCollection/Stop" {
        version 0 [Count: U32, Depth: U16]
        version 1 [Count: U32, Depth: U32, ClrInstanceID: U16]
    }
    3 "GarbageCollection/GCRestartEEEnd", 7 "GarbageCollection/GCRestartEEBegin", 8 "GarbageCollection/GCSuspendEEEnd",
    11 "GarbageCollection/GCCreateConcurrentThread", 12 "GarbageCollection/GCTerminateConcurrentThread",
    14 "GarbageCollection/GCFinalizersBegin" {
        version 0 []
        version 1 INSTANCE
    }
    4 "GarbageCollection/GCHeapStats" {
        version 0 [
            GenerationSize0: Hex64, TotalPromotedSize0: Hex64, GenerationSize1: Hex64, TotalPromotedSize1: Hex64,
            GenerationSize2: Hex64, TotalPromotedSize2: Hex64, GenerationSize3: Hex64, TotalPromotedSize3: Hex64,
            FinalizationPromotedSize: Hex64, FinalizationPromotedCount: U64, PinnedObjectCount: U32,
            SinkBlockCount: U32, GCHandleCount: U32,
        ]
        version 1 [
            GenerationSize0: Hex64, TotalPromotedSize0: Hex64, GenerationSize1: Hex64, TotalPromotedSize1: Hex64,
            GenerationSize2: Hex64, TotalPromotedSize2: Hex64, GenerationSize3: Hex64, TotalPromotedSize3: Hex64,
            FinalizationPromotedSize: Hex64, FinalizationPromotedCount: U64, PinnedObjectCount: U32,
            SinkBlockCount: U32, GCHandleCount: U32, ClrInstanceID: U16,
        ]
        version 2 [
            GenerationSize0: Hex64, TotalPromotedSize0: Hex64, GenerationSize1: Hex64, TotalPromotedSize1: Hex64,
            GenerationSize2: Hex64, TotalPromotedSize2: Hex64, GenerationSize3: Hex64, TotalPromotedSize3: Hex64,
            FinalizationPromotedSize: Hex64, FinalizationPromotedCount: U64, PinnedObjectCount: U32,
            SinkBlockCount: U32, GCHandleCount: U32, ClrInstanceID: U16, GenerationSize4: Hex64,
            TotalPromotedSize4: Hex64,
        ]
    }
    5 "GarbageCollection/GCCreateSegment" {
        version 0 [Address: Hex64, Size: Hex64, Type: U32 as GC_SEGMENT_TYPE]
        version 1 [Address: Hex64, Size: Hex64, Type: U32 as GC_SEGMENT_TYPE, ClrInstanceID: U16]
    }
    6 "GarbageCollection/GCFreeSegment" {
        version 0 [Address: Hex64]
        version 1 [Address: Hex64, ClrInstanceID: U16]
    }
    9 "GarbageCollection/GCSuspendEEBegin" {
        version 0 [Reason: U16 as GC_SUSPEND_REASON]
        version 1 [Reason: U32 as GC_SUSPEND_REASON, Count: U32, ClrInstanceID: U16]
    }
    10 "GarbageCollection/GCAllocationTick" {
        version 0 [AllocationAmount: Hex32, AllocationKind: U32 as GC_ALLOCATION_KIND]
        version 1 [AllocationAmount: Hex32, AllocationKind: U32 as GC_ALLOCATION_KIND, ClrInstanceID: U16]
        version 2 [
            AllocationAmount: Hex32, AllocationKind: U32 as GC_ALLOCATION_KIND, ClrInstanceID: U16,
            AllocationAmount64: Hex64, TypeID: Ptr, TypeName: Text16, HeapIndex: U32,
        ]
        version 3 [
            AllocationAmount: Hex32, AllocationKind: U32 as GC_ALLOCATION_KIND, ClrInstanceID: U16,
            AllocationAmount64: Hex64, TypeID: Ptr, TypeName: Text16, HeapIndex: U32, Address: Ptr,
        ]
        version 4 [
            AllocationAmount: Hex32, AllocationKind: U32 as GC_ALLOCATION_KIND, ClrInstanceID: U16,
            AllocationAmount64: Hex64, TypeID: Ptr, TypeName: Text16, HeapIndex: U32, Address: Ptr, ObjectSize: U64,
        ]
    }
    13 "GarbageCollection/GCFinalizersEnd" {
        version 0 [Count: U32]
        version 1 [Count: U32, ClrInstanceID: U16]
    }
    25 "GarbageCollection/GCMarkStackRoots", 26 "GarbageCollection/GCMarkFinalizeQueueRoots",
    27 "GarbageCollection/GCMarkHandles", 28 "GarbageCollection/GCMarkOlderGenerationRoots" {
        version 0 [HeapNum: U32, ClrInstanceID: U16]
    }
    29 "GarbageCollection/FinalizeObject" {
        version 0 [TypeID: Ptr, ObjectID: Ptr, ClrInstanceID: U16]
    }
    30 "GarbageCollection/SetGCHandle" {
        version 0 GC_HANDLE
    }
    31 "GarbageCollection/DestroyGCHandle" {
        version 0 [HandleID: Ptr, ClrInstanceID: U16]
    }
    33 "GarbageCollection/PinObjectAtGCTime" {
        version 0 [HandleID: Ptr, ObjectID: Ptr, ObjectSize: U64, TypeName: Text16, ClrInstanceID: U16]
    }
    35 "GarbageCollection/Triggered" {
        version 0 [Reason: U32 as GC_REASON, ClrInstanceID: U16]
    }
    39 "GarbageCollection/GCDynamicEvent" {
        version 0 [Name: Text16, DataSize: Count32(0), Data: BytesOf(0), ClrInstanceID: U16]
    }
    200 "GarbageCollection/IncreaseMemoryPressure" {
        version 0 [BytesAllocated: U64, ClrInstanceID: U16]
    }
    201 "GarbageCollection/DecreaseMemoryPressure" {
        version 0 [BytesFreed: U64, ClrInstanceID: U16]
    }
    202 "GarbageCollection/GCMarkWithType" {
        version 0 [HeapNum: U32, ClrInstanceID: U16, Type: U32 as GC_ROOT_KIND, Bytes: U64]
    }
    203 "GarbageCollection/GCJoin" {
        version 2 [Heap: U32, JoinTime: U32, JoinType: U32, ClrInstanceID: U16, JoinID: U32]
    }
    204 "GarbageCollection/GCPerHeapHistory" {
        version 3 [
            ClrInstanceID: U16, FreeListAllocated: Ptr, FreeListRejected: Ptr, EndOfSegAllocated: Ptr,
            CondemnedAllocated: Ptr, PinnedAllocated: Ptr, PinnedAllocatedAdvance: Ptr, RunningFreeListEfficiency: U32,
            CondemnReasons0: U32, CondemnReasons1: U32, CompactMechanisms: U32, ExpandMechanisms: U32, HeapIndex: U32,
            ExtraGen0Commit: Ptr, Count: Count32(0), Values: Each(0, GENERATION_HISTORY),
        ]
    }
    205 "GarbageCollection/GCGlobalHeapHistory" {
        version 2 [
            FinalYoungestDesired: Hex64, NumHeaps: I32, CondemnedGeneration: U32, Gen0ReductionCount: U32, Reason: U32,
            GlobalMechanisms: U32, ClrInstanceID: U16, PauseMode: U32, MemoryPressure: U32,
        ]
        version 3 [
            FinalYoungestDesired: Hex64, NumHeaps: I32, CondemnedGeneration: U32, Gen0ReductionCount: U32, Reason: U32,
            GlobalMechanisms: U32, ClrInstanceID: U16, PauseMode: U32, MemoryPressure: U32, CondemnReasons0: U32,
            CondemnReasons1: U32,
        ]
        version 4 [
            FinalYoungestDesired: Hex64, NumHeaps: I32, CondemnedGeneration: U32, Gen0ReductionCount: U32, Reason: U32,
            GlobalMechanisms: U32, ClrInstanceID: U16, PauseMode: U32, MemoryPressure: U32, CondemnReasons0: U32,
            CondemnReasons1: U32, Count: Count32(0), Values: Each(0, columns![Time: U32]),
        ]
    }
    206 "GarbageCollection/GenAwareBegin", 207 "GarbageCollection/GenAwareEnd" {
        version 0 [Count: U32, ClrInstanceID: U16]
    }
    208 "GarbageCollection/GCLOHCompact" {
        version 0 [ClrInstanceID: U16, Count: Count16(0), Values: Each(0, LOH_COMPACT_64)]
        version 0 [ClrInstanceID: U16, Count: Count16(0), Values: Each(0, LOH_COMPACT_32)]
    }
    209 "GarbageCollection/GCFitBucketInfo" {
        version 0 [
            ClrInstanceID: U16, BucketKind: U16, TotalSize: U64, Count: Count16(0),
            Values: Each(0, columns![Index: U16, Gap: Pad(2), Count: U32, Size: Ptr]),
        ]
    }
}
