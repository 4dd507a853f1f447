//! The compressor against a decoder written from MS-XCA.

use crate::xpress::decompress;
use synth::file::xpress::compress;

#[test]
fn a_repetition_becomes_one_copy() {
    let packed = compress(b"abcabcabc");
    let flags = 0b0001_u32 << 28 | 0x0FFF_FFFF;
    let mut expected = flags.to_le_bytes().to_vec();
    expected.extend_from_slice(b"abc");
    expected.extend_from_slice(&(2_u16 << 3 | 3).to_le_bytes());
    assert_eq!(packed, expected);
}

#[test]
fn every_length_form_comes_back() {
    for run in [
        1, 3, 9, 10, 24, 25, 31, 279, 280, 281, 5000, 65_538, 65_539, 70_000,
    ] {
        let mut input = vec![7_u8; run];
        input.extend((0..100_u8).cycle().take(650));
        input.extend(vec![9_u8; 40]);
        assert_eq!(
            decompress(&compress(&input), input.len()),
            input,
            "run of {run}"
        );
    }
}

#[test]
fn noise_comes_back() {
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 27) as u8
    })
    .take(20_000)
    .collect();
    assert_eq!(decompress(&compress(&noise), noise.len()), noise);
}
