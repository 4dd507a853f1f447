use super::*;
use proptest::prelude::*;

const NO_DATE: [u16; 8] = [0; 8];
const FIRST_SUNDAY_OF_NOVEMBER: [u16; 8] = [0, 11, 0, 1, 2, 0, 0, 0];
const SECOND_SUNDAY_OF_MARCH: [u16; 8] = [0, 3, 0, 2, 2, 0, 0, 0];

/// The bytes of a zone: its bias, the date on which standard time begins, and that of daylight time with its own bias.
fn zone(
    bias: i32,
    standard_date: [u16; 8],
    daylight_date: [u16; 8],
    daylight_bias: i32,
) -> Vec<u8> {
    let date = |date: [u16; 8]| date.map(u16::to_le_bytes).concat();
    [
        bias.to_le_bytes().to_vec(),
        vec![0; 64],
        date(standard_date),
        0_i32.to_le_bytes().to_vec(),
        vec![0; 64],
        date(daylight_date),
        daylight_bias.to_le_bytes().to_vec(),
    ]
    .concat()
}

/// Unix time in ns of a minute in UTC.
fn utc(year: i64, month: i64, day: i64, hour: i64, minute: i64) -> Option<i64> {
    let days = days_before(year, month) + day - 1;
    Some((days * 24 * 60 + hour * 60 + minute) * 60_000_000_000)
}

#[test]
fn daylight_time_in_the_north_is_from_spring_to_autumn() {
    let pacific = zone(480, FIRST_SUNDAY_OF_NOVEMBER, SECOND_SUNDAY_OF_MARCH, -60);
    let at = |utc_ns| utc_offset_minutes(&pacific, utc_ns);
    assert_eq!(at(utc(2020, 7, 28, 0, 6)), Some(-420));
    assert_eq!(at(utc(2020, 12, 28, 0, 6)), Some(-480));
    // 2:00 becomes 3:00 on 8 March 2020, and 1:00 again on 1 November.
    assert_eq!(at(utc(2020, 3, 8, 9, 59)), Some(-480));
    assert_eq!(at(utc(2020, 3, 8, 10, 0)), Some(-420));
    assert_eq!(at(utc(2020, 11, 1, 8, 59)), Some(-420));
    assert_eq!(at(utc(2020, 11, 1, 9, 0)), Some(-480));
    assert_eq!(at(None), Some(-480));
}

#[test]
fn daylight_time_in_the_south_is_over_the_new_year() {
    let first_sunday_of_april = [0, 4, 0, 1, 3, 0, 0, 0];
    let first_sunday_of_october = [0, 10, 0, 1, 2, 0, 0, 0];
    let sydney = zone(-600, first_sunday_of_april, first_sunday_of_october, -60);
    let at = |utc_ns| utc_offset_minutes(&sydney, utc_ns);
    assert_eq!(at(utc(2021, 1, 1, 0, 0)), Some(660));
    assert_eq!(at(utc(2020, 12, 31, 23, 59)), Some(660));
    assert_eq!(at(utc(2021, 7, 1, 0, 0)), Some(600));
    // 3:00 of daylight time on 4 April is 16:00 of the day before in UTC; 2:00 of standard time on 3 October likewise.
    assert_eq!(at(utc(2021, 4, 3, 15, 59)), Some(660));
    assert_eq!(at(utc(2021, 4, 3, 16, 0)), Some(600));
    assert_eq!(at(utc(2021, 10, 2, 15, 59)), Some(600));
    assert_eq!(at(utc(2021, 10, 2, 16, 0)), Some(660));
}

#[test]
fn a_zone_may_have_no_daylight_time() {
    let india = zone(-330, NO_DATE, NO_DATE, -60);
    assert_eq!(utc_offset_minutes(&india, utc(2021, 7, 1, 0, 0)), Some(330));
    let no_dates = zone(-330, [0, 13, 0, 1, 2, 0, 0, 0], SECOND_SUNDAY_OF_MARCH, -60);
    assert_eq!(
        utc_offset_minutes(&no_dates, utc(2021, 7, 1, 0, 0)),
        Some(330)
    );
}

#[test]
fn dates_of_one_year_change_the_clocks_once() {
    let once = zone(
        0,
        [2021, 10, 0, 31, 2, 0, 0, 0],
        [2021, 3, 0, 28, 1, 0, 0, 0],
        -60,
    );
    let at = |utc_ns| utc_offset_minutes(&once, utc_ns);
    assert_eq!(at(utc(2020, 7, 1, 0, 0)), Some(0));
    assert_eq!(at(utc(2021, 3, 28, 0, 59)), Some(0));
    assert_eq!(at(utc(2021, 3, 28, 1, 0)), Some(60));
    assert_eq!(at(utc(2021, 10, 31, 0, 59)), Some(60));
    assert_eq!(at(utc(2021, 10, 31, 1, 0)), Some(0));
    assert_eq!(at(utc(2022, 7, 1, 0, 0)), Some(0));
}

#[test]
fn a_zone_that_is_cut_tells_nothing() {
    let whole = zone(0, NO_DATE, NO_DATE, 0);
    for size in 0..whole.len() {
        assert_eq!(utc_offset_minutes(&whole[..size], None), None);
    }
}

/// A date of each year: any weekday of any month, at a whole quarter of an hour.
fn yearly(months: std::ops::Range<u16>) -> impl Strategy<Value = [u16; 8]> {
    (months, 0..7_u16, 1..6_u16, 0..24_u16, 0..4_u16).prop_map(
        |(month, weekday, which, hour, quarter)| {
            [0, month, weekday, which, hour, 15 * quarter, 0, 0]
        },
    )
}

/// A calendar and clocks on the wall: from the start of a year on, day by day and quarter by quarter of an hour, by the
/// local time that they show.
fn told_by_wall_clocks(
    bias: i32,
    [standard_date, daylight_date]: [[u16; 8]; 2],
    daylight_bias: i32,
    until_utc_minute: i64,
) -> i32 {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let month_days = |year, month| match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    // 3 January 2010 was a Sunday.
    let (mut year, mut month, mut day, mut weekday, mut minute) =
        (2010_i64, 1_u16, 3_i64, 0_u16, 0_i64);
    let mut is_daylight = standard_date[1] < daylight_date[1];
    let offset = |is_daylight: bool| i64::from(-bias - if is_daylight { daylight_bias } else { 0 });
    let mut utc_minute = 14_612 * 24 * 60 - offset(is_daylight);
    let at = |year: i64, month: u16, day: i64, weekday: u16, minute: i64, is_daylight: bool| {
        let date = if is_daylight {
            standard_date
        } else {
            daylight_date
        };
        let is_last = day + 7 > month_days(year, month);
        let which = u16::try_from((day + 6) / 7).unwrap();
        let is_day = which == date[3] || date[3] == 5 && is_last;
        date[1] == month
            && date[2] == weekday
            && is_day
            && i64::from(date[4] * 60 + date[5]) == minute
    };
    loop {
        if at(year, month, day, weekday, minute, is_daylight) {
            is_daylight = !is_daylight;
            minute += if is_daylight { 1 } else { -1 } * i64::from(-daylight_bias);
        }
        if utc_minute >= until_utc_minute {
            return i32::try_from(offset(is_daylight)).unwrap();
        }
        utc_minute += 15;
        minute += 15;
        let days = minute.div_euclid(24 * 60);
        minute = minute.rem_euclid(24 * 60);
        day += days;
        weekday = u16::try_from((i64::from(weekday) + days).rem_euclid(7)).unwrap();
        if day == 0 {
            month -= 1;
            day = month_days(year, month);
        }
        if day > month_days(year, month) {
            (day, month) = (1, month + 1);
        }
        if month > 12 {
            (month, year) = (1, year + 1);
        }
    }
}

proptest! {
    #[test]
    fn agrees_with_clocks_on_the_wall(
        bias in (-56..=48_i32).prop_map(|quarters| 15 * quarters),
        in_spring in yearly(2..7),
        in_autumn in yearly(8..12),
        is_south: bool,
        daylight_bias in prop::sample::select(vec![-60, -30]),
        quarters in 0..4 * 24 * 365 * 3_i64,
    ) {
        let dates = if is_south { [in_spring, in_autumn] } else { [in_autumn, in_spring] };
        let utc_minute = 14_615 * 24 * 60 + 15 * quarters;
        let zone = zone(bias, dates[0], dates[1], daylight_bias);
        prop_assert_eq!(
            utc_offset_minutes(&zone, Some(utc_minute * 60_000_000_000)),
            Some(told_by_wall_clocks(bias, dates, daylight_bias, utc_minute))
        );
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 172), utc_ns: i64) {
        prop_assert!(utc_offset_minutes(&bytes, Some(utc_ns)).is_some());
    }

    #[test]
    fn a_day_is_in_its_year(day in -200_000..200_000_i64) {
        let year = year_of(day);
        prop_assert!(days_before(year, 1) <= day && day < days_before(year + 1, 1));
    }
}
