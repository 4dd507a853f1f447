//! A decoder of plain LZ77.

/// Decodes by the rules of MS-XCA alone.
pub fn decompress(input: &[u8], length: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut at, mut flags, mut left, mut half) = (0, 0_u32, 0, None);
    let u16_at = |at: usize| u16::from_le_bytes([input[at], input[at + 1]]);
    while out.len() < length {
        if left == 0 {
            flags = u32::from_le_bytes(input[at..at + 4].try_into().unwrap());
            (at, left) = (at + 4, 32);
        }
        left -= 1;
        if flags >> left & 1 == 0 {
            out.push(input[at]);
            at += 1;
            continue;
        }
        let token = u16_at(at);
        at += 2;
        let distance = usize::from(token >> 3) + 1;
        let mut rest = usize::from(token & 7);
        if rest == 7 {
            let nibble = if let Some(place) = half.take() {
                let byte: u8 = input[place];
                byte >> 4
            } else {
                half = Some(at);
                at += 1;
                input[at - 1] & 15
            };
            rest += usize::from(nibble);
            if nibble == 15 {
                rest += usize::from(input[at]);
                at += 1;
                if rest == 7 + 15 + 255 {
                    rest = usize::from(u16_at(at));
                    at += 2;
                    if rest == 0 {
                        rest = u32::from_le_bytes(input[at..at + 4].try_into().unwrap()) as usize;
                        at += 4;
                    }
                }
            }
        }
        for _ in 0..rest + 3 {
            out.push(out[out.len() - distance]);
        }
    }
    out
}
