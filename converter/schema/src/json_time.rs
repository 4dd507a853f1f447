//! Times as ISO 8601 text in JSON.

use crate::json_text::{push_hex_bytes, push_padded, push_unsigned};

const TICKS_PER_S: u64 = 10_000_000;
const S_PER_DAY: u64 = 86_400;
/// Days from 0000-03-01 to 1601-01-01, where FILETIME begins.
const DAYS_BEFORE_1601: u64 = 584_694;
const DAYS_PER_400_YEARS: u64 = 146_097;
const LAST_YEAR: u64 = 9999;

/// `"2026-01-31T12:00:00.1234567Z"`, or the number of 100 ns units where that is after the year 9999.
pub(crate) fn push_file_time(out: &mut Vec<u8>, ticks: u64) {
    let seconds = ticks / TICKS_PER_S;
    let (year, month, day) = date(seconds / S_PER_DAY);
    if year > LAST_YEAR {
        return push_unsigned(out, ticks);
    }
    let of_day = seconds % S_PER_DAY;
    out.push(b'"');
    push_date_time(
        out,
        [
            year,
            month,
            day,
            of_day / 3600,
            of_day / 60 % 60,
            of_day % 60,
        ],
    );
    out.push(b'.');
    push_padded(out, ticks % TICKS_PER_S, 7);
    out.extend_from_slice(b"Z\"");
}

/// `"2026-01-31T12:00:00.123"`: the format does not tell the time zone. The 16 bytes in hex where they are no time.
pub(crate) fn push_system_time(out: &mut Vec<u8>, parts: [u16; 8]) {
    let [year, month, _, day, hour, minute, second, ms] = parts;
    let is_time = (1601..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (hour < 24 && minute < 60 && second < 60 && ms < 1000);
    out.push(b'"');
    if is_time {
        push_date_time(out, [year, month, day, hour, minute, second].map(u64::from));
        out.push(b'.');
        push_padded(out, ms.into(), 3);
    } else {
        parts
            .iter()
            .for_each(|part| push_hex_bytes(out, &part.to_le_bytes()));
    }
    out.push(b'"');
}

fn push_date_time(out: &mut Vec<u8>, [year, month, day, hour, minute, second]: [u64; 6]) {
    push_padded(out, year, 4);
    for (before, part) in [
        (b'-', month),
        (b'-', day),
        (b'T', hour),
        (b':', minute),
        (b':', second),
    ] {
        out.push(before);
        push_padded(out, part, 2);
    }
}

/// Year, month and day of a day since 1601-01-01, by counting years from March so that leap days come last
/// (Howard Hinnant, "chrono-compatible low-level date algorithms").
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + DAYS_BEFORE_1601;
    let era = days / DAYS_PER_400_YEARS;
    let of_era = days % DAYS_PER_400_YEARS;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (400 * era + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_time(ticks: u64) -> String {
        let mut out = Vec::new();
        push_file_time(&mut out, ticks);
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    #[test]
    fn file_times_are_utc_to_100_ns() {
        assert_eq!(file_time(0), "\"1601-01-01T00:00:00.0000000Z\"");
        assert_eq!(
            file_time(116_444_736_000_000_000),
            "\"1970-01-01T00:00:00.0000000Z\""
        );
        assert_eq!(
            file_time(125_963_423_991_234_567),
            "\"2000-02-29T23:59:59.1234567Z\""
        );
        assert_eq!(
            file_time(2_650_467_743_999_999_999),
            "\"9999-12-31T23:59:59.9999999Z\""
        );
        assert_eq!(
            file_time(2_650_467_744_000_000_000),
            "\"2650467744000000000\""
        );
        assert_eq!(file_time(u64::MAX), "\"18446744073709551615\"");
    }

    #[test]
    fn system_times_that_are_none_stay_bytes() {
        let mut out = Vec::new();
        push_system_time(&mut out, [2026, 1, 6, 31, 12, 5, 9, 7]);
        push_system_time(&mut out, [2026, 13, 6, 31, 12, 5, 9, 7]);
        let expected = "\"2026-01-31T12:05:09.007\"\"ea070d0006001f000c00050009000700\"";
        assert_eq!(String::from_utf8(out).as_deref(), Ok(expected));
    }
}
