//! The self-description that TraceLogging events carry.
//!
//! Source: Microsoft docs, `TraceLoggingProvider.h`; read back from files of Windows 10 and 11.

use crate::payload::Payload;

/// Name of an event, from its schema item (extended type 0x0B): size, tag bytes, then the name in UTF-8 with a zero.
/// `None` if the item is cut or the name is no UTF-8.
pub fn trace_logging_name(schema: &[u8]) -> Option<&str> {
    let mut payload = Payload::new(schema);
    payload.take(2)?;
    while payload.u8()? & 0x80 != 0 {}
    let rest = payload.rest();
    let end = rest.iter().position(|&byte| byte == 0)?;
    std::str::from_utf8(rest.get(..end)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_stands_behind_size_and_tags() {
        assert_eq!(
            trace_logging_name(b"\x0f\0\x80\0BreakPoint\0ErrorLevel\0\x04"),
            Some("BreakPoint")
        );
        assert_eq!(trace_logging_name(b"\x0f\0\0BreakPoint"), None);
    }
}
