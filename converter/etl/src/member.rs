//! A trace that comes out of an archive, into an unnamed temporary file.

use std::fs::File;
use std::io::{self, Read, Write};

use crate::archive::refusal;
use crate::damage::{DamageKind, DamageLog};
use crate::open_error::Reason;
use crate::source::Source;
use crate::unpack_limit;

/// How many bytes are unpacked at a time.
pub(crate) const CHUNK_BYTES: usize = 1 << 17;

/// The bytes of a trace file.
#[derive(Debug)]
pub(crate) struct Member {
    /// Its name in the archive; empty if it is in none, or needs none.
    pub(crate) name: String,
    /// Why there are none, if nothing of it could be unpacked.
    pub(crate) source: Result<Source, Reason>,
    /// What is missing of it.
    pub(crate) damage: DamageLog,
}

impl Member {
    /// A file that is no archive.
    pub(crate) fn whole(source: Source) -> Self {
        Self {
            name: String::new(),
            source: Ok(source),
            damage: DamageLog::default(),
        }
    }

    /// A trace that cannot be unpacked, not even in part.
    pub(crate) fn refused(name: &str, reason: Reason) -> Self {
        Self {
            name: name.to_owned(),
            source: Err(reason),
            damage: DamageLog::default(),
        }
    }
}

/// What all traces of an archive may take together.
pub(crate) struct Room {
    limit_bytes: u64,
    left_bytes: u64,
}

impl Room {
    pub(crate) fn of(limit_bytes: u64) -> Self {
        Self {
            limit_bytes,
            left_bytes: limit_bytes,
        }
    }

    fn take(&mut self, bytes: u64) -> Result<(), Reason> {
        let left_bytes = self.left_bytes.checked_sub(bytes);
        self.left_bytes = left_bytes.ok_or(Reason::TooLarge {
            limit_bytes: self.limit_bytes,
        })?;
        Ok(())
    }

    /// Reads unwanted data up to its end. That takes time, and so room.
    pub(crate) fn pass(&mut self, mut packed: impl Read) -> Result<(), Reason> {
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            match next_part(&mut packed, &mut chunk)? {
                [] => return Ok(()),
                part => self.take(part.len() as u64)?,
            }
        }
    }
}

/// A trace whose first bytes are unpacked.
pub(crate) struct Unpacking {
    name: String,
    format: &'static str,
    file: File,
    written: u64,
    /// Its size, where the archive tells it beforehand.
    size_bytes: Option<u64>,
    damage: DamageLog,
    refusal: Option<Reason>,
}

impl Unpacking {
    pub(crate) fn new(
        name: &str,
        format: &'static str,
        size_bytes: Option<u64>,
    ) -> Result<Self, Reason> {
        Ok(Self {
            name: name.to_owned(),
            format,
            file: tempfile::tempfile()?,
            written: 0,
            size_bytes,
            damage: DamageLog::default(),
            refusal: None,
        })
    }

    /// Takes the next bytes, and their number off `room`.
    pub(crate) fn take(&mut self, part: &[u8], room: &mut Room) -> Result<(), Reason> {
        let part_bytes = part.len() as u64;
        room.take(part_bytes)?;
        self.file
            .write_all(part)
            .map_err(|error| unpack_limit::refused(error, self.written))?;
        self.written += part_bytes;
        Ok(())
    }

    /// Notes why no more can be unpacked. What is unpacked is kept.
    pub(crate) fn cut(&mut self, error: &io::Error) {
        if self.size_bytes == Some(self.written) {
            return;
        }
        if self.written == 0 {
            self.refusal = Some(refusal(self.format, error));
            return;
        }
        let kind = DamageKind::ArchiveCut {
            unpacked_bytes: self.written,
            reason: error.to_string(),
        };
        self.damage.record(self.written, kind);
    }

    pub(crate) fn finish(self) -> Member {
        let source = match self.refusal {
            Some(reason) => Err(reason),
            None => Source::from_file(self.file).map_err(Reason::from),
        };
        Member {
            name: self.name,
            source,
            damage: self.damage,
        }
    }
}

/// The next bytes of what is unpacked; none at its end.
pub(crate) fn next_part<'a>(packed: &mut impl Read, chunk: &'a mut [u8]) -> io::Result<&'a [u8]> {
    loop {
        match packed.read(chunk) {
            Ok(count) => return Ok(chunk.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
