//! Why a file cannot be opened as a trace.

use std::path::PathBuf;

/// A file that cannot be read as a trace at all. One line, naming the file and what was expected.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct OpenError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a file that cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The system cannot read it.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// A folder, a pipe or a device: its bytes have no end, or no place that can be read again.
    #[error("not a file but {found}: expected a trace that is a file on disk")]
    NotAFile {
        /// What it is.
        found: &'static str,
    },
    /// It has no bytes.
    #[error("file is empty")]
    Empty,
    /// It ends before the log-file header does.
    #[error(
        "too short for an ETL header: expected at least {expected_bytes} bytes at offset 0, found {found_bytes}"
    )]
    TooShort {
        /// Least bytes of a trace.
        expected_bytes: u64,
        /// Bytes there are.
        found_bytes: u64,
    },
    /// It is something else.
    #[error("not an ETL file: expected a buffer header at offset 0, found {found}")]
    NotEtl {
        /// What it looks like.
        found: String,
    },
    /// Its first event is not the log-file header.
    #[error("no log-file header: expected {expected} at offset {offset:#x}, found {found}")]
    NoHeader {
        /// What must be there.
        expected: &'static str,
        /// Where.
        offset: u64,
        /// What is there.
        found: String,
    },
    /// The archive cannot be unpacked.
    #[error("cannot be unpacked as {format}: {reason}")]
    Archive {
        /// `gzip`, `ZIP` or `cabinet`.
        format: &'static str,
        /// Why.
        reason: String,
    },
    /// The end of a ZIP archive is missing, and no trace can be found without it.
    #[error(
        "offset {found_bytes}: this ZIP archive ends too early: its directory, which stands at the end, is missing; copy the file again"
    )]
    ZipCut {
        /// Bytes there are.
        found_bytes: u64,
    },
    /// It cannot be read as one trace with another file.
    #[error("cannot be merged with {other}: {why}")]
    OtherRecording {
        /// The other file.
        other: String,
        /// How they differ.
        why: String,
    },
    /// The archive holds more than may be unpacked.
    #[error(
        "unpacks to more than {limit_bytes} bytes, the most for an archive of its size: 200 times that, but at least 1 GiB and at most 64 GiB (unpack it yourself if it is a trace)"
    )]
    TooLarge {
        /// The most that is unpacked.
        limit_bytes: u64,
    },
    /// The disk of the temporary folder is full.
    #[error("cannot be unpacked: {} has no room for more than {unpacked_bytes} bytes", folder.display())]
    NoRoom {
        /// The temporary folder.
        folder: PathBuf,
        /// Bytes that were unpacked before.
        unpacked_bytes: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_naming_the_file() {
        let error = OpenError {
            path: "a/b.etl".into(),
            reason: Reason::Empty,
        };
        assert_eq!(error.to_string(), "a/b.etl: file is empty");
    }
}
