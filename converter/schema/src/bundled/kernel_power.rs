//! `Microsoft-Windows-Kernel-Power` and `Microsoft-Windows-Kernel-Processor-Power` (§6.8; 105 and 106: the provider's manifest).

pub(super) mod kernel {
    super::super::table::events! {
        16 "SuspendApp/Start" {
            version 0 [ProcessID: U32, NameLength: Count16(0), Name: Chars16Of(0)]
        }
        17 "SuspendApp/Stop" {
            version 0 [ProcessID: U32]
        }
        28 "ResumeApps/Start" {
            version 0 [ProcessID: U32, NameLength: Count16(0), Name: Chars16Of(0)]
        }
        42 "PreSleepNotification" {
            version 0 [TargetState: U32, EffectiveState: U32]
            version 2 [TargetState: U32, EffectiveState: U32, Reason: U32, Flags: Hex32]
            version 3 [TargetState: U32, EffectiveState: U32, Reason: U32, Flags: Hex32, TransitionsToOn: U32]
        }
        63 "SystemTimerResolutionRequest" {
            version 1 [
                RequestedResolution: U32, ProcessID: U32, AppNameLength: Count16(0), AppName: Chars16Of(0),
                SubProcessTag: U32,
            ]
        }
        95 "SystemTimerResolutionChange" {
            version 0 [NewResolution: U32]
        }
        98 "SystemTimeResolutionKernelChange" {
            version 0 [RequestedResolution: U32]
        }
        105 "AcDcStateChange" {
            version 0 [AcOnline: Bool32]
            version 1 [AcOnline: Bool32, RemainingCapacity: U32, FullChargeCapacity: U32]
        }
        106 "AcDcStateRundown" {
            version 0 [AcOnline: Bool32]
        }
        107 "PostSleepNotification" {
            version 0 [TargetState: U32, EffectiveState: U32, WakeFromState: U32]
            version 1 [
                TargetState: U32, EffectiveState: U32, WakeFromState: U32, ProgrammedWakeTimeAc: FileTime,
                ProgrammedWakeTimeDc: FileTime, WakeRequesterTypeAc: U32, WakeRequesterTypeDc: U32,
            ]
        }
        130 "SystemSuspendTimes" {
            version 0 [SuspendStart: U64, SuspendEnd: U64]
        }
    }
}

pub(super) mod processor {
    super::super::table::events! {
        10 "ProcessorFrequency", 18 "ProcessorFrequencyRundown" {
            version 0 [State: U32, SpeedMHz: U32, Group: U16, Number: U8]
            version 1 [State: U32, SpeedMHz: U32, Group: U16, Number: U8, Performance: U32]
        }
    }
}
