//! Power states, group 12 (§4.10). Idle states carry no processor: it is that of the event's buffer.

super::table::events! {
    0x1220 "Battery" {
        version 0 [RemainingCapacity: U32, Rate: I32]
    }
    0x1221 "OldIdleStateChange" {
        version 0 [State: U32, Throttle: U32, Direction: U32]
    }
    0x1230 "PreSleep" {
        version 0 [PerformanceCounter: I64, PerformanceFrequency: I64]
    }
    0x1231 "PostSleep", 0x1232 "CalibratedPerfCounter" {
        version 0 [PerformanceCounter: I64]
    }
    0x1233 "PerfStateChange", 0x1234 "ThrottleStateChange" {
        version 0 [Type: U32 as PERF_STATE_TYPE, NewState: U32, OldState: U32, Result: U32, Processors: Hex64]
    }
    0x1235 "IdleStateChange" {
        version 0 [NewState: U32, OldState: U32, Processors: Hex64]
    }
    0x1236 "ThermalConstraint" {
        version 0 [Constraint: U32, Processors: Hex64]
    }
    0x1239 "IdleStateEnter" {
        version 0 [State: U32, Flags: Hex32, ExpectedDuration: U64]
    }
    0x123A "IdleStateExit" {
        version 0 [State: U32, Status: Hex32]
    }
    0x123C "IdleExitLatency" {
        version 0 [Flags: Hex32, PlatformState: U32, ProcessorState: U32, ReturnLatency: U32, TotalLatency: U32]
    }
}
