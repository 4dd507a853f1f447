//! What is on the heap: types, objects and what refers to them, the ranges of generations.

use crate::bundled::table::{Column, columns};

const TYPE: &[Column] = columns![
    TypeID: Hex64, ModuleID: Hex64, TypeNameID: U32, Flags: U32 as TYPE_FLAGS, CorElementType: U8, Name: Text16,
    TypeParameterCount: Count32(1), TypeParameters: Hex64s(1),
];
const ROOT_EDGE: &[Column] = columns![
    RootedNodeAddress: Ptr, GCRootKind: U8 as GC_ROOT_KIND, GCRootFlag: U32 as GC_ROOT_FLAGS, GCRootID: Ptr,
];
const ROOT_CCW: &[Column] = columns![
    GCRootID: Hex64, ObjectID: Hex64, TypeID: Hex64, IUnknown: Hex64, RefCount: U32, PeggedRefCount: U32,
    Flags: U32 as GC_ROOT_CCW_FLAGS,
];
const RCW: &[Column] = columns![
    ObjectID: Hex64, TypeID: Hex64, IUnknown: Hex64, VTable: Hex64, RefCount: U32, Flags: U32,
];
const STATIC_VAR: &[Column] = columns![
    GCRootID: Hex64, ObjectID: Hex64, TypeID: Hex64, Flags: U32 as GC_ROOT_STATIC_VAR_FLAGS, FieldName: Text16,
];

crate::bundled::table::events! {
    15 "Type/BulkType" {
        version 0 [Count: Count32(0), ClrInstanceID: U16, Values: Each(0, TYPE)]
    }
    16 "GarbageCollection/GCBulkRootEdge" {
        version 0 [Index: U32, Count: Count32(0), ClrInstanceID: U16, Values: Each(0, ROOT_EDGE)]
    }
    17 "GarbageCollection/GCBulkRootConditionalWeakTableElementEdge" {
        version 0 [
            Index: U32, Count: Count32(0), ClrInstanceID: U16,
            Values: Each(0, columns![GCKeyNodeID: Ptr, GCValueNodeID: Ptr, GCRootID: Ptr]),
        ]
    }
    18 "GarbageCollection/GCBulkNode" {
        version 0 [
            Index: U32, Count: Count32(0), ClrInstanceID: U16,
            Values: Each(0, columns![Address: Ptr, Size: U64, TypeID: U64, EdgeCount: U64]),
        ]
    }
    19 "GarbageCollection/GCBulkEdge" {
        version 0 [
            Index: U32, Count: Count32(0), ClrInstanceID: U16,
            Values: Each(0, columns![Value: Ptr, ReferencingFieldID: U32]),
        ]
    }
    20 "GarbageCollection/GCSampledObjectAllocation", 32 "GarbageCollection/GCSampledObjectAllocation" {
        version 0 [
            Address: Ptr, TypeID: Ptr, ObjectCountForTypeSample: U32, TotalSizeForTypeSample: U64, ClrInstanceID: U16,
        ]
    }
    21 "GarbageCollection/GCBulkSurvivingObjectRanges" {
        version 0 [
            Index: U32, Count: Count32(0), ClrInstanceID: U16,
            Values: Each(0, columns![RangeBase: Ptr, RangeLength: U64]),
        ]
    }
    22 "GarbageCollection/GCBulkMovedObjectRanges" {
        version 0 [
            Index: U32, Count: Count32(0), ClrInstanceID: U16,
            Values: Each(0, columns![OldRangeBase: Ptr, NewRangeBase: Ptr, RangeLength: U64]),
        ]
    }
    23 "GarbageCollection/GCGenerationRange" {
        version 0 [
            Generation: U8, RangeStart: Ptr, RangeUsedLength: U64, RangeReservedLength: U64, ClrInstanceID: U16,
        ]
    }
    36 "GarbageCollection/GCBulkRootCCW" {
        version 0 [Count: Count32(0), ClrInstanceID: U16, Values: Each(0, ROOT_CCW)]
    }
    37 "GarbageCollection/GCBulkRCW" {
        version 0 [Count: Count32(0), ClrInstanceID: U16, Values: Each(0, RCW)]
    }
    38 "GarbageCollection/GCBulkRootStaticVar" {
        version 0 [Count: Count32(0), AppDomainID: Hex64, ClrInstanceID: U16, Values: Each(0, STATIC_VAR)]
    }
}
