//! How much an archive may unpack to: forged ones unpack to thousands of times their size.

use std::io;

use crate::open_error::Reason;

/// Traces pack to a fifth to a twentieth of their size; those whose buffers are mostly unused, to less.
const MOST_TIMES: u64 = 200;
/// What any archive may unpack to, however small it is.
const ALWAYS_BYTES: u64 = 1 << 30;
/// What no archive may unpack to, however large it is.
const MOST_BYTES: u64 = 64 << 30;

/// The most bytes that an archive of this size may unpack to.
pub(crate) fn limit_bytes(packed_bytes: u64) -> u64 {
    packed_bytes
        .saturating_mul(MOST_TIMES)
        .clamp(ALWAYS_BYTES, MOST_BYTES)
}

/// Why the temporary file did not take bytes after the first `unpacked_bytes`.
pub(crate) fn refused(error: io::Error, unpacked_bytes: u64) -> Reason {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Reason::NoRoom {
            folder: tempfile::env::temp_dir(),
            unpacked_bytes,
        },
        _ => Reason::Io(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_goes_by_the_size_of_the_archive() {
        let gib = 1 << 30;
        assert_eq!(limit_bytes(0), gib);
        assert_eq!(limit_bytes(100 << 20), 200 * (100 << 20));
        assert_eq!(limit_bytes(gib), 64 * gib);
        assert_eq!(limit_bytes(u64::MAX), 64 * gib);
    }

    #[test]
    fn a_full_disk_is_told_as_such() {
        let full = refused(io::ErrorKind::StorageFull.into(), 1000).to_string();
        let folder = tempfile::env::temp_dir();
        assert_eq!(
            full,
            format!(
                "cannot be unpacked: {} has no room for more than 1000 bytes",
                folder.display()
            )
        );
        let other = refused(io::ErrorKind::BrokenPipe.into(), 1000);
        assert!(matches!(other, Reason::Io(_)));
    }
}
