//! UIforETW's own providers (§6.7). A key that types a letter is logged as `A`, a digit as `0`.

pub(super) mod main {
    super::super::table::events! {
        100 "Begin" {
            version 0 [Description: Text8, Depth: I32]
        }
        101 "End" {
            version 0 [Description: Text8, Depth: I32, DurationMs: F32]
        }
        102 "Mark" {
            version 0 [Text: Text8]
        }
        103 "ThreadName" {
            version 0 [ThreadId: I32, Name: Text8]
        }
        104 "Mark1I" {
            version 0 [Text: Text8, Data1: I32]
        }
        105 "Mark2I" {
            version 0 [Text: Text8, Data1: I32, Data2: I32]
        }
        118 "Mark3I" {
            version 0 [Text: Text8, Data1: I32, Data2: I32, Data3: I32]
        }
        119 "Mark4I" {
            version 0 [Text: Text8, Data1: I32, Data2: I32, Data3: I32, Data4: I32]
        }
        106 "Mark1F" {
            version 0 [Text: Text8, Data1: F32]
        }
        107 "Mark2F" {
            version 0 [Text: Text8, Data1: F32, Data2: F32]
        }
        116 "Mark3F" {
            version 0 [Text: Text8, Data1: F32, Data2: F32, Data3: F32]
        }
        117 "Mark4F" {
            version 0 [Text: Text8, Data1: F32, Data2: F32, Data3: F32, Data4: F32]
        }
        108 "WorkingSet" {
            version 0 [
                ProcessName: Text16, Process: Text16, Counter: U32, PrivateKiB: U32, ProportionalKiB: U32,
                WorkingSetKiB: U32,
            ]
        }
        109 "Battery" {
            version 0 [State: Text8, Percent: F32, Rate: Text8]
        }
        110 "CpuFrequency" {
            version 0 [Name: Text16, MHz: F64]
        }
        111 "CpuPower" {
            version 0 [Name: Text16, Watts: F64, MilliWattHours: F64]
        }
        112 "CpuTemperature" {
            version 0 [Name: Text16, Celsius: F64, MaxCelsius: F64]
        }
        113 "TimerInterval" {
            version 0 [IntervalMs: F64]
        }
        114 "MarkWide" {
            version 0 [Text: Text16]
        }
        115 "CpuThrottling" {
            version 0 [InitialMaxMHz: F32, MeasuredMHz: F32, PromisedMHz: F32, Percent: F32, Status: Text16]
        }
        120 "PerfCounter" {
            version 0 [Name: Text16, Value: F64]
            version 0 [SampleCount: U32, Name: Text16, Value: F64]
        }
    }
}

pub(super) mod worker {
    super::super::table::events! {
        100 "Begin" {
            version 0 [Description: Text8, Depth: I32]
        }
        101 "End" {
            version 0 [Description: Text8, Depth: I32, DurationMs: F32]
        }
        102 "Mark" {
            version 0 [Text: Text8]
        }
    }
}

pub(super) mod frame_rate {
    super::super::table::events! {
        200 "Frame" {
            version 0 [Frame: I32, DurationMs: F32]
        }
    }
}

pub(super) mod input {
    super::super::table::events! {
        400 "MouseDown", 401 "MouseUp" {
            version 0 [Button: I32 as MOUSE_BUTTON, Flags: Hex32, X: I32, Y: I32]
        }
        402 "MouseMove" {
            version 0 [Flags: Hex32, X: I32, Y: I32]
        }
        403 "MouseWheel" {
            version 0 [Flags: Hex32, Delta: I32, X: I32, Y: I32]
        }
        404 "KeyDown" {
            version 0 [VirtualKey: U32, KeyName: Text8, RepeatCount: U32, Flags: Hex32]
        }
    }
}
