//! A small compressor for "plain LZ77" of MS-XCA, to test the inflater by.

use std::collections::HashMap;

const LEAST_MATCH: usize = 3;
const MOST_DISTANCE: usize = 1 << 13;

/// Compresses greedily, with matches of any length.
pub fn compress(data: &[u8]) -> Vec<u8> {
    let mut packer = Packer::default();
    let mut seen: HashMap<&[u8], usize> = HashMap::new();
    let mut at = 0;
    while at < data.len() {
        let key = data.get(at..at + LEAST_MATCH);
        let earlier = key.and_then(|key| seen.insert(key, at));
        match earlier.filter(|earlier| at - earlier <= MOST_DISTANCE) {
            Some(earlier) => {
                let length = (at..data.len())
                    .take_while(|to| data[*to] == data[to - at + earlier])
                    .count();
                packer.flag(true);
                packer.match_(at - earlier, length);
                at += length;
            }
            None => {
                packer.flag(false);
                packer.out.push(data[at]);
                at += 1;
            }
        }
    }
    packer.finish()
}

#[derive(Default)]
struct Packer {
    out: Vec<u8>,
    flags: u32,
    flag_count: u32,
    flags_at: usize,
    /// Where the byte is whose high four bits are still free.
    half_used_at: Option<usize>,
}

impl Packer {
    fn flag(&mut self, is_match: bool) {
        if self.flag_count.is_multiple_of(32) {
            self.write_flags();
            self.flags_at = self.out.len();
            self.out.extend([0; 4]);
        }
        self.flags |= u32::from(is_match) << (31 - self.flag_count % 32);
        self.flag_count += 1;
    }

    fn write_flags(&mut self) {
        if self.flag_count > 0 {
            self.out[self.flags_at..self.flags_at + 4].copy_from_slice(&self.flags.to_le_bytes());
        }
        self.flags = 0;
    }

    fn match_(&mut self, distance: usize, length: usize) {
        let length = length - LEAST_MATCH;
        let word = (distance - 1) << 3 | length.min(7);
        self.out.extend(u16::try_from(word).unwrap().to_le_bytes());
        if length >= 7 {
            self.nibble(u8::try_from((length - 7).min(15)).unwrap());
        }
        if length < 7 + 15 {
            return;
        }
        match u8::try_from(length - 22)
            .ok()
            .filter(|byte| *byte < u8::MAX)
        {
            Some(byte) => self.out.push(byte),
            None => {
                self.out.push(u8::MAX);
                match u16::try_from(length) {
                    Ok(short) => self.out.extend(short.to_le_bytes()),
                    Err(_) => {
                        self.out.extend([0; 2]);
                        self.out
                            .extend(u32::try_from(length).unwrap().to_le_bytes());
                    }
                }
            }
        }
    }

    fn nibble(&mut self, nibble: u8) {
        match self.half_used_at.take() {
            Some(at) => self.out[at] |= nibble << 4,
            None => {
                self.half_used_at = Some(self.out.len());
                self.out.push(nibble);
            }
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.write_flags();
        self.out
    }
}
