//! DPCs, interrupts, system calls, profile intervals and marks, group 0F (§4.5, §4.6).
//!
//! DPCs and interrupts are logged when they end: they last from `InitialTime` to the event.

use super::table::{Column, columns};

/// A sample that was kept back: when it was taken is not recorded.
const CACHED_SAMPLE: &[Column] =
    columns![InstructionPointer: Ptr, ThreadId: U32, Count: U16, Flags: Hex8, Rank: U8];

super::table::events! {
    0x0F22 "Mark" {
        version 0 [Label: Text8]
    }
    0x0F32 "IsrMsi" {
        version 2 [
            InitialTime: Ticks, Routine: Ptr, ReturnValue: U8, Vector: U16, Reserved: Pad(1), MessageNumber: U32,
        ]
    }
    0x0F33 "SysCallEnter" {
        version 0 [SysCallAddress: Ptr]
    }
    0x0F34 "SysCallExit" {
        version 0 [SysCallNtStatus: Hex32]
    }
    0x0F37 "SampledProfileCache" {
        version 2 [SampleCount: Count32(0), Alignment: Pad(4), Samples: Each(0, CACHED_SAMPLE)]
        version 2 [SampleCount: Count32(0), Samples: Each(0, CACHED_SAMPLE)]
    }
    0x0F42 "ThreadedDPC", 0x0F44 "DPC", 0x0F45 "TimerDPC", 0x0F46 "IoTimer" {
        version 0 [InitialTime: Ticks, Routine: Ptr]
    }
    0x0F43 "ISR", 0x0F5F "PassiveLevelISR" {
        version 0 [InitialTime: Ticks, Routine: Ptr, ReturnValue: U32]
        version 2 [InitialTime: Ticks, Routine: Ptr, ReturnValue: U8, Vector: U16, Reserved: Pad(1)]
    }
    0x0F48 "SetInterval" {
        version 2 [Source: U32, NewInterval: U32, OldInterval: U32]
        version 3 [Source: U32, NewInterval: U32, OldInterval: U32, SourceName: Text16]
    }
    0x0F49 "CollectionStart", 0x0F4A "CollectionEnd" {
        version 2 [Source: U32, NewInterval: U32, OldInterval: U32]
        version 3 [Source: U32, NewInterval: U32, OldInterval: U32, SourceName: Text16]
    }
    0x0F4B "SpinLockCollectionStart", 0x0F4C "SpinLockCollectionEnd" {
        version 3 [
            SpinLockSpinThreshold: U32, SpinLockContentionSampleRate: U32, SpinLockAcquireSampleRate: U32,
            SpinLockHoldThreshold: U32,
        ]
    }
    0x0F3A "DebuggerEnabled" {
        version 2 []
    }
    0x0F30 "PmcCounterConfig" {
        version 2 [CounterCount: Count32(0), CounterNames: Texts16(0)]
    }
    0x0F4F "ClockInterrupt" {
        version 0 [InterruptTime: U64, Flags: Hex16]
    }
    0x0F5B "IPI" {
        version 0 [Request: U32 as IPI_REQUEST, TargetProcessor: U32]
    }
    0x0F60 "WdfISR", 0x0F61 "WdfPassiveISR", 0x0F62 "WdfDPC", 0x0F67 "WdfWorkItem" {
        version 0 [Routine: Ptr]
    }
    0x0F64 "DpcEnqueue" {
        version 0 [Key: Ptr, QueueDepth: I32, QueueCount: U32, TargetProcessor: U32, Importance: U8]
    }
    0x0F65 "DpcExecution" {
        version 0 [Routine: Ptr, Key: Ptr]
    }
}
