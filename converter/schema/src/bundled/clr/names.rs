//! Names of values, as the manifest has them.

use crate::bundled::table::Names;

pub(in crate::bundled) const METHOD_FLAGS: Names = Names::flags(&[
    (0x1, "Dynamic"),
    (0x2, "Generic"),
    (0x4, "HasSharedGenericCode"),
    (0x8, "Jitted"),
    (0x10, "JitHelper"),
    (0x20, "ProfilerRejectedPrecompiledCode"),
    (0x40, "ReadyToRunRejectedPrecompiledCode"),
]);

pub(in crate::bundled) const MODULE_FLAGS: Names = Names::flags(&[
    (0x1, "DomainNeutral"),
    (0x2, "Native"),
    (0x4, "Dynamic"),
    (0x8, "Manifest"),
    (0x10, "IbcOptimized"),
    (0x20, "ReadyToRunModule"),
    (0x40, "PartialReadyToRunModule"),
]);

pub(in crate::bundled) const ASSEMBLY_FLAGS: Names = Names::flags(&[
    (1, "DomainNeutral"),
    (2, "Dynamic"),
    (4, "Native"),
    (8, "Collectible"),
]);

pub(in crate::bundled) const APP_DOMAIN_FLAGS: Names =
    Names::flags(&[(1, "Default"), (2, "Executable"), (4, "Shared")]);

pub(in crate::bundled) const MODULE_RANGE_TYPE: Names = Names::flags(&[(4, "ColdRange")]);

pub(in crate::bundled) const CLR_THREAD_FLAGS: Names =
    Names::flags(&[(1, "GCSpecial"), (2, "Finalizer"), (4, "ThreadPoolWorker")]);

pub(in crate::bundled) const RUNTIME_SKU: Names =
    Names::flags(&[(1, "DesktopClr"), (2, "CoreClr")]);

pub(in crate::bundled) const STARTUP_MODE: Names = Names::flags(&[
    (0x1, "ManagedExe"),
    (0x2, "HostedClr"),
    (0x4, "IjwDll"),
    (0x8, "ComActivated"),
    (0x10, "Other"),
]);

pub(in crate::bundled) const STARTUP_FLAGS: Names = Names::flags(&[
    (0x1, "CONCURRENT_GC"),
    (0x2, "LOADER_OPTIMIZATION_SINGLE_DOMAIN"),
    (0x4, "LOADER_OPTIMIZATION_MULTI_DOMAIN"),
    (0x10, "LOADER_SAFEMODE"),
    (0x100, "LOADER_SETPREFERENCE"),
    (0x1000, "SERVER_GC"),
    (0x2000, "HOARD_GC_VM"),
    (0x4000, "SINGLE_VERSION_HOSTING_INTERFACE"),
    (0x1_0000, "LEGACY_IMPERSONATION"),
    (0x2_0000, "DISABLE_COMMITTHREADSTACK"),
    (0x4_0000, "ALWAYSFLOW_IMPERSONATION"),
    (0x8_0000, "TRIM_GC_COMMIT"),
    (0x10_0000, "ETW"),
    (0x20_0000, "SERVER_BUILD"),
    (0x40_0000, "ARM"),
]);

pub(in crate::bundled) const TIERED_COMPILATION_FLAGS: Names =
    Names::flags(&[(0, "None"), (1, "QuickJit"), (2, "QuickJitForLoops")]);

pub(in crate::bundled) const GC_REASON: Names = Names::values(&[
    (0, "AllocSmall"),
    (1, "Induced"),
    (2, "LowMemory"),
    (3, "Empty"),
    (4, "AllocLarge"),
    (5, "OutOfSpaceSmallObjectHeap"),
    (6, "OutOfSpaceLargeObjectHeap"),
    (7, "InducedNoForce"),
    (8, "Stress"),
    (9, "InducedLowMemory"),
]);

pub(in crate::bundled) const GC_TYPE: Names = Names::values(&[
    (0, "NonConcurrentGC"),
    (1, "BackgroundGC"),
    (2, "ForegroundGC"),
]);

pub(in crate::bundled) const GC_SEGMENT_TYPE: Names = Names::values(&[
    (0, "SmallObjectHeap"),
    (1, "LargeObjectHeap"),
    (2, "ReadOnlyHeap"),
]);

pub(in crate::bundled) const GC_ALLOCATION_KIND: Names =
    Names::values(&[(0, "Small"), (1, "Large")]);

pub(in crate::bundled) const GC_SUSPEND_REASON: Names = Names::values(&[
    (0, "SuspendOther"),
    (1, "SuspendForGC"),
    (2, "SuspendForAppDomainShutdown"),
    (3, "SuspendForCodePitching"),
    (4, "SuspendForShutdown"),
    (5, "SuspendForDebugger"),
    (6, "SuspendForGCPrep"),
    (7, "SuspendForDebuggerSweep"),
]);

pub(in crate::bundled) const GC_HANDLE_KIND: Names = Names::values(&[
    (0, "WeakShort"),
    (1, "WeakLong"),
    (2, "Strong"),
    (3, "Pinned"),
    (4, "Variable"),
    (5, "RefCounted"),
    (6, "Dependent"),
    (7, "AsyncPinned"),
    (8, "SizedRef"),
]);

pub(in crate::bundled) const GC_ROOT_KIND: Names = Names::values(&[
    (0, "Stack"),
    (1, "Finalizer"),
    (2, "Handle"),
    (3, "Older"),
    (4, "SizedRef"),
    (5, "Overflow"),
]);

pub(in crate::bundled) const GC_ROOT_FLAGS: Names = Names::flags(&[
    (1, "Pinning"),
    (2, "WeakRef"),
    (4, "Interior"),
    (8, "RefCounted"),
]);

pub(in crate::bundled) const GC_ROOT_STATIC_VAR_FLAGS: Names = Names::flags(&[(1, "ThreadLocal")]);

pub(in crate::bundled) const GC_ROOT_CCW_FLAGS: Names =
    Names::flags(&[(1, "Strong"), (2, "Pegged")]);

pub(in crate::bundled) const TYPE_FLAGS: Names = Names::flags(&[
    (0x1, "Delegate"),
    (0x2, "Finalizable"),
    (0x4, "ExternallyImplementedCOMObject"),
    (0x8, "Array"),
    (0x100, "ArrayRankBit0"),
    (0x200, "ArrayRankBit1"),
    (0x400, "ArrayRankBit2"),
    (0x800, "ArrayRankBit3"),
    (0x1000, "ArrayRankBit4"),
    (0x2000, "ArrayRankBit5"),
]);

pub(in crate::bundled) const CONTENTION_FLAGS: Names =
    Names::values(&[(0, "Managed"), (1, "Native")]);

pub(in crate::bundled) const THREAD_ADJUSTMENT_REASON: Names = Names::values(&[
    (0, "Warmup"),
    (1, "Initializing"),
    (2, "RandomMove"),
    (3, "ClimbingMove"),
    (4, "ChangePoint"),
    (5, "Stabilizing"),
    (6, "Starvation"),
    (7, "ThreadTimedOut"),
]);

pub(in crate::bundled) const EXCEPTION_FLAGS: Names = Names::flags(&[
    (0x1, "HasInnerException"),
    (0x2, "Nested"),
    (0x4, "ReThrown"),
    (0x8, "CorruptedState"),
    (0x10, "CLSCompliant"),
]);

pub(in crate::bundled) const TAIL_CALL_TYPE: Names = Names::values(&[
    (0, "OptimizedTailCall"),
    (1, "RecursiveLoop"),
    (2, "HelperAssistedTailCall"),
]);

pub(in crate::bundled) const IL_STUB_FLAGS: Names = Names::flags(&[
    (0x1, "ReverseInterop"),
    (0x2, "ComInterop"),
    (0x4, "NGenedStub"),
    (0x8, "Delegate"),
    (0x10, "VarArg"),
    (0x20, "UnmanagedCallee"),
    (0x40, "StructMarshal"),
]);

pub(in crate::bundled) const KNOWN_PATH_SOURCE: Names = Names::values(&[
    (0, "ApplicationAssemblies"),
    (1, "AppNativeImagePaths"),
    (2, "AppPaths"),
    (3, "PlatformResourceRoots"),
    (4, "SatelliteSubdirectory"),
]);

pub(in crate::bundled) const RESOLUTION_STAGE: Names = Names::values(&[
    (0, "FindInLoadContext"),
    (1, "AssemblyLoadContextLoad"),
    (2, "ApplicationAssemblies"),
    (3, "DefaultAssemblyLoadContextFallback"),
    (4, "ResolveSatelliteAssembly"),
    (5, "AssemblyLoadContextResolvingEvent"),
    (6, "AppDomainAssemblyResolveEvent"),
]);

pub(in crate::bundled) const RESOLUTION_RESULT: Names = Names::values(&[
    (0, "Success"),
    (1, "AssemblyNotFound"),
    (2, "MismatchedAssemblyName"),
    (3, "IncompatibleVersion"),
    (4, "Failure"),
    (5, "Exception"),
]);
