//! A file in a ZIP archive that was written as a stream: its sizes and its checksum stand after it, in a descriptor.
//!
//! Source: APPNOTE.TXT of PKWARE, 4.3.7 (local file header) and 4.3.9 (data descriptor).

use std::io::{self, BufRead, ErrorKind, Read, Seek, SeekFrom};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use crate::bytes::{u16_at, u32_at};

const HEADER_MAGIC: u32 = 0x0403_4B50;
const HEADER_BYTES: usize = 30;
/// May stand before a descriptor.
const DESCRIPTOR_MAGIC: u32 = 0x0807_4B50;
const IS_ENCRYPTED: u16 = 1;
const HAS_DESCRIPTOR: u16 = 8;
const DEFLATED: u16 = 8;

/// Gives the content; at its end the archive is at what comes after the descriptor.
pub(crate) struct StreamedFile<R> {
    /// Its name in the archive.
    pub(crate) name: String,
    packed: DeflateDecoder<R>,
    checksum: Crc,
    is_done: bool,
}

impl<R: BufRead + Seek> StreamedFile<R> {
    /// The file that begins here. `None` if none does, or one whose end only its sizes tell; then the archive stays where it is.
    ///
    /// # Errors
    /// Fails if the archive ends in the header.
    pub(crate) fn at(mut archive: R) -> io::Result<Option<Self>> {
        let start = archive.stream_position()?;
        let mut header = [0; HEADER_BYTES];
        archive.read_exact(&mut header)?;
        let half = |at| u16_at(&header, at).unwrap_or(0);
        let (flags, method) = (half(6), half(8));
        let is_streamed = u32_at(&header, 0) == Some(HEADER_MAGIC)
            && flags & (HAS_DESCRIPTOR | IS_ENCRYPTED) == HAS_DESCRIPTOR
            && method == DEFLATED;
        if !is_streamed {
            archive.seek(SeekFrom::Start(start))?;
            return Ok(None);
        }
        let mut name = vec![0; half(26).into()];
        archive.read_exact(&mut name)?;
        archive.seek_relative(half(28).into())?;
        Ok(Some(Self {
            name: String::from_utf8_lossy(&name).into_owned(),
            packed: DeflateDecoder::new(archive),
            checksum: Crc::new(),
            is_done: false,
        }))
    }
}

impl<R: BufRead> StreamedFile<R> {
    /// Reads the descriptor: checksum, packed size, size, both sizes of 4 or 8 bytes.
    fn check(&mut self) -> io::Result<()> {
        let (packed_bytes, bytes) = (self.packed.total_in(), self.packed.total_out());
        let archive = self.packed.get_mut();
        let mut checksum = read_u32(archive)?;
        if checksum == DESCRIPTOR_MAGIC {
            checksum = read_u32(archive)?;
        }
        let packed_low = read_u32(archive)?;
        let next = read_u32(archive)?;
        let found = if next == bytes as u32 {
            packed_low == packed_bytes as u32
        } else {
            let (low, high) = (read_u32(archive)?, read_u32(archive)?);
            let wide = |low, high| u64::from(low) | u64::from(high) << u32::BITS;
            (wide(packed_low, next), wide(low, high)) == (packed_bytes, bytes)
        };
        if found && checksum == self.checksum.sum() {
            return Ok(());
        }
        let reason = "its size or checksum is not that which stands after it";
        Err(io::Error::new(ErrorKind::InvalidData, reason))
    }
}

impl<R: BufRead> Read for StreamedFile<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.packed.read(out)?;
        self.checksum.update(out.get(..count).unwrap_or_default());
        if count == 0 && !out.is_empty() && !self.is_done {
            self.check()?;
            self.is_done = true;
        }
        Ok(count)
    }
}

fn read_u32(from: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    use super::*;

    const CONTENT: &[u8] = b"content of a trace";

    /// A file `a.etl` with this descriptor, then `next`, which is no header.
    fn archive(flags: u16, method: u16, descriptor: &[&[u8]]) -> Vec<u8> {
        let mut header = vec![0; HEADER_BYTES];
        header[..4].copy_from_slice(&HEADER_MAGIC.to_le_bytes());
        for (at, half) in [(6, flags), (8, method), (26, 5), (28, 3)] {
            header[at..at + 2].copy_from_slice(&half.to_le_bytes());
        }
        [
            &header,
            &b"a.etlxyz"[..],
            &packed(),
            &descriptor.concat(),
            b"next",
        ]
        .concat()
    }

    fn packed() -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(CONTENT).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_descriptor_has_sizes_of_4_or_8_bytes_and_may_begin_with_its_signature() {
        let mut crc = Crc::new();
        crc.update(CONTENT);
        let crc = crc.sum().to_le_bytes();
        let sizes = [packed().len(), CONTENT.len()];
        let short = sizes.map(|size| (size as u32).to_le_bytes()).concat();
        let long = sizes.map(|size| (size as u64).to_le_bytes()).concat();
        for descriptor in [
            [&crc[..], &short],
            [&crc, &long],
            [b"PK\x07\x08", &[&crc[..], &short].concat()],
            [b"PK\x07\x08", &[&crc[..], &long].concat()],
        ] {
            let mut archive = Cursor::new(archive(HAS_DESCRIPTOR, DEFLATED, &descriptor));
            let mut file = StreamedFile::at(&mut archive).unwrap().unwrap();
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            assert_eq!((&*file.name, &*content), ("a.etl", CONTENT));
            let mut next = String::new();
            archive.read_to_string(&mut next).unwrap();
            assert_eq!(next, "next", "{descriptor:?}");
        }
        let wrong = archive(HAS_DESCRIPTOR, DEFLATED, &[&[0; 4], &short]);
        let mut file = StreamedFile::at(Cursor::new(wrong)).unwrap().unwrap();
        let mut content = Vec::new();
        let error = file.read_to_end(&mut content).unwrap_err();
        assert_eq!(content, CONTENT);
        assert_eq!(
            error.to_string(),
            "its size or checksum is not that which stands after it"
        );
    }

    #[test]
    fn a_file_whose_end_only_its_sizes_tell_is_left_where_it_is() {
        for (flags, method) in [
            (0, DEFLATED),
            (HAS_DESCRIPTOR, 0),
            (HAS_DESCRIPTOR | IS_ENCRYPTED, DEFLATED),
        ] {
            let mut archive = Cursor::new(archive(flags, method, &[]));
            assert!(StreamedFile::at(&mut archive).unwrap().is_none());
            assert_eq!(archive.position(), 0, "{flags} {method}");
        }
    }
}
