//! Changes of priorities, affinities and processors come as generic events with the fields that `shared/sql` reads.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use support::{Etl, converted};
use synth::events::priority::{
    AutoBoost, AutoBoostChange, DfssInterval, Migration, PriorityKind, SetAffinity, SetPriority,
};
use synth::events::scheduler::AntiStarvationBoost;
use synth::events::thread::{ThreadChange, ThreadInfo};

const ME: u32 = 100;

#[test]
fn every_change_has_the_names_that_the_tables_read() {
    let set = |kind| SetPriority {
        kind,
        tid: ME,
        old: 1,
        new: 3,
    };
    let boost = |change| AutoBoost {
        change,
        lock: 0xFFFF_8000_0000_0010,
        tid: ME,
    };
    let floor = AutoBoostChange::SetFloor {
        floor: 12,
        old_priority: 8,
    };
    let mut etl = Etl::new();
    etl.put(0, 10, &set(PriorityKind::Dynamic))
        .put(0, 20, &set(PriorityKind::Base { dynamic: 9 }))
        .put(0, 30, &set(PriorityKind::Page))
        .put(0, 40, &set(PriorityKind::Io))
        .put(0, 50, &boost(floor))
        .put(0, 60, &boost(AutoBoostChange::ClearFloor))
        .put(0, 70, &boost(AutoBoostChange::Exhausted));
    etl.put(
        0,
        80,
        &AntiStarvationBoost {
            tid: ME,
            cpu: 3,
            old_priority: 4,
        },
    );
    etl.put(
        0,
        90,
        &SetAffinity {
            tid: ME,
            group: 1,
            mask: 0xFFFF_0000_0000_0000,
        },
    );
    etl.put(
        0,
        100,
        &Migration {
            tid: ME,
            source_cpu: 70,
            target_cpu: 3,
            priority: 8,
            old_ideal_cpu: Some(70),
        },
    );
    etl.put(
        0,
        110,
        &DfssInterval {
            generation: 7,
            credit_cycles: 1000,
            used_cycles: 900,
            sessions: vec![(1, 5, 600), (2, 5, 300)],
        },
    );
    let output = converted(&etl.finish());
    insta::assert_snapshot!(output.messages().join("\n"));
}

#[test]
fn affinity_is_told_as_it_was_first_and_last() {
    let thread = |affinity| ThreadInfo {
        affinity,
        ..ThreadInfo::new(4, ME, 8)
    };
    let mut etl = Etl::new();
    etl.thread(10, ThreadChange::RundownStart, &thread(0xF))
        .thread(20, ThreadChange::RundownEnd, &thread(0x3));
    let output = converted(&etl.finish());
    let thread = output.with("name:\"etw.thread\"").join("\n");
    assert!(
        thread.contains("{name:\"affinity\" uint_value:15} {name:\"end_affinity\" uint_value:3}"),
        "{thread}"
    );
}
