//! Plain LZ77 compression, the XPRESS format without Huffman (Microsoft docs: MS-XCA, plain LZ77).

const MAX_DISTANCE: usize = 1 << 13;
const MIN_MATCH: usize = 3;
const HASH_BITS: u32 = 14;

/// Compresses one buffer into an independent stream.
#[must_use]
pub fn compress(input: &[u8]) -> Vec<u8> {
    let mut out = Output::new(input.len());
    let mut last_seen = vec![usize::MAX; 1 << HASH_BITS];
    let mut at = 0;
    while let Some(literal) = input.get(at) {
        let candidate = hash(input, at)
            .and_then(|slot| last_seen.get_mut(slot))
            .map(|place| std::mem::replace(place, at));
        let found = candidate
            .filter(|&from| from < at && at - from <= MAX_DISTANCE)
            .map(|from| (at - from, common_length(input, from, at)))
            .filter(|&(_, length)| length >= MIN_MATCH);
        if let Some((distance, length)) = found {
            out.copy(distance, length);
            at += length;
        } else {
            out.literal(*literal);
            at += 1;
        }
    }
    out.finish()
}

fn hash(input: &[u8], at: usize) -> Option<usize> {
    let [a, b, c] = input.get(at..at + MIN_MATCH)? else {
        return None;
    };
    let key = u32::from_le_bytes([*a, *b, *c, 0]).wrapping_mul(0x9E37_79B1);
    usize::try_from(key >> (32 - HASH_BITS)).ok()
}

fn common_length(input: &[u8], from: usize, at: usize) -> usize {
    let (Some(earlier), Some(here)) = (input.get(from..), input.get(at..)) else {
        return 0;
    };
    earlier.iter().zip(here).take_while(|(a, b)| a == b).count()
}

struct Output {
    data: Vec<u8>,
    flags: u32,
    flag_count: u32,
    flags_at: usize,
    /// Place of a length byte whose high nibble is still free.
    half_used: Option<usize>,
}

impl Output {
    fn new(expected: usize) -> Self {
        let mut data = Vec::with_capacity(expected);
        data.extend_from_slice(&[0; 4]);
        Self {
            data,
            flags: 0,
            flag_count: 0,
            flags_at: 0,
            half_used: None,
        }
    }

    fn flag(&mut self, bit: u32) {
        if self.flag_count == 32 {
            self.store_flags();
            self.flags_at = self.data.len();
            self.data.extend_from_slice(&[0; 4]);
            self.flag_count = 0;
        }
        self.flags = self.flags << 1 | bit;
        self.flag_count += 1;
    }

    fn store_flags(&mut self) {
        if let Some(word) = self.data.get_mut(self.flags_at..self.flags_at + 4) {
            word.copy_from_slice(&self.flags.to_le_bytes());
        }
        self.flags = 0;
    }

    fn literal(&mut self, byte: u8) {
        self.flag(0);
        self.data.push(byte);
    }

    fn copy(&mut self, distance: usize, length: usize) {
        self.flag(1);
        let rest = length - MIN_MATCH;
        self.word16((distance - 1) << 3 | rest.min(7));
        if rest < 7 {
            return;
        }
        self.nibble((rest - 7).min(15));
        if rest < 7 + 15 {
            return;
        }
        let byte = (rest - 22).min(255);
        self.byte(byte);
        if byte < 255 {
            return;
        }
        if rest <= usize::from(u16::MAX) {
            self.word16(rest);
        } else {
            self.word16(0);
            let word = u32::try_from(rest).unwrap_or(u32::MAX);
            self.data.extend_from_slice(&word.to_le_bytes());
        }
    }

    fn nibble(&mut self, value: usize) {
        match self.half_used.take().and_then(|at| self.data.get_mut(at)) {
            Some(byte) => *byte |= u8::try_from(value << 4).unwrap_or(u8::MAX),
            None => {
                self.half_used = Some(self.data.len());
                self.byte(value);
            }
        }
    }

    fn byte(&mut self, value: usize) {
        self.data.push(u8::try_from(value).unwrap_or(u8::MAX));
    }

    fn word16(&mut self, value: usize) {
        let word = u16::try_from(value).unwrap_or(u16::MAX);
        self.data.extend_from_slice(&word.to_le_bytes());
    }

    /// Fills the unused flags with ones, as MS-XCA's compressor does.
    fn finish(mut self) -> Vec<u8> {
        let unused = 32 - self.flag_count;
        if unused > 0 {
            self.flags = self.flags << unused | ((1_u64 << unused) - 1) as u32;
        }
        self.store_flags();
        self.data
    }
}
