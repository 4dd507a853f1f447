//! When the machine slept.

use facts::Suspend;

use super::note::SleepSign;

/// The spans, of a recording that ends at `end_ns`, by signs in time order: the kernel's, or where there are none its provider's.
pub fn suspends(signs: &[(u64, SleepSign)], end_ns: u64) -> Vec<Suspend> {
    let is_kernel = signs.iter().any(|(_, sign)| sign.is_kernel);
    let of_one: Vec<_> = signs
        .iter()
        .filter(|(_, sign)| sign.is_kernel == is_kernel)
        .collect();
    let nexts = of_one.iter().skip(1).map(|next| Some(*next));
    let pairs = of_one.iter().zip(nexts.chain([None]));
    pairs
        .filter_map(|(&&(ts_ns, sign), next)| {
            // Of starts without an end between them the last one counts.
            let is_last = next.is_none_or(|(_, next)| !next.begins);
            (sign.begins && is_last).then(|| Suspend {
                ts_ns,
                te_ns: next.map_or(end_ns, |(ts_ns, _)| *ts_ns),
                counter_ns: next.and_then(|(_, next)| counted_ns(&sign, next)),
                open_end: next.is_none(),
            })
        })
        .collect()
}

fn counted_ns(before: &SleepSign, after: &SleepSign) -> Option<i64> {
    let ticks = i128::from(after.counter?) - i128::from(before.counter?);
    let hz = before.counter_hz.filter(|hz| *hz != 0)?;
    Some((ticks as f64 * 1e9 / hz as f64) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(ts_ns: u64, begins: bool, counter: i64) -> (u64, SleepSign) {
        let sign = SleepSign {
            begins,
            is_kernel: true,
            counter: Some(counter),
            counter_hz: begins.then_some(10_000_000),
        };
        (ts_ns, sign)
    }

    fn provider(ts_ns: u64, begins: bool) -> (u64, SleepSign) {
        let sign = SleepSign {
            begins,
            ..SleepSign::default()
        };
        (ts_ns, sign)
    }

    #[test]
    fn the_kernel_says_when_it_slept() {
        let signs = [
            kernel(20, true, 500),
            kernel(50, false, 503),
            provider(51, false),
            kernel(60, true, 510),
            kernel(70, true, 520),
        ];
        let slept = Suspend {
            ts_ns: 20,
            te_ns: 50,
            counter_ns: Some(300),
            open_end: false,
        };
        let sleeps = Suspend {
            ts_ns: 70,
            te_ns: 90,
            counter_ns: None,
            open_end: true,
        };
        assert_eq!(suspends(&signs, 90), [slept, sleeps]);
    }

    #[test]
    fn where_the_kernel_does_not_say_it_the_provider_does() {
        let slept = Suspend {
            ts_ns: 20,
            te_ns: 30,
            counter_ns: None,
            open_end: false,
        };
        assert_eq!(
            suspends(&[provider(20, true), provider(30, false)], 90),
            [slept]
        );
        assert_eq!(suspends(&[], 90), []);
    }
}
