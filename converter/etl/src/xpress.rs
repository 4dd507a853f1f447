//! "Plain LZ77" of MS-XCA (XPRESS without Huffman), the compression of trace buffers (§1.4).

use crate::bytes;

const FIRST_MATCH_BYTES: usize = 3;
const LONG_LENGTH: usize = 7;
const LONGER_LENGTH: usize = 15;
/// Short matches are copied as so many bytes at once, whatever of them is meant.
const BLOCK_BYTES: usize = 16;
/// Flags are read so many at once.
const LITERALS_MAX: usize = u32::BITS as usize;
const LEAST_WIDE_LENGTH: usize = LONG_LENGTH + LONGER_LENGTH;

/// Why compressed data are corrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XpressError {
    /// The input ends before the output is full.
    #[error("compressed data end early")]
    InputEnds,
    /// A match refers to bytes before the output's start.
    #[error("a match begins before the data")]
    MatchBeforeStart,
    /// A match is longer than the output that is left.
    #[error("a match ends after the data")]
    MatchPastEnd,
    /// A wide length smaller than what shorter forms can say.
    #[error("a match has an impossible length")]
    MatchLength,
}

/// Fills `output` from the compressed `input`; input that is left over is ignored.
///
/// # Errors
/// How many bytes of `output` are right, and what is wrong after them.
pub fn inflate(input: &[u8], output: &mut [u8]) -> Result<(), (usize, XpressError)> {
    let mut inflater = Inflater {
        input,
        at: 0,
        half_used_byte: None,
    };
    let mut written = 0;
    while written < output.len() {
        let Some(mut flags) = inflater.u32() else {
            return Err((written, XpressError::InputEnds));
        };
        let mut left = u32::BITS;
        while left > 0 && written < output.len() {
            let literals = flags.leading_zeros().min(left);
            written = inflater.literals(output, written, literals as usize)?;
            left -= literals;
            if left == 0 || written == output.len() {
                break;
            }
            // The bit of the match is behind those of the literals.
            flags = flags << literals << 1;
            left -= 1;
            let (distance, length) = inflater.match_().map_err(|error| (written, error))?;
            written =
                copy_match(output, written, distance, length).map_err(|error| (written, error))?;
        }
    }
    Ok(())
}

struct Inflater<'a> {
    input: &'a [u8],
    at: usize,
    /// A byte whose low four bits were used as a length; its high four bits serve the next one.
    half_used_byte: Option<u8>,
}

impl Inflater<'_> {
    #[inline]
    fn u8(&mut self) -> Option<u8> {
        let value = bytes::u8_at(self.input, self.at)?;
        self.at += 1;
        Some(value)
    }

    #[inline]
    fn u16(&mut self) -> Option<u16> {
        let value = bytes::u16_at(self.input, self.at)?;
        self.at += 2;
        Some(value)
    }

    #[inline]
    fn u32(&mut self) -> Option<u32> {
        let value = bytes::u32_at(self.input, self.at)?;
        self.at += 4;
        Some(value)
    }

    /// Copies so many literals to `written`, or as many as the output takes; answers where they end.
    #[inline]
    fn literals(
        &mut self,
        output: &mut [u8],
        written: usize,
        count: usize,
    ) -> Result<usize, (usize, XpressError)> {
        let input = self.input.get(self.at..).unwrap_or_default();
        let output = output.get_mut(written..).unwrap_or_default();
        if let (Some(from), Some(to)) = (
            input.first_chunk::<LITERALS_MAX>(),
            output.first_chunk_mut::<LITERALS_MAX>(),
        ) {
            // Without a branch for how many there are: what is copied beyond them is overwritten.
            *to = *from;
            self.at += count;
            return Ok(written + count);
        }
        let wanted = count.min(output.len());
        let found = wanted.min(input.len());
        output
            .iter_mut()
            .zip(input)
            .take(found)
            .for_each(|(to, from)| *to = *from);
        self.at += found;
        let end = written + found;
        (found == wanted)
            .then_some(end)
            .ok_or((end, XpressError::InputEnds))
    }

    /// Distance back and length of a match.
    #[inline]
    fn match_(&mut self) -> Result<(usize, usize), XpressError> {
        let word = usize::from(self.u16().ok_or(XpressError::InputEnds)?);
        let distance = (word >> 3) + 1;
        let length = match word & 7 {
            LONG_LENGTH => self.long_length()?,
            short => short,
        };
        Ok((distance, length.saturating_add(FIRST_MATCH_BYTES)))
    }

    fn long_length(&mut self) -> Result<usize, XpressError> {
        let nibble = self.nibble().ok_or(XpressError::InputEnds)?;
        if nibble < LONGER_LENGTH {
            return Ok(LONG_LENGTH + nibble);
        }
        match self.u8().ok_or(XpressError::InputEnds)? {
            u8::MAX => self.wide_length(),
            byte => Ok(LEAST_WIDE_LENGTH + usize::from(byte)),
        }
    }

    fn nibble(&mut self) -> Option<usize> {
        if let Some(byte) = self.half_used_byte.take() {
            return Some(usize::from(byte >> 4));
        }
        let byte = self.u8()?;
        self.half_used_byte = Some(byte);
        Some(usize::from(byte & 0xF))
    }

    fn wide_length(&mut self) -> Result<usize, XpressError> {
        let length = match self.u16().ok_or(XpressError::InputEnds)? {
            0 => self.u32().ok_or(XpressError::InputEnds)?,
            short => u32::from(short),
        };
        usize::try_from(length)
            .ok()
            .filter(|length| *length >= LEAST_WIDE_LENGTH)
            .ok_or(XpressError::MatchLength)
    }
}

/// Copies a match to `written`; answers where it ends.
#[inline]
fn copy_match(
    output: &mut [u8],
    written: usize,
    distance: usize,
    length: usize,
) -> Result<usize, XpressError> {
    let from = written
        .checked_sub(distance)
        .ok_or(XpressError::MatchBeforeStart)?;
    let end = written.saturating_add(length);
    if length <= 2 * BLOCK_BYTES
        && distance >= BLOCK_BYTES
        && written + 2 * BLOCK_BYTES <= output.len()
    {
        // What is copied beyond the match is overwritten.
        output.copy_within(from..from + BLOCK_BYTES, written);
        if length > BLOCK_BYTES {
            let second = from + BLOCK_BYTES;
            output.copy_within(second..second + BLOCK_BYTES, written + BLOCK_BYTES);
        }
        return Ok(end);
    }
    let part = output.get_mut(from..end).ok_or(XpressError::MatchPastEnd)?;
    if distance >= length {
        part.copy_within(..length, distance);
        return Ok(end);
    }
    // The match repeats its own output: what is copied doubles with every round.
    let mut filled = distance;
    while filled < part.len() {
        let count = filled.min(part.len() - filled);
        part.copy_within(..count, filled);
        filled += count;
    }
    Ok(end)
}

#[cfg(test)]
#[path = "xpress_tests.rs"]
mod tests;
