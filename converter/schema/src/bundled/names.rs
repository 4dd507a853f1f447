//! Names of the values of fields (§4, §5; IRP flags as in `wdm.h`).

pub(super) use super::clr::names::*;
use super::table::Names;

pub(super) const IRP_FLAGS: Names = Names::flags(&[
    (0x1, "NoCache"),
    (0x2, "PagingIo"),
    (0x4, "SynchronousApi"),
    (0x8, "AssociatedIrp"),
    (0x10, "BufferedIo"),
    (0x20, "DeallocateBuffer"),
    (0x40, "SynchronousPagingIo"),
    (0x80, "CreateOperation"),
    (0x100, "ReadOperation"),
    (0x200, "WriteOperation"),
    (0x400, "CloseOperation"),
    (0x800, "DeferIoCompletion"),
]);

pub(super) const VIRTUAL_ALLOC_FLAGS: Names = Names::flags(&[
    (0x1000, "Commit"),
    (0x2000, "Reserve"),
    (0x4000, "Decommit"),
    (0x8000, "Release"),
]);

pub(super) const PROCESS_FLAGS: Names = Names::flags(&[
    (1, "HasApplicationId"),
    (2, "Wow64"),
    (4, "Protected"),
    (8, "Packaged"),
]);

pub(super) const IO_PRIORITY: Names = Names::values(&[
    (0, "VeryLow"),
    (1, "Low"),
    (2, "Normal"),
    (3, "High"),
    (4, "Critical"),
]);

pub(super) const AUTO_BOOST_FLAGS: Names = Names::flags(&[
    (1, "InDpc"),
    (2, "WakeupBoost"),
    (4, "OutstandingIrpsBoosted"),
]);

pub(super) const PUSH_LOCK_ACTION: Names = Names::values(&[(1, "Exclusive"), (2, "Shared")]);

pub(super) const IPI_REQUEST: Names = Names::flags(&[(1, "Apc"), (2, "Dpc")]);

pub(super) const SERVICE_STATE: Names = Names::values(&[(1, "Stopped"), (4, "Running")]);

pub(super) const PROCESSOR_ARCHITECTURE: Names =
    Names::values(&[(0, "x86"), (9, "x64"), (12, "ARM64")]);

pub(super) const PERF_STATE_TYPE: Names =
    Names::values(&[(1, "FrequencyVoltage"), (2, "StopClock")]);

pub(super) const MOUSE_BUTTON: Names = Names::values(&[(0, "Left"), (1, "Middle"), (2, "Right")]);
