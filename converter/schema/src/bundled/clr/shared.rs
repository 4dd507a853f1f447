//! Fields that events share, those of the runtime and those of its rundown among them.

use crate::bundled::table::{Column, columns};

/// Of nothing but which runtime in the process it is.
pub(super) const INSTANCE: &[Column] = columns![ClrInstanceID: U16];

pub(super) const METHOD_0: &[Column] = columns![
    MethodID: Hex64, ModuleID: Hex64, MethodStartAddress: Hex64, MethodSize: Hex32, MethodToken: Hex32,
    MethodFlags: U32 as METHOD_FLAGS,
];
pub(super) const METHOD_1: &[Column] = columns![
    MethodID: Hex64, ModuleID: Hex64, MethodStartAddress: Hex64, MethodSize: Hex32, MethodToken: Hex32,
    MethodFlags: U32 as METHOD_FLAGS, ClrInstanceID: U16,
];
pub(super) const METHOD_2: &[Column] = columns![
    MethodID: Hex64, ModuleID: Hex64, MethodStartAddress: Hex64, MethodSize: Hex32, MethodToken: Hex32,
    MethodFlags: U32 as METHOD_FLAGS, ClrInstanceID: U16, ReJITID: Hex64,
];

pub(super) const NAMED_METHOD_0: &[Column] = columns![
    MethodID: Hex64, ModuleID: Hex64, MethodStartAddress: Hex64, MethodSize: Hex32, MethodToken: Hex32,
    MethodFlags: U32 as METHOD_FLAGS, MethodNamespace: Text16, MethodName: Text16, MethodSignature: Text16,
];
pub(super) const NAMED_METHOD_1: &[Column] = columns![
    MethodID: Hex64, ModuleID: Hex64, MethodStartAddress: Hex64, MethodSize: Hex32, MethodToken: Hex32,
    MethodFlags: U32 as METHOD_FLAGS, MethodNamespace: Text16, MethodName: Text16, MethodSignature: Text16,
    ClrInstanceID: U16,
];
pub(super) const NAMED_METHOD_2: &[Column] = columns![
    MethodID: Hex64, ModuleID: Hex64, MethodStartAddress: Hex64, MethodSize: Hex32, MethodToken: Hex32,
    MethodFlags: U32 as METHOD_FLAGS, MethodNamespace: Text16, MethodName: Text16, MethodSignature: Text16,
    ClrInstanceID: U16, ReJITID: Hex64,
];

/// Which instruction of the intermediate language each range of machine code comes from.
pub(super) const IL_MAP_0: &[Column] = columns![
    MethodID: Hex64, ReJITID: Hex64, MethodExtent: U8, CountOfMapEntries: Count16(0), ILOffsets: U32s(0),
    NativeOffsets: U32s(0), ClrInstanceID: U16,
];
pub(super) const IL_MAP_1: &[Column] = columns![
    MethodID: Hex64, ReJITID: Hex64, MethodExtent: U8, CountOfMapEntries: Count16(0), ILOffsets: U32s(0),
    NativeOffsets: U32s(0), ClrInstanceID: U16, ILVersionID: Hex64,
];

pub(super) const MODULE_0: &[Column] = columns![
    ModuleID: Hex64, AssemblyID: Hex64, ModuleFlags: U32 as MODULE_FLAGS, Reserved1: U32, ModuleILPath: Text16,
    ModuleNativePath: Text16,
];
pub(super) const MODULE_1: &[Column] = columns![
    ModuleID: Hex64, AssemblyID: Hex64, ModuleFlags: U32 as MODULE_FLAGS, Reserved1: U32, ModuleILPath: Text16,
    ModuleNativePath: Text16, ClrInstanceID: U16,
];
pub(super) const MODULE_2: &[Column] = columns![
    ModuleID: Hex64, AssemblyID: Hex64, ModuleFlags: U32 as MODULE_FLAGS, Reserved1: U32, ModuleILPath: Text16,
    ModuleNativePath: Text16, ClrInstanceID: U16, ManagedPdbSignature: Guid, ManagedPdbAge: U32,
    ManagedPdbBuildPath: Text16, NativePdbSignature: Guid, NativePdbAge: U32, NativePdbBuildPath: Text16,
];

pub(super) const DOMAIN_MODULE_0: &[Column] = columns![
    ModuleID: Hex64, AssemblyID: Hex64, AppDomainID: Hex64, ModuleFlags: U32 as MODULE_FLAGS, Reserved1: U32,
    ModuleILPath: Text16, ModuleNativePath: Text16,
];
pub(super) const DOMAIN_MODULE_1: &[Column] = columns![
    ModuleID: Hex64, AssemblyID: Hex64, AppDomainID: Hex64, ModuleFlags: U32 as MODULE_FLAGS, Reserved1: U32,
    ModuleILPath: Text16, ModuleNativePath: Text16, ClrInstanceID: U16,
];

pub(super) const ASSEMBLY_0: &[Column] = columns![
    AssemblyID: Hex64, AppDomainID: Hex64, AssemblyFlags: U32 as ASSEMBLY_FLAGS, FullyQualifiedAssemblyName: Text16,
];
pub(super) const ASSEMBLY_1: &[Column] = columns![
    AssemblyID: Hex64, AppDomainID: Hex64, BindingID: Hex64, AssemblyFlags: U32 as ASSEMBLY_FLAGS,
    FullyQualifiedAssemblyName: Text16, ClrInstanceID: U16,
];

pub(super) const APP_DOMAIN_0: &[Column] = columns![
    AppDomainID: Hex64, AppDomainFlags: U32 as APP_DOMAIN_FLAGS, AppDomainName: Text16,
];
pub(super) const APP_DOMAIN_1: &[Column] = columns![
    AppDomainID: Hex64, AppDomainFlags: U32 as APP_DOMAIN_FLAGS, AppDomainName: Text16, AppDomainIndex: U32,
    ClrInstanceID: U16,
];

pub(super) const MODULE_RANGE: &[Column] = columns![
    ClrInstanceID: U16, ModuleID: Hex64, RangeBegin: Hex32, RangeSize: Hex32, RangeType: U8 as MODULE_RANGE_TYPE,
];
pub(super) const THREAD: &[Column] = columns![
    ManagedThreadID: Hex64, AppDomainID: Hex64, Flags: U32 as CLR_THREAD_FLAGS, ManagedThreadIndex: U32,
    OSThreadID: U32, ClrInstanceID: U16,
];
pub(super) const RUNTIME: &[Column] = columns![
    ClrInstanceID: U16, Sku: U16 as RUNTIME_SKU, BclMajorVersion: U16, BclMinorVersion: U16, BclBuildNumber: U16,
    BclQfeNumber: U16, VMMajorVersion: U16, VMMinorVersion: U16, VMBuildNumber: U16, VMQfeNumber: U16,
    StartupFlags: U32 as STARTUP_FLAGS, StartupMode: U8 as STARTUP_MODE, CommandLine: Text16, ComObjectGuid: Guid,
    RuntimeDllPath: Text16,
];
/// The manifest says two frames; the runtime writes as many as it counts.
pub(super) const STACK: &[Column] = columns![
    ClrInstanceID: U16, Reserved1: U8, Reserved2: U8, FrameCount: Count32(0), Stack: Ptrs(0),
];
pub(super) const TIERED_SETTINGS: &[Column] =
    columns![ClrInstanceID: U16, Flags: U32 as TIERED_COMPILATION_FLAGS];
pub(super) const GC_HANDLE: &[Column] = columns![
    HandleID: Ptr, ObjectID: Ptr, Kind: U32 as GC_HANDLE_KIND, Generation: U32, AppDomainID: Hex64, ClrInstanceID: U16,
];
