use proptest::prelude::*;

use super::*;
use crate::support::compress::compress;

fn inflated(input: &[u8], size: usize) -> Result<Vec<u8>, (usize, XpressError)> {
    let mut output = vec![0; size];
    inflate(input, &mut output).map(|()| output)
}

#[test]
fn the_example_of_ms_xca() {
    // MS-XCA 3.1: the alphabet is all literals; "abc" a hundred times is three literals and one match.
    let alphabet = [&[0x3F, 0, 0, 0], &b"abcdefghijklmnopqrstuvwxyz"[..]].concat();
    assert_eq!(
        inflated(&alphabet, 26).unwrap(),
        b"abcdefghijklmnopqrstuvwxyz"
    );
    let repeated = [
        0xFF, 0xFF, 0xFF, 0x1F, b'a', b'b', b'c', 0x17, 0, 0x0F, 0xFF, 0x26, 0x01,
    ];
    assert_eq!(inflated(&repeated, 300).unwrap(), b"abc".repeat(100));
}

#[test]
fn two_lengths_share_a_byte() {
    // Two matches of 10 + 3 and 10 + 5 bytes: the second takes the high four bits of the first one's extra byte.
    let input = [0, 0, 0, 0x60, b'x', 0x07, 0, 0x53, 0x07, 0];
    assert_eq!(inflated(&input, 1 + 13 + 15).unwrap(), [b'x'; 29]);
}

#[test]
fn every_kind_of_corruption_is_named() {
    let match_first = [0, 0, 0, 0x80];
    let literal_then_match = [0, 0, 0, 0x40, b'a'];
    let cases: [(Vec<u8>, (usize, XpressError)); 6] = [
        (vec![], (0, XpressError::InputEnds)),
        (vec![0, 0, 0], (0, XpressError::InputEnds)),
        (
            [&match_first[..], &[0, 0]].concat(),
            (0, XpressError::MatchBeforeStart),
        ),
        (
            [&literal_then_match[..], &[0]].concat(),
            (1, XpressError::InputEnds),
        ),
        (
            [&literal_then_match[..], &[7, 0, 14]].concat(),
            (1, XpressError::MatchPastEnd),
        ),
        (
            [&literal_then_match[..], &[7, 0, 15, 255, 21, 0]].concat(),
            (1, XpressError::MatchLength),
        ),
    ];
    for (input, error) in cases {
        assert_eq!(inflated(&input, 8), Err(error), "{input:?}");
    }
    let endless = [
        &literal_then_match[..],
        &[7, 0, 15, 255, 0, 0, 255, 255, 255, 255],
    ]
    .concat();
    assert_eq!(inflated(&endless, 8), Err((1, XpressError::MatchPastEnd)));
}

#[test]
fn left_over_input_is_ignored() {
    assert_eq!(
        inflated(&[0, 0, 0, 0, b'a', b'b', 9, 9, 9, 9], 2).unwrap(),
        b"ab"
    );
    assert_eq!(inflated(&[1, 2, 3], 0).unwrap(), b"");
}

/// Bytes with runs of all lengths, so that matches of all lengths occur.
fn runs() -> impl Strategy<Value = Vec<u8>> {
    let run = (
        0u8..4,
        prop_oneof![1usize..12, 12usize..400, Just(70_000usize)],
    );
    prop::collection::vec(run, 0..40).prop_map(|runs| {
        runs.into_iter()
            .flat_map(|(byte, length)| vec![byte; length])
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_was_compressed_comes_back(data in prop_oneof![runs(), prop::collection::vec(0u8..6, 0..2000)]) {
        prop_assert_eq!(inflated(&compress(&data), data.len()), Ok(data));
    }

    #[test]
    fn any_input_ends_within_the_output(input in prop::collection::vec(any::<u8>(), 0..400), size in 0usize..4000) {
        if let Err((good, _)) = inflated(&input, size) {
            prop_assert!(good < size);
        }
    }
}
