use super::*;
use crate::support::{LogHeader, START_FILETIME, START_RAW};
use proptest::prelude::*;

const UTC_2020_NS: i64 = 1_577_836_800_000_000_000;

fn parsed(payload: &[u8]) -> (LogFileHeader, Clock, Vec<DamageKind>) {
    let mut damage = DamageLog::default();
    let (header, clock) = LogFileHeader::parse(payload, 8, START_RAW, &mut damage).unwrap();
    (
        header,
        clock,
        damage
            .items()
            .iter()
            .map(|damage| damage.kind.clone())
            .collect(),
    )
}

fn expected() -> LogFileHeader {
    LogFileHeader {
        buffer_bytes: 0x1000,
        version: [10, 0, 1, 5],
        os_build: 19041,
        cpu_count: 2,
        start_utc_ns: Some(UTC_2020_NS),
        end_utc_ns: Some(UTC_2020_NS + 1_000_000_000),
        boot_utc_ns: Some(UTC_2020_NS - 100),
        timer_resolution_ns: 15_625_000,
        maximum_file_size: 100,
        log_file_mode: 1,
        buffers_written: 1,
        start_buffers: 1,
        pointer_bytes: 8,
        events_lost: 3,
        buffers_lost: 7,
        cpu_mhz: 2400,
        utc_offset_minutes: 60,
        clock_type: ClockType::Qpc,
        perf_freq_hz: 10_000_000,
        session_name: "Session".to_owned(),
        file_name: "C:\\file.etl".to_owned(),
    }
}

#[test]
fn both_pointer_widths_have_the_same_fields() {
    let wide = LogHeader {
        events_lost: 3,
        ..LogHeader::default()
    };
    let narrow = LogHeader {
        pointer_bytes: 4,
        ..wide.clone()
    };
    assert_eq!(parsed(&wide.payload()).0, expected());
    assert_eq!(
        parsed(&narrow.payload()).0,
        LogFileHeader {
            pointer_bytes: 4,
            ..expected()
        }
    );
    assert_eq!(parsed(&narrow.payload()).2, []);
}

#[test]
fn the_pointer_width_of_the_event_stands_in_for_a_bad_one() {
    let bad = LogHeader {
        pointer_bytes: 5,
        ..LogHeader::default()
    };
    let (header, _, damage) = parsed(&bad.payload());
    assert_eq!(
        (header.pointer_bytes, header.session_name.as_str()),
        (8, "Session")
    );
    assert_eq!(
        damage,
        [DamageKind::HeaderField {
            field: "PointerSize",
            found: 5,
            assumed: 8
        }]
    );
}

#[test]
fn a_pointer_width_under_which_the_clock_makes_no_sense_is_a_bad_one() {
    let header = LogHeader {
        events_lost: 3,
        ..LogHeader::default()
    };
    let mut payload = header.payload();
    payload[0x2C] = 4;
    let (header, _, damage) = parsed(&payload);
    assert_eq!(header, expected());
    let (field, found, assumed) = ("PointerSize", 4, 8);
    let kind = DamageKind::HeaderField {
        field,
        found,
        assumed,
    };
    assert_eq!(damage, [kind]);
}

#[test]
fn each_clock_has_its_rate() {
    let clock = |clock_type, perf_freq_hz, cpu_mhz| {
        let header = LogHeader {
            clock_type,
            perf_freq_hz,
            cpu_mhz,
            ..LogHeader::default()
        };
        let (_, clock, damage) = parsed(&header.payload());
        ((clock.clock_type, clock.ticks_per_s), damage)
    };
    let field = |field, found, assumed| {
        vec![DamageKind::HeaderField {
            field,
            found,
            assumed,
        }]
    };
    assert_eq!(
        clock(0, 2_337_949, 0),
        ((ClockType::Qpc, 2_337_949), vec![])
    );
    assert_eq!(
        clock(1, 0, 0),
        (
            (ClockType::Qpc, 10_000_000),
            field("PerfFreq", 0, 10_000_000)
        )
    );
    for hz in [-5, 1, i64::MAX] {
        assert_eq!(
            clock(1, hz, 0),
            (
                (ClockType::Qpc, 10_000_000),
                field("PerfFreq", hz, 10_000_000)
            )
        );
    }
    assert_eq!(
        clock(2, 5, 0),
        ((ClockType::SystemTime, 10_000_000), vec![])
    );
    assert_eq!(
        clock(3, 5, 2400),
        ((ClockType::CpuCycles, 2_400_000_000), vec![])
    );
    assert_eq!(
        clock(3, 5, 0),
        (
            (ClockType::CpuCycles, 1_000_000_000),
            field("CpuSpeedInMHz", 0, 1000)
        )
    );
    assert_eq!(
        clock(9, 5_000_000, 0),
        ((ClockType::Qpc, 5_000_000), field("clock type", 9, 1))
    );
}

#[test]
fn system_time_stamps_are_utc_themselves() {
    let header = LogHeader {
        clock_type: 2,
        start_time: 0,
        ..LogHeader::default()
    };
    let mut damage = DamageLog::default();
    let start_raw = START_FILETIME + 10;
    let (header, clock) =
        LogFileHeader::parse(&header.payload(), 8, start_raw, &mut damage).unwrap();
    assert_eq!(header.start_utc_ns, Some(UTC_2020_NS + 1000));
    assert_eq!(clock.utc_ns(start_raw + 1), Some(UTC_2020_NS + 1100));
}

#[test]
fn a_trace_without_a_plausible_end_was_not_closed() {
    for end_time in [0, START_FILETIME - 1] {
        let (header, _, damage) = parsed(
            &LogHeader {
                end_time,
                ..LogHeader::default()
            }
            .payload(),
        );
        assert_eq!(
            (header.end_utc_ns, damage),
            (None, vec![DamageKind::NotClosed])
        );
    }
}

#[test]
fn an_implausible_start_leaves_relative_times() {
    for start_time in [0, i64::MAX] {
        let (header, clock, _) = parsed(
            &LogHeader {
                start_time,
                ..LogHeader::default()
            }
            .payload(),
        );
        assert_eq!((header.start_utc_ns, clock.utc_ns(START_RAW)), (None, None));
        assert_eq!(clock.ns_since_start(START_RAW + 1), 100);
    }
}

#[test]
fn a_cut_header_is_none_and_names_may_be_missing() {
    let payload = LogHeader::default().payload();
    for size in 0..0x118 {
        let header = LogFileHeader::parse(&payload[..size], 8, 0, &mut DamageLog::default());
        assert_eq!(header, None, "{size}");
    }
    let (header, _, _) = parsed(&payload[..0x118]);
    assert_eq!(
        (header.session_name, header.file_name),
        (String::new(), String::new())
    );
}

proptest! {
    #[test]
    fn any_payload_is_read_or_refused(payload in prop::collection::vec(any::<u8>(), 0..600)) {
        let mut damage = DamageLog::default();
        if let Some((_, clock)) = LogFileHeader::parse(&payload, 4, 0, &mut damage) {
            prop_assert!(clock.ticks_per_s >= 1);
        }
    }
}
