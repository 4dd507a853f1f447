//! Which hardware counters (PMC) the headers of events hold (hook 0F30).
//!
//! Source: `ntwmi.h` (`PERFINFO_PMC_COUNTER_CONFIG`). No pointers: the same in both widths.

use etl::HookId;

use crate::payload::{Payload, Short, Wide};

/// A header has room for as many: three bits of its version tell how many there are.
pub const COUNTERS_MAX: usize = 7;

/// The names of the counters in headers, in their order there.
#[derive(Clone, Copy, Debug)]
pub struct CounterConfig<'a> {
    count: u32,
    rest: Payload<'a>,
}

impl<'a> CounterConfig<'a> {
    /// The hook id.
    pub const HOOK: HookId = HookId(0x0F30);

    /// Decodes any version.
    ///
    /// # Errors
    /// [`Short`] if the number of counters is not there.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Short> {
        let mut rest = Payload::new(bytes);
        let count = rest.u32().ok_or(Short {
            needed_bytes: 4,
            found_bytes: bytes.len(),
        })?;
        Ok(Self { count, rest })
    }

    /// The names, as many as are told and there.
    pub fn names(mut self) -> impl Iterator<Item = Wide<'a>> {
        let most = COUNTERS_MAX.min(self.count as usize);
        (0..most).map_while(move |_| self.rest.wide())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(bytes: &[u8]) -> Vec<String> {
        let config = CounterConfig::decode(bytes).unwrap();
        config.names().map(Wide::to_text).collect()
    }

    #[test]
    fn counters_are_named_in_their_order() {
        let whole = b"\x02\0\0\0A\0b\0\0\0C\0\0\0";
        assert_eq!(names(whole), ["Ab", "C"]);
        assert_eq!(names(&whole[..10]), ["Ab"], "the second one is cut off");
        assert_eq!(names(b"\x01\0\0\0A\0b\0\0\0C\0\0\0"), ["Ab"]);
    }

    #[test]
    fn three_bytes_are_too_few() {
        let short = Short {
            needed_bytes: 4,
            found_bytes: 3,
        };
        assert_eq!(CounterConfig::decode(&[1, 0, 0]).err(), Some(short));
    }
}
