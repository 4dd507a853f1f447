//! Times as the user writes them.

use std::str::FromStr;

/// A time: `30.3s`, `500ms`, `20us` and `5ns` count from the start of the recording; a bare number is the trace clock's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// In ns after the start of the recording.
    SinceStart(u64),
    /// In ns on the trace clock (`ts`).
    OnTraceClock(u64),
}

const UNITS: [(&str, u32); 4] = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)];

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("expected a time such as 30.3s, 500ms, 20us or 1000000000, not \"{text}\"");
        if let Ok(ts_ns) = text.parse() {
            return Ok(Self::OnTraceClock(ts_ns));
        }
        let unit = UNITS.iter().find_map(|(unit, digits)| {
            let number = text.strip_suffix(unit)?;
            number
                .ends_with(|last: char| last.is_ascii_digit())
                .then_some((number, *digits))
        });
        let (number, digits) = unit.ok_or_else(wrong)?;
        decimal(number, digits)
            .map(Self::SinceStart)
            .ok_or_else(wrong)
    }
}

/// A decimal number times 10 to the power of `digits`; what is finer than 1 is cut off.
fn decimal(number: &str, digits: u32) -> Option<u64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(part) {
        return None;
    }
    let mut value: u64 = whole.parse().ok()?;
    let mut part = part.bytes();
    for _ in 0..digits {
        let digit = part.next().map_or(0, |byte| u64::from(byte - b'0'));
        value = value.checked_mul(10)?.checked_add(digit)?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_count_from_the_start_and_bare_numbers_are_on_the_trace_clock() {
        let times = [
            "30.3s",
            "500ms",
            "1.5us",
            "5ns",
            "0.0000000019s",
            "31300000000",
        ];
        let read: Vec<_> = times
            .iter()
            .map(|text| text.parse::<Time>().unwrap())
            .collect();
        let since_start = Time::SinceStart;
        assert_eq!(
            read,
            [
                since_start(30_300_000_000),
                since_start(500_000_000),
                since_start(1500),
                since_start(5),
                since_start(1),
                Time::OnTraceClock(31_300_000_000)
            ]
        );
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "s",
            "1.5",
            "-1s",
            "1 s",
            "1.2.3s",
            "+1ms",
            "1e3s",
            "99999999999999s",
        ] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
        let message = "soon".parse::<Time>().unwrap_err();
        let expected = "expected a time such as 30.3s, 500ms, 20us or 1000000000, not \"soon\"";
        assert_eq!(message, expected);
    }
}
