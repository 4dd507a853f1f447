//! What was there when the session started or ended: methods, modules, domains, threads.
//!
//! The fields of version 1 of 149 and 150 are those of version 1 of 190 of the runtime.

use super::shared::{
    APP_DOMAIN_0, APP_DOMAIN_1, ASSEMBLY_0, ASSEMBLY_1, DOMAIN_MODULE_0, DOMAIN_MODULE_1, IL_MAP_0,
    IL_MAP_1, INSTANCE, METHOD_0, METHOD_1, METHOD_2, MODULE_0, MODULE_1, MODULE_2, MODULE_RANGE,
    NAMED_METHOD_0, NAMED_METHOD_1, NAMED_METHOD_2, RUNTIME, STACK, THREAD, TIERED_SETTINGS,
};

crate::bundled::table::events! {
    0 "CLRStackRundown/CLRStackWalk" {
        version 0 STACK
    }
    141 "CLRMethodRundown/MethodDCStart", 142 "CLRMethodRundown/MethodDCEnd" {
        version 0 METHOD_0
        version 1 METHOD_1
        version 2 METHOD_2
    }
    143 "CLRMethodRundown/MethodDCStartVerbose", 144 "CLRMethodRundown/MethodDCEndVerbose" {
        version 0 NAMED_METHOD_0
        version 1 NAMED_METHOD_1
        version 2 NAMED_METHOD_2
    }
    145 "CLRMethodRundown/DCStartComplete", 146 "CLRMethodRundown/DCEndComplete", 147 "CLRMethodRundown/DCStartInit",
    148 "CLRMethodRundown/DCEndInit" {
        version 0 []
        version 1 INSTANCE
    }
    149 "CLRMethodRundown/MethodDCStartILToNativeMap", 150 "CLRMethodRundown/MethodDCEndILToNativeMap" {
        version 0 IL_MAP_0
        version 1 IL_MAP_1
    }
    151 "CLRLoaderRundown/DomainModuleDCStart", 152 "CLRLoaderRundown/DomainModuleDCEnd" {
        version 0 DOMAIN_MODULE_0
        version 1 DOMAIN_MODULE_1
    }
    153 "CLRLoaderRundown/ModuleDCStart", 154 "CLRLoaderRundown/ModuleDCEnd" {
        version 0 MODULE_0
        version 1 MODULE_1
        version 2 MODULE_2
    }
    155 "CLRLoaderRundown/AssemblyDCStart", 156 "CLRLoaderRundown/AssemblyDCEnd" {
        version 0 ASSEMBLY_0
        version 1 ASSEMBLY_1
    }
    157 "CLRLoaderRundown/AppDomainDCStart", 158 "CLRLoaderRundown/AppDomainDCEnd" {
        version 0 APP_DOMAIN_0
        version 1 APP_DOMAIN_1
    }
    159 "CLRLoaderRundown/ThreadDC" {
        version 0 THREAD
    }
    160 "CLRPerfTrackRundown/ModuleRangeDCStart", 161 "CLRPerfTrackRundown/ModuleRangeDCEnd" {
        version 0 MODULE_RANGE
    }
    187 "CLRRuntimeInformationRundown/Start" {
        version 0 RUNTIME
    }
    280 "TieredCompilationRundown/SettingsDCStart" {
        version 0 TIERED_SETTINGS
    }
}
