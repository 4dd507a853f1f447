//! Bins of lengths: of millions of waits logarithms would take long.

use std::sync::LazyLock;

/// Shorter lengths are in the bin of this one.
const SHORTEST_NS: u64 = 100;
/// From here on logarithms are taken: few waits are so long.
const LONG_NS: u64 = 1 << 31;
/// Lengths with the same leading 1 and the same six bits after it have one cell: at most one bin begins within it.
const CELL_BITS: u32 = 6;

/// By cell: the bin in which it begins, and the least length of the next bin.
static CELL_BINS: LazyLock<Vec<(u16, u64)>> = LazyLock::new(|| {
    let cells = 0..32_u64 << CELL_BITS;
    let least_ns = cells.map(
        |cell| match (cell >> CELL_BITS).checked_sub(CELL_BITS.into()) {
            Some(below) => (64 | cell & 63) << below,
            // So short a length has no cell.
            None => SHORTEST_NS,
        },
    );
    least_ns
        .map(|least_ns| (bin_by_logarithm(least_ns), next_bin_ns(least_ns)))
        .collect()
});

/// The least length above another that is in a later bin.
fn next_bin_ns(length_ns: u64) -> u64 {
    let bin = bin_by_logarithm(length_ns);
    // Bins are less than a fortieth wide.
    let (mut within, mut beyond) = (length_ns, length_ns + length_ns / 40 + 2);
    while beyond - within > 1 {
        let middle = u64::midpoint(within, beyond);
        if bin_by_logarithm(middle) > bin {
            beyond = middle;
        } else {
            within = middle;
        }
    }
    beyond
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "100 log10 of 64 bits is below 2000"
)]
fn bin_by_logarithm(length_ns: u64) -> u16 {
    let hundredths = (length_ns as f64).ln() * 43.429_448_190_325_18;
    (hundredths + 1e-9) as u16
}

/// The hundredth of a decade in which a length lies, as `etw_ready_wait_bin` has it: floor(100 log10 of its ns), 200 at least.
pub fn bin_of(length_ns: u64) -> u16 {
    let length_ns = length_ns.max(SHORTEST_NS);
    let known = cell_of(length_ns).and_then(|cell| CELL_BINS.get(cell));
    match known {
        Some((bin, next_ns)) => bin + u16::from(length_ns >= *next_ns),
        None => bin_by_logarithm(length_ns),
    }
}

/// The cell of a length; `None` where it has none.
fn cell_of(length_ns: u64) -> Option<usize> {
    let leading = length_ns.checked_ilog2()?;
    let below = leading.checked_sub(CELL_BITS)?;
    let next_bits = usize::try_from(length_ns >> below & 63).ok()?;
    (length_ns < LONG_NS).then_some((leading as usize) << CELL_BITS | next_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_hundredths_of_a_decade_from_100_ns_on() {
        let bins = [
            0,
            99,
            100,
            102,
            103,
            999,
            1_000,
            1_000_000,
            1_000_000_000,
            u64::MAX,
        ]
        .map(bin_of);
        assert_eq!(bins, [200, 200, 200, 200, 201, 299, 300, 600, 900, 1926]);
    }

    #[test]
    fn each_bin_begins_where_the_logarithm_says() {
        let edges = (0..1000).map(|bin| 10_f64.powf(2.0 + f64::from(bin) / 100.0).round() as u64);
        let powers = (7..40).map(|power| 1 << power);
        let around = edges
            .chain(powers)
            .flat_map(|edge| [edge - 1, edge, edge + 1]);
        for length_ns in around
            .chain(100..5_000)
            .filter(|length_ns| *length_ns >= 100)
        {
            assert_eq!(
                bin_of(length_ns),
                bin_by_logarithm(length_ns),
                "{length_ns}"
            );
        }
    }
}
