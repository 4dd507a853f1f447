//! Local time by the `TIME_ZONE_INFORMATION` of the log-file header (§3; Microsoft docs: TIME_ZONE_INFORMATION).

use crate::bytes::{u16_at, u32_at};

const STANDARD_DATE: usize = 0x44;
const STANDARD_BIAS: usize = 0x54;
const DAYLIGHT_DATE: usize = 0x98;
const DAYLIGHT_BIAS: usize = 0xA8;

const MS_PER_MINUTE: i64 = 60_000;
const MS_PER_DAY: i64 = 24 * 60 * MS_PER_MINUTE;
const NS_PER_MS: i64 = 1_000_000;

/// By how many minutes local time was ahead of UTC at a Unix time in ns, standard or daylight time; without a time,
/// by how many standard time is. `None` if there are too few bytes of the zone.
pub(crate) fn utc_offset_minutes(zone: &[u8], utc_ns: Option<i64>) -> Option<i32> {
    let minutes = |at| u32_at(zone, at).map(u32::cast_signed);
    let bias = minutes(0)?;
    let [standard_bias, daylight_bias] = [minutes(STANDARD_BIAS)?, minutes(DAYLIGHT_BIAS)?];
    let changes = Change::read(zone, STANDARD_DATE).zip(Change::read(zone, DAYLIGHT_DATE));
    let Some((to_standard, to_daylight)) = changes else {
        return Some(bias.saturating_neg());
    };
    // The time of a change is told in the local time that it ends.
    let standard = bias.saturating_add(standard_bias);
    let daylight = bias.saturating_add(daylight_bias);
    let is_daylight = utc_ns.is_some_and(|utc_ns| {
        let utc_ms = utc_ns.div_euclid(NS_PER_MS);
        let year = year_of(utc_ms.div_euclid(MS_PER_DAY));
        let changes = (year - 1..=year + 1).flat_map(|year| {
            [
                (to_standard.utc_ms(year, daylight), false),
                (to_daylight.utc_ms(year, standard), true),
            ]
        });
        let (past, future): (Vec<_>, Vec<_>) = changes.partition(|(at_ms, _)| *at_ms <= utc_ms);
        let last = past.into_iter().max().map(|(_, is_daylight)| is_daylight);
        let next = future.into_iter().min();
        last.unwrap_or_else(|| next.is_some_and(|(_, is_daylight)| !is_daylight))
    });
    let bias = if is_daylight { daylight } else { standard };
    Some(bias.saturating_neg())
}

/// When clocks are changed: at a date, or each year on a weekday of a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    /// 0 for each year.
    year: i64,
    month: i64,
    /// 0 for Sunday.
    weekday: i64,
    /// Of the month; of a change in each year which of the weekdays in the month, 5 for the last one.
    day: i64,
    ms_of_day: i64,
}

impl Change {
    /// Decodes a `SYSTEMTIME`; `None` if it is no date, as in zones that have no daylight time.
    fn read(zone: &[u8], at: usize) -> Option<Self> {
        let part = |number: usize| u16_at(zone, at + 2 * number).map(i64::from);
        let [hour, minute, second, ms] = [part(4)?, part(5)?, part(6)?, part(7)?];
        let change = Self {
            year: part(0)?,
            month: part(1)?,
            weekday: part(2)?,
            day: part(3)?,
            ms_of_day: ((hour * 60 + minute) * 60 + second) * 1000 + ms,
        };
        let days = if change.year == 0 { 1..=5 } else { 1..=31 };
        let is_date = (1..=12).contains(&change.month)
            && days.contains(&change.day)
            && change.weekday <= 6
            && change.ms_of_day < MS_PER_DAY;
        is_date.then_some(change)
    }

    /// Unix time in ms of the change in a year, if that many minutes must be added to local time to get UTC before it.
    fn utc_ms(&self, year: i64, bias_minutes: i32) -> i64 {
        let day = if self.year == 0 {
            self.day_in(year)
        } else {
            days_before(self.year, self.month) + self.day - 1
        };
        day * MS_PER_DAY + self.ms_of_day + i64::from(bias_minutes) * MS_PER_MINUTE
    }

    /// The day since 1970 of the weekday in a year's month.
    fn day_in(&self, year: i64) -> i64 {
        let begin = days_before(year, self.month);
        let end = days_before(year + self.month / 12, self.month % 12 + 1);
        // 1970 began on a Thursday.
        let first = begin + (self.weekday - begin - 4).rem_euclid(7);
        let nth = first + 7 * (self.day - 1);
        if nth < end { nth } else { nth - 7 }
    }
}

/// Days from 1970 to the start of a month, by the Gregorian calendar.
fn days_before(year: i64, month: i64) -> i64 {
    // Years from March on, so that the leap day is the last one.
    let year = if month > 2 { year } else { year - 1 };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let months = (month + 9) % 12;
    // From the year 0's March to 1970 there are 719 468 days.
    365 * year + leap_days + (153 * months + 2) / 5 - 719_468
}

/// The year of a day since 1970.
fn year_of(day: i64) -> i64 {
    // Off by one day at most over the years that a trace can be of.
    let near = 1970 + (day * 400).div_euclid(146_097);
    let is_next = days_before(near + 1, 1) <= day;
    let is_last = days_before(near, 1) > day;
    near + i64::from(is_next) - i64::from(is_last)
}

#[cfg(test)]
#[path = "time_zone_tests.rs"]
mod tests;
