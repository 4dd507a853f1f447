//! The runtime's private provider: the collector's decisions, start-up, binding, native images.
//!
//! The events of start-up have no fields but which runtime it is.

use super::shared::{GC_HANDLE, INSTANCE, STACK};
use crate::bundled::table::{Column, columns};

const MARK_0: &[Column] = columns![HeapNum: U32];
const MARK_1: &[Column] = columns![HeapNum: U32, ClrInstanceID: U16];
const BINDING: &[Column] = columns![
    AppDomainID: U32, LoadContextID: U32, FromLoaderCache: U32, DynamicLoad: U32, AssemblyCodebase: Text16,
    AssemblyName: Text16, ClrInstanceID: U16,
];

crate::bundled::table::events! {
    1 "GarbageCollectionPrivate/GCDecision" {
        version 0 [DoCompact: Bool32]
        version 1 [DoCompact: Bool32, ClrInstanceID: U16]
    }
    2 "GarbageCollectionPrivate/GCSettings" {
        version 0 [SegmentSize: U64, LargeObjectSegmentSize: U64, ServerGC: Bool32]
        version 1 [SegmentSize: U64, LargeObjectSegmentSize: U64, ServerGC: Bool32, ClrInstanceID: U16]
    }
    3 "GarbageCollectionPrivate/GCOptimized" {
        version 0 [DesiredAllocation: Hex64, NewAllocation: Hex64, GenerationNumber: U32]
        version 1 [DesiredAllocation: Hex64, NewAllocation: Hex64, GenerationNumber: U32, ClrInstanceID: U16]
    }
    5 "GarbageCollectionPrivate/GCGlobalHeapHistory" {
        version 0 [
            FinalYoungestDesired: Hex64, NumHeaps: I32, CondemnedGeneration: U32, Gen0ReductionCount: U32, Reason: U32,
            GlobalMechanisms: U32,
        ]
        version 1 [
            FinalYoungestDesired: Hex64, NumHeaps: I32, CondemnedGeneration: U32, Gen0ReductionCount: U32, Reason: U32,
            GlobalMechanisms: U32, ClrInstanceID: U16,
        ]
    }
    6 "GarbageCollectionPrivate/GCJoin" {
        version 0 [Heap: U32, JoinTime: U32, JoinType: U32]
        version 1 [Heap: U32, JoinTime: U32, JoinType: U32, ClrInstanceID: U16]
    }
    7 "GarbageCollectionPrivate/PrvGCMarkStackRoots", 8 "GarbageCollectionPrivate/PrvGCMarkFinalizeQueueRoots",
    9 "GarbageCollectionPrivate/PrvGCMarkHandles", 10 "GarbageCollectionPrivate/PrvGCMarkCards" {
        version 0 MARK_0
        version 1 MARK_1
    }
    11 "GarbageCollectionPrivate/BGCBegin", 12 "GarbageCollectionPrivate/BGC1stNonConEnd",
    13 "GarbageCollectionPrivate/BGC1stConEnd", 14 "GarbageCollectionPrivate/BGC2ndNonConBegin",
    15 "GarbageCollectionPrivate/BGC2ndNonConEnd", 16 "GarbageCollectionPrivate/BGC2ndConBegin",
    17 "GarbageCollectionPrivate/BGC2ndConEnd", 18 "GarbageCollectionPrivate/BGCPlanEnd",
    19 "GarbageCollectionPrivate/BGCSweepEnd" {
        version 0 INSTANCE
    }
    20 "GarbageCollectionPrivate/BGCDrainMark" {
        version 0 [Objects: U64, ClrInstanceID: U16]
    }
    21 "GarbageCollectionPrivate/BGCRevisit" {
        version 0 [Pages: U64, Objects: U64, IsLarge: U32, ClrInstanceID: U16]
    }
    22 "GarbageCollectionPrivate/BGCOverflow" {
        version 0 [Min: U64, Max: U64, Objects: U64, IsLarge: U32, ClrInstanceID: U16]
        version 1 [Min: U64, Max: U64, Objects: U64, IsLarge: U32, ClrInstanceID: U16, GenNumber: U32]
    }
    23 "GarbageCollectionPrivate/BGCAllocWaitBegin", 24 "GarbageCollectionPrivate/BGCAllocWaitEnd" {
        version 0 [Reason: U32, ClrInstanceID: U16]
    }
    25 "GarbageCollectionPrivate/GCFullNotify" {
        version 0 [GenNumber: U32, IsAlloc: U32]
        version 1 [GenNumber: U32, IsAlloc: U32, ClrInstanceID: U16]
    }
    26 "GarbageCollectionPrivate/BGC1stSweepEnd" {
        version 0 [GenNumber: U32, ClrInstanceID: U16]
    }
    80 "Startup/EEStartupStart", 81 "Startup/EEStartupEnd", 82 "Startup/EEConfigSetup", 83 "Startup/EEConfigSetupEnd",
    84 "Startup/LoadSystemBases", 85 "Startup/LoadSystemBasesEnd", 86 "Startup/ExecExe", 87 "Startup/ExecExeEnd",
    88 "Startup/Main", 89 "Startup/MainEnd", 90 "Startup/ApplyPolicyStart", 91 "Startup/ApplyPolicyEnd",
    92 "Startup/LdLibShFolder", 93 "Startup/LdLibShFolderEnd", 94 "Startup/PrestubWorker",
    95 "Startup/PrestubWorkerEnd", 96 "Startup/GetInstallationStart", 97 "Startup/GetInstallationEnd",
    98 "Startup/OpenHModule", 99 "Startup/OpenHModuleEnd", 100 "Startup/ExplicitBindStart",
    101 "Startup/ExplicitBindEnd", 102 "Startup/ParseXml", 103 "Startup/ParseXmlEnd", 104 "Startup/InitDefaultDomain",
    105 "Startup/InitDefaultDomainEnd", 106 "Startup/InitSecurity", 107 "Startup/InitSecurityEnd",
    108 "Startup/AllowBindingRedirs", 109 "Startup/AllowBindingRedirsEnd", 110 "Startup/EEConfigSync",
    111 "Startup/EEConfigSyncEnd", 112 "Startup/FusionBinding", 113 "Startup/FusionBindingEnd",
    114 "Startup/LoaderCatchCall", 115 "Startup/LoaderCatchCallEnd", 116 "Startup/FusionInit",
    117 "Startup/FusionInitEnd", 118 "Startup/FusionAppCtx", 119 "Startup/FusionAppCtxEnd", 120 "Startup/Fusion2EE",
    121 "Startup/Fusion2EEEnd", 122 "Startup/SecurityCatchCall", 123 "Startup/SecurityCatchCallEnd" {
        version 0 []
        version 1 INSTANCE
    }
    151 "CLRStackPrivate/CLRStackWalk" {
        version 0 STACK
    }
    158 "CLRPerfTrackPrivate/ModuleRangeLoadPrivate" {
        version 0 [
            ClrInstanceID: U16, ModuleID: Hex64, RangeBegin: Hex32, RangeSize: Hex32, RangeType: U8, IBCType: U8,
            SectionType: U16,
        ]
    }
    159 "Binding/BindingPolicyPhaseStart", 160 "Binding/BindingPolicyPhaseEnd", 161 "Binding/BindingNgenPhaseStart",
    162 "Binding/BindingNgenPhaseEnd", 163 "Binding/BindingLookupAndProbingPhaseStart",
    164 "Binding/BindingLookupAndProbingPhaseEnd", 165 "Binding/LoaderPhaseStart", 166 "Binding/LoaderPhaseEnd",
    167 "Binding/BindingPhaseStart", 168 "Binding/BindingPhaseEnd", 169 "Binding/BindingDownloadPhaseStart",
    170 "Binding/BindingDownloadPhaseEnd", 171 "Binding/LoaderAssemblyInitPhaseStart",
    172 "Binding/LoaderAssemblyInitPhaseEnd", 173 "Binding/LoaderMappingPhaseStart",
    174 "Binding/LoaderMappingPhaseEnd", 175 "Binding/LoaderDeliverEventsPhaseStart",
    176 "Binding/LoaderDeliverEventsPhaseEnd" {
        version 0 BINDING
    }
    177 "EvidenceGeneratedTask/EvidenceGenerated" {
        version 0 [Type: U32, AppDomain: U32, ILImage: Text16, ClrInstanceID: U16]
    }
    178 "TransparencyComputation/ModuleTransparencyComputationStart" {
        version 0 [Module: Text16, AppDomainID: U32, ClrInstanceID: U16]
    }
    179 "TransparencyComputation/ModuleTransparencyComputationEnd" {
        version 0 [
            Module: Text16, AppDomainID: U32, IsAllCritical: Bool32, IsAllTransparent: Bool32, IsTreatAsSafe: Bool32,
            IsOpportunisticallyCritical: Bool32, SecurityRuleSet: U32, ClrInstanceID: U16,
        ]
    }
    180 "TransparencyComputation/TypeTransparencyComputationStart" {
        version 0 [Type: Text16, Module: Text16, AppDomainID: U32, ClrInstanceID: U16]
    }
    181 "TransparencyComputation/TypeTransparencyComputationEnd" {
        version 0 [
            Type: Text16, Module: Text16, AppDomainID: U32, IsAllCritical: Bool32, IsAllTransparent: Bool32,
            IsCritical: Bool32, IsTreatAsSafe: Bool32, ClrInstanceID: U16,
        ]
    }
    182 "TransparencyComputation/MethodTransparencyComputationStart" {
        version 0 [Method: Text16, Module: Text16, AppDomainID: U32, ClrInstanceID: U16]
    }
    183 "TransparencyComputation/MethodTransparencyComputationEnd" {
        version 0 [
            Method: Text16, Module: Text16, AppDomainID: U32, IsCritical: Bool32, IsTreatAsSafe: Bool32,
            ClrInstanceID: U16,
        ]
    }
    184 "TransparencyComputation/FieldTransparencyComputationStart" {
        version 0 [Field: Text16, Module: Text16, AppDomainID: U32, ClrInstanceID: U16]
    }
    185 "TransparencyComputation/FieldTransparencyComputationEnd" {
        version 0 [
            Field: Text16, Module: Text16, AppDomainID: U32, IsCritical: Bool32, IsTreatAsSafe: Bool32,
            ClrInstanceID: U16,
        ]
    }
    186 "TransparencyComputation/TokenTransparencyComputationStart" {
        version 0 [Token: U32, Module: Text16, AppDomainID: U32, ClrInstanceID: U16]
    }
    187 "TransparencyComputation/TokenTransparencyComputationEnd" {
        version 0 [
            Token: U32, Module: Text16, AppDomainID: U32, IsCritical: Bool32, IsTreatAsSafe: Bool32,
            ClrInstanceID: U16,
        ]
    }
    188 "CLRNgenBinder/NgenBind" {
        version 0 [ClrInstanceID: U16, BindingID: U64, ReasonCode: U32, AssemblyName: Text16]
    }
    191 "CLRFailFast/FailFast" {
        version 0 [FailFastUserMessage: Text16, FailedEIP: Ptr, OSExitCode: U32, ClrExitCode: U32, ClrInstanceID: U16]
    }
    192 "GarbageCollectionPrivate/PrvFinalizeObject" {
        version 0 [TypeID: Ptr, ObjectID: Ptr, ClrInstanceID: U16, TypeName: Text16]
    }
    193 "GarbageCollectionPrivate/CCWRefCountChange" {
        version 0 [
            HandleID: Ptr, ObjectID: Ptr, COMInterfacePointer: Ptr, NewRefCount: U32, AppDomainID: Hex64,
            ClassName: Text8, NameSpace: Text8, Operation: Text16, ClrInstanceID: U16,
        ]
    }
    200 "GarbageCollectionPrivate/CCWRefCountChange" {
        version 0 [
            HandleID: Ptr, ObjectID: Ptr, COMInterfacePointer: Ptr, NewRefCount: U32, AppDomainID: Hex64,
            ClassName: Text16, NameSpace: Text16, Operation: Text16, ClrInstanceID: U16,
        ]
    }
    194 "GarbageCollectionPrivate/SetGCHandle" {
        version 0 GC_HANDLE
    }
    195 "GarbageCollectionPrivate/DestroyGCHandle" {
        version 0 [HandleID: Ptr, ClrInstanceID: U16]
    }
    196 "Binding/FusionMessage" {
        version 0 [ClrInstanceID: U16, Prepend: Bool32, Message: Text16]
    }
    197 "Binding/FusionErrorCode" {
        version 0 [ClrInstanceID: U16, Category: U32, ErrorCode: U32]
    }
    199 "GarbageCollectionPrivate/PinPlugAtGCTime" {
        version 0 [PlugStart: Ptr, PlugEnd: Ptr, GapBeforeSize: Ptr, ClrInstanceID: U16]
    }
    201 "CLRMulticoreJit/Common" {
        version 0 [ClrInstanceID: U16, String1: Text16, String2: Text16, Int1: I32, Int2: I32, Int3: I32]
    }
    202 "CLRMulticoreJit/MethodCodeReturned" {
        version 0 [ClrInstanceID: U16, ModuleID: U64, MethodID: U64]
    }
    310 "LoaderHeapAllocation/AllocRequest" {
        version 0 [
            LoaderHeapPtr: Ptr, MemoryAddress: Ptr, RequestSize: U32, Unused1: U32, Unused2: Hex64, ClrInstanceID: U16,
        ]
    }
}
