//! Methods: their machine code, how it was compiled, and what of it was decided then.

use super::shared::{
    IL_MAP_0, IL_MAP_1, INSTANCE, METHOD_0, METHOD_1, METHOD_2, NAMED_METHOD_0, NAMED_METHOD_1,
    NAMED_METHOD_2, TIERED_SETTINGS,
};

crate::bundled::table::events! {
    72 "CLRMethod/MethodDetails" {
        version 0 [
            MethodID: Hex64, TypeID: Hex64, MethodToken: Hex32, TypeParameterCount: Count32(0), LoaderModuleID: Hex64,
            TypeParameters: Hex64s(0),
        ]
    }
    88 "CLRILStub/ILStubGenerated" {
        version 0 [
            ClrInstanceID: U16, ModuleID: Hex64, StubMethodID: Hex64, StubFlags: U32 as IL_STUB_FLAGS,
            ManagedInteropMethodToken: Hex32, ManagedInteropMethodNamespace: Text16, ManagedInteropMethodName: Text16,
            ManagedInteropMethodSignature: Text16, NativeMethodSignature: Text16, StubMethodSignature: Text16,
            StubMethodILCode: Text16,
        ]
    }
    89 "CLRILStub/ILStubCacheHit" {
        version 0 [
            ClrInstanceID: U16, ModuleID: Hex64, StubMethodID: Hex64, ManagedInteropMethodToken: Hex32,
            ManagedInteropMethodNamespace: Text16, ManagedInteropMethodName: Text16,
            ManagedInteropMethodSignature: Text16,
        ]
    }
    135 "CLRMethod/DCStartComplete", 136 "CLRMethod/DCEndComplete" {
        version 0 []
    }
    137 "CLRMethod/MethodDCStart", 138 "CLRMethod/MethodDCEnd" {
        version 0 METHOD_0
    }
    139 "CLRMethod/MethodDCStartVerbose", 140 "CLRMethod/MethodDCEndVerbose" {
        version 0 NAMED_METHOD_0
    }
    141 "CLRMethod/MethodLoad", 142 "CLRMethod/MethodUnload" {
        version 0 METHOD_0
        version 1 METHOD_1
        version 2 METHOD_2
    }
    143 "CLRMethod/MethodLoadVerbose", 144 "CLRMethod/MethodUnloadVerbose" {
        version 0 NAMED_METHOD_0
        version 1 NAMED_METHOD_1
        version 2 NAMED_METHOD_2
    }
    145 "CLRMethod/MethodJittingStarted" {
        version 0 [
            MethodID: Hex64, ModuleID: Hex64, MethodToken: Hex32, MethodILSize: Hex32, MethodNamespace: Text16,
            MethodName: Text16, MethodSignature: Text16,
        ]
        version 1 [
            MethodID: Hex64, ModuleID: Hex64, MethodToken: Hex32, MethodILSize: Hex32, MethodNamespace: Text16,
            MethodName: Text16, MethodSignature: Text16, ClrInstanceID: U16,
        ]
    }
    146 "CLRMethod/MemoryAllocatedForJitCode" {
        version 0 [
            MethodID: Hex64, ModuleID: Hex64, JitHotCodeRequestSize: U64, JitRODataRequestSize: U64,
            AllocatedSizeForJitCode: U64, JitAllocFlag: U32, ClrInstanceID: U16,
        ]
    }
    159 "CLRMethod/MethodLoad" {
        version 0 [
            MethodID: Hex64, MethodNamespace: Text16, MethodName: Text16, MethodSignature: Text16, EntryPoint: Hex64,
            ClrInstanceID: U16,
        ]
    }
    160 "CLRMethod/MethodLoad" {
        version 0 [MethodID: Hex64, ClrInstanceID: U16]
    }
    185 "CLRMethod/JitInliningSucceeded" {
        version 0 [
            MethodBeingCompiledNamespace: Text16, MethodBeingCompiledName: Text16,
            MethodBeingCompiledNameSignature: Text16, InlinerNamespace: Text16, InlinerName: Text16,
            InlinerNameSignature: Text16, InlineeNamespace: Text16, InlineeName: Text16, InlineeNameSignature: Text16,
            ClrInstanceID: U16,
        ]
    }
    186 "CLRMethod/JitInliningFailed" {
        version 0 [
            MethodBeingCompiledNamespace: Text16, MethodBeingCompiledName: Text16,
            MethodBeingCompiledNameSignature: Text16, InlinerNamespace: Text16, InlinerName: Text16,
            InlinerNameSignature: Text16, InlineeNamespace: Text16, InlineeName: Text16, InlineeNameSignature: Text16,
            FailAlways: Bool32, FailReason: Text8, ClrInstanceID: U16,
        ]
    }
    192 "CLRMethod/JitInliningFailed" {
        version 0 [
            MethodBeingCompiledNamespace: Text16, MethodBeingCompiledName: Text16,
            MethodBeingCompiledNameSignature: Text16, InlinerNamespace: Text16, InlinerName: Text16,
            InlinerNameSignature: Text16, InlineeNamespace: Text16, InlineeName: Text16, InlineeNameSignature: Text16,
            FailAlways: Bool32, FailReason: Text16, ClrInstanceID: U16,
        ]
    }
    188 "CLRMethod/JitTailCallSucceeded" {
        version 0 [
            MethodBeingCompiledNamespace: Text16, MethodBeingCompiledName: Text16,
            MethodBeingCompiledNameSignature: Text16, CallerNamespace: Text16, CallerName: Text16,
            CallerNameSignature: Text16, CalleeNamespace: Text16, CalleeName: Text16, CalleeNameSignature: Text16,
            TailPrefix: Bool32, TailCallType: U32 as TAIL_CALL_TYPE, ClrInstanceID: U16,
        ]
    }
    189 "CLRMethod/JitTailCallFailed" {
        version 0 [
            MethodBeingCompiledNamespace: Text16, MethodBeingCompiledName: Text16,
            MethodBeingCompiledNameSignature: Text16, CallerNamespace: Text16, CallerName: Text16,
            CallerNameSignature: Text16, CalleeNamespace: Text16, CalleeName: Text16, CalleeNameSignature: Text16,
            TailPrefix: Bool32, FailReason: Text8, ClrInstanceID: U16,
        ]
    }
    191 "CLRMethod/JitTailCallFailed" {
        version 0 [
            MethodBeingCompiledNamespace: Text16, MethodBeingCompiledName: Text16,
            MethodBeingCompiledNameSignature: Text16, CallerNamespace: Text16, CallerName: Text16,
            CallerNameSignature: Text16, CalleeNamespace: Text16, CalleeName: Text16, CalleeNameSignature: Text16,
            TailPrefix: Bool32, FailReason: Text16, ClrInstanceID: U16,
        ]
    }
    190 "CLRMethod/MethodILToNativeMap" {
        version 0 IL_MAP_0
        version 1 IL_MAP_1
    }
    280 "TieredCompilation/Settings" {
        version 0 TIERED_SETTINGS
    }
    281 "TieredCompilation/Pause" {
        version 0 INSTANCE
    }
    282 "TieredCompilation/Resume" {
        version 0 [ClrInstanceID: U16, NewMethodCount: U32]
    }
    283 "TieredCompilation/Start" {
        version 0 [ClrInstanceID: U16, PendingMethodCount: U32]
    }
    284 "TieredCompilation/Stop" {
        version 0 [ClrInstanceID: U16, PendingMethodCount: U32, JittedMethodCount: U32]
    }
    297 "JitInstrumentationData/InstrumentationData" {
        version 0 [ClrInstanceID: U16, MethodFlags: U32, DataSize: Count32(0), MethodID: Hex64, Data: BytesOf(0)]
    }
    298 "JitInstrumentationData/InstrumentationDataVerbose" {
        version 0 [
            ClrInstanceID: U16, MethodFlags: U32, DataSize: Count32(0), MethodID: Hex64, ModuleID: Hex64,
            MethodToken: Hex32, MethodNamespace: Text16, MethodName: Text16, MethodSignature: Text16, Data: BytesOf(0),
        ]
    }
}
