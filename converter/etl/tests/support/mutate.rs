//! Damage by a fixed series of numbers.

#![allow(dead_code, missing_docs, reason = "every test file uses a part of it")]

/// xorshift64*: the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap_or(0)
    }
}

/// Changes one to four places: a byte, a bit, a run of equal bytes, or a whole number that is likely to hurt.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    const HURTFUL: [u32; 8] = [
        0,
        1,
        0x47,
        0x48,
        0xFFFF,
        0x7FFF_FFFF,
        0x8000_0000,
        0xFFFF_FFFF,
    ];
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let choice = random.below(5);
        let value = random.next().to_le_bytes();
        let tail = bytes.get_mut(at..).unwrap_or_default();
        match (choice, tail) {
            (0, [byte, ..]) => *byte = value[0],
            (1, [byte, ..]) => *byte ^= 1 << (value[0] % 8),
            (2, tail) => tail.iter_mut().take(32).for_each(|byte| *byte = value[0]),
            (3, [a, b, c, d, ..]) => {
                let hurtful = HURTFUL.get(random.below(HURTFUL.len())).copied();
                [*a, *b, *c, *d] = hurtful.unwrap_or_default().to_le_bytes();
            }
            _ => bytes.truncate(at + 1),
        }
    }
}
