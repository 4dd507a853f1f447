//! The runtime itself and what it loads: application domains, assemblies, modules, types.

use super::shared::{
    APP_DOMAIN_0, APP_DOMAIN_1, ASSEMBLY_0, ASSEMBLY_1, DOMAIN_MODULE_0, DOMAIN_MODULE_1, MODULE_0,
    MODULE_1, MODULE_2, MODULE_RANGE, RUNTIME,
};

crate::bundled::table::events! {
    73 "TypeLoad/Start" {
        version 0 [TypeLoadStartID: U32, ClrInstanceID: U16]
    }
    74 "TypeLoad/Stop" {
        version 0 [TypeLoadStartID: U32, ClrInstanceID: U16, LoadLevel: U16, TypeID: Hex64, TypeName: Text16]
    }
    149 "CLRLoader/ModuleDCStart", 150 "CLRLoader/ModuleDCEnd" {
        version 0 MODULE_0
    }
    151 "CLRLoader/DomainModuleLoad" {
        version 0 DOMAIN_MODULE_0
        version 1 DOMAIN_MODULE_1
    }
    152 "CLRLoader/ModuleLoad", 153 "CLRLoader/ModuleUnload" {
        version 0 MODULE_0
        version 1 MODULE_1
        version 2 MODULE_2
    }
    154 "CLRLoader/AssemblyLoad", 155 "CLRLoader/AssemblyUnload" {
        version 0 ASSEMBLY_0
        version 1 ASSEMBLY_1
    }
    156 "CLRLoader/AppDomainLoad", 157 "CLRLoader/AppDomainUnload" {
        version 0 APP_DOMAIN_0
        version 1 APP_DOMAIN_1
    }
    158 "CLRPerfTrack/ModuleRangeLoad" {
        version 0 MODULE_RANGE
    }
    181 "CLRStrongNameVerification/Start", 182 "CLRStrongNameVerification/Stop" {
        version 0 [VerificationFlags: Hex32, ErrorCode: Hex32, FullyQualifiedAssemblyName: Text16]
        version 1 [VerificationFlags: Hex32, ErrorCode: Hex32, FullyQualifiedAssemblyName: Text16, ClrInstanceID: U16]
    }
    183 "CLRAuthenticodeVerification/Start", 184 "CLRAuthenticodeVerification/Stop" {
        version 0 [VerificationFlags: Hex32, ErrorCode: Hex32, ModulePath: Text16]
        version 1 [VerificationFlags: Hex32, ErrorCode: Hex32, ModulePath: Text16, ClrInstanceID: U16]
    }
    187 "CLRRuntimeInformation/Start" {
        version 0 RUNTIME
    }
    260 "CodeSymbols/Start" {
        version 0 [
            ModuleId: U64, TotalChunks: U16, ChunkNumber: U16, ChunkLength: Count32(0), Chunk: BytesOf(0),
            ClrInstanceID: U16,
        ]
    }
    270 "EventSource" {
        version 0 [EventID: I32, EventName: Text16, EventSourceName: Text16, Payload: Text16]
    }
    290 "AssemblyLoader/Start" {
        version 0 [
            ClrInstanceID: U16, AssemblyName: Text16, AssemblyPath: Text16, RequestingAssembly: Text16,
            AssemblyLoadContext: Text16, RequestingAssemblyLoadContext: Text16,
        ]
    }
    291 "AssemblyLoader/Stop" {
        version 0 [
            ClrInstanceID: U16, AssemblyName: Text16, AssemblyPath: Text16, RequestingAssembly: Text16,
            AssemblyLoadContext: Text16, RequestingAssemblyLoadContext: Text16, Success: Bool32,
            ResultAssemblyName: Text16, ResultAssemblyPath: Text16, Cached: Bool32,
        ]
    }
    292 "AssemblyLoader/ResolutionAttempted" {
        version 0 [
            ClrInstanceID: U16, AssemblyName: Text16, Stage: U16 as RESOLUTION_STAGE, AssemblyLoadContext: Text16,
            Result: U16 as RESOLUTION_RESULT, ResultAssemblyName: Text16, ResultAssemblyPath: Text16,
            ErrorMessage: Text16,
        ]
    }
    293 "AssemblyLoader/AssemblyLoadContextResolvingHandlerInvoked" {
        version 0 [
            ClrInstanceID: U16, AssemblyName: Text16, HandlerName: Text16, AssemblyLoadContext: Text16,
            ResultAssemblyName: Text16, ResultAssemblyPath: Text16,
        ]
    }
    294 "AssemblyLoader/AppDomainAssemblyResolveHandlerInvoked" {
        version 0 [
            ClrInstanceID: U16, AssemblyName: Text16, HandlerName: Text16, ResultAssemblyName: Text16,
            ResultAssemblyPath: Text16,
        ]
    }
    295 "AssemblyLoader/AssemblyLoadFromResolveHandlerInvoked" {
        version 0 [
            ClrInstanceID: U16, AssemblyName: Text16, IsTrackedLoad: Bool32, RequestingAssemblyPath: Text16,
            ComputedRequestedAssemblyPath: Text16,
        ]
    }
    296 "AssemblyLoader/KnownPathProbed" {
        version 0 [ClrInstanceID: U16, FilePath: Text16, Source: U16 as KNOWN_PATH_SOURCE, Result: I32]
    }
    299 "Profiler/Profiler" {
        version 0 [ClrInstanceID: U16, Message: Text16]
    }
    300 "ExecutionCheckpoint/ExecutionCheckpoint" {
        version 0 [ClrInstanceID: U16, Name: Text16, Timestamp: I64]
    }
}
