//! DPCs and ISRs: what is written of each.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use support::{Etl, converted};
use synth::events::image::{ImageChange, ImageEvent};
use synth::events::interrupt::{Interrupt, InterruptKind};
use synth::file::bytes::Pointer;
use synth::file::session::Session;

const DRIVER: u64 = 0xFFFF_F800_0000_0000;

fn interrupt(etl: &Etl, kind: InterruptKind, ticks: i64, rva: u64) -> Interrupt {
    Interrupt {
        kind,
        initial_ticks: etl.at(ticks),
        routine: DRIVER + rva,
    }
}

#[test]
fn each_routine_is_told_once_and_each_interrupt_where_it_ended() {
    let mut etl = Etl::new();
    let isr = InterruptKind::Isr {
        vector: 0x51,
        handled: true,
    };
    let msi = InterruptKind::IsrMsi {
        vector: 0x61,
        message: 3,
    };
    let interrupts = [
        (1, 30, interrupt(&etl, isr, 20, 0x10)),
        (1, 40, interrupt(&etl, InterruptKind::Dpc, 10, 0x20)),
        (0, 50, interrupt(&etl, InterruptKind::Dpc, 49, 0x20)),
        (
            0,
            60,
            interrupt(&etl, InterruptKind::ThreadedDpc, 59, 0x10_0000),
        ),
        (0, 70, interrupt(&etl, InterruptKind::TimerDpc, -5, 0x20)),
        // It would have begun after its end, or have lasted longer than the recording: only the end is true.
        (0, 80, interrupt(&etl, msi, 90, 0x30)),
        (0, 90, interrupt(&etl, InterruptKind::TimerDpc, -20, 0x20)),
    ];
    for (cpu, ticks, event) in interrupts {
        etl.put(cpu, ticks, &event);
    }
    let driver = ImageEvent {
        change: ImageChange::RundownEnd,
        version: 3,
        base: DRIVER,
        size_bytes: 0x1000,
        pid: 0,
        path: "\\ndis.sys",
    };
    etl.put(0, 100, &driver);
    let output = converted(&etl.finish());
    let took = |ts, cpu, routine: &str, ns: u64| (ts, cpu, routine.to_owned(), ns);
    assert_eq!(
        output.interrupts(),
        [
            took(3001, 1, "isr ndis.sys+0x10", 1001),
            took(4001, 1, "dpc ndis.sys+0x20", 3001),
            took(5000, 0, "dpc ndis.sys+0x20", 100),
            took(6001, 0, "threaded_dpc 0xfffff80000100000", 101),
            took(7001, 0, "timer_dpc ndis.sys+0x20", 7001),
            took(8001, 0, "isr ndis.sys+0x30", 0),
            took(9000, 0, "timer_dpc ndis.sys+0x20", 0),
        ]
    );
    let sources: Vec<String> = output
        .with("etw.interrupt_source")
        .iter()
        .map(|packet| values(packet))
        .collect();
    assert_eq!(
        sources,
        [
            "source 1, kind isr, routine 18446735277616529424, module \\\\ndis.sys, rva 16, return_value 1, vector 81",
            "source 2, kind dpc, routine 18446735277616529440, module \\\\ndis.sys, rva 32",
            "source 3, kind threaded_dpc, routine 18446735277617577984",
            "source 4, kind timer_dpc, routine 18446735277616529440, module \\\\ndis.sys, rva 32",
            "source 5, kind isr, routine 18446735277616529456, module \\\\ndis.sys, rva 48, return_value 1, vector 97, message 3",
        ]
    );
    assert_eq!(output.converted.totals.generic, 0);
}

#[test]
fn an_interrupt_of_minutes_has_its_length() {
    let mut etl = Etl::new();
    let long = interrupt(&etl, InterruptKind::Dpc, 10, 0);
    etl.put(1, 770_000_010, &long);
    let output = converted(&etl.finish());
    assert_eq!(
        output.interrupts(),
        [(
            77_000_001_001,
            1,
            "dpc 0xfffff80000000000".to_owned(),
            77_000_000_001
        )]
    );
}

/// The annotations of a packet, name and value.
fn values(packet: &str) -> String {
    let values = packet.split("name:\"").skip(1).filter_map(|part| {
        let (name, rest) = part.split_once('"')?;
        let (_, value) = rest.split_once("_value:").or(rest.split_once(':'))?;
        let value: &str = value.split([' ', '}']).next()?;
        Some(format!("{name} {}", value.trim_matches('"')))
    });
    values.collect::<Vec<_>>().join(", ")
}

#[test]
fn an_interrupt_of_a_32_bit_machine() {
    let mut etl = Etl::of(Session {
        pointer: Pointer::Four,
        buffer_bytes: 0x1000,
        ..Session::default()
    });
    let event = Interrupt {
        kind: InterruptKind::Dpc,
        initial_ticks: etl.at(10),
        routine: 0x8234_5678,
    };
    etl.put(0, 20, &event);
    let output = converted(&etl.finish());
    assert_eq!(
        output.interrupts(),
        [(2001, 0, "dpc 0x82345678".to_owned(), 1001)]
    );
}
