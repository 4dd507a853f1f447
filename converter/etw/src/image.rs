//! Images (programs, libraries, drivers) that are loaded, unloaded, or listed by a rundown; versions 0 to 3.
//!
//! Source: MOF class `Image_V0` and later; `ntwmi.h`; read back from files of Windows Vista to 11.

use crate::payload::{Payload, PointerWidth, Short, Wide};
use crate::stack_walk::is_kernel_address;

/// An image at its place in memory. A field is `None` where the version has it not or the payload ends before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Image<'a> {
    /// Address of its first byte.
    pub base: u64,
    /// Size in memory in bytes.
    pub size_bytes: u64,
    /// Whether it lies in the kernel's half of the address space, where it belongs to every process.
    pub is_kernel: bool,
    /// Process that it is loaded into; 0 for the kernel's.
    pub pid: Option<u32>,
    /// Checksum in its header.
    pub checksum: Option<u32>,
    /// Time stamp in its header; 0 where the kernel did not look it up, as in rundowns of user images.
    pub timestamp: Option<u32>,
    /// Its file, as `\Device\HarddiskVolume2\Windows\…`.
    pub file_name: Option<Wide<'a>>,
}

impl<'a> Image<'a> {
    /// Decodes with the header's pointer width, or with another layout if only that ends in a file name at the payload's
    /// end: some tools write 64-bit payloads under 32-bit headers, or a short size.
    ///
    /// # Errors
    /// [`Short`] if base and size are not there.
    pub fn decode(version: u8, width: PointerWidth, bytes: &'a [u8]) -> Result<Self, Short> {
        let layouts = [
            (width, size_width(version, width)),
            (width.other(), size_width(version, width.other())),
            (PointerWidth::Bits64, PointerWidth::Bits32),
        ];
        let expected = decode_as(version, layouts[0], bytes);
        if expected.is_some_and(|(_, fits)| !fits) {
            let other = layouts
                .into_iter()
                .filter_map(|layout| decode_as(version, layout, bytes));
            for (image, fits) in other {
                if fits {
                    return Ok(image);
                }
            }
        }
        expected.map(|(image, _)| image).ok_or(Short {
            needed_bytes: Self::least_bytes(version, width),
            found_bytes: bytes.len(),
        })
    }

    /// Size in bytes of the least payload that [`Image::decode`] decodes: base and size.
    pub fn least_bytes(version: u8, width: PointerWidth) -> usize {
        width.bytes() + size_width(version, width).bytes()
    }
}

fn size_width(version: u8, width: PointerWidth) -> PointerWidth {
    match version {
        0 => PointerWidth::Bits32,
        _ => width,
    }
}

/// Decodes by one layout: widths of pointers and of the size. Answers too whether the payload fits it.
fn decode_as(
    version: u8,
    (width, size_width): (PointerWidth, PointerWidth),
    bytes: &[u8],
) -> Option<(Image<'_>, bool)> {
    let mut payload = Payload::new(bytes);
    let base = payload.pointer(width)?;
    let mut image = Image {
        base,
        size_bytes: payload.pointer(size_width)?,
        is_kernel: is_kernel_address(base, width),
        ..Image::default()
    };
    let whole = decode_rest(version, width, &mut payload, &mut image).is_some();
    let name_starts = image
        .file_name
        .and_then(Wide::first_unit)
        .is_some_and(|unit| (0x21..0x7f).contains(&unit));
    Some((image, whole && name_starts && payload.rest().len() < 2))
}

fn decode_rest<'a>(
    version: u8,
    width: PointerWidth,
    payload: &mut Payload<'a>,
    image: &mut Image<'a>,
) -> Option<()> {
    if version >= 1 {
        image.pid = Some(payload.u32()?);
    }
    if version >= 2 {
        image.checksum = Some(payload.u32()?);
        image.timestamp = Some(payload.u32()?);
        let _signature = payload.u32()?;
        let _default_base = payload.pointer(width)?;
        payload.take(16)?;
    }
    image.file_name = payload.wide();
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &[u8] = b"\\\0n\0t\0\0\0";

    fn pointer(value: u64, width: PointerWidth) -> Vec<u8> {
        value.to_le_bytes()[..width.bytes()].to_vec()
    }

    fn version_3(width: PointerWidth) -> Vec<u8> {
        [
            &pointer(0xffff_f800_8260_0000, width)[..],
            &pointer(0x1000, width),
            &[4, 0, 0, 0, 0x11, 0, 0, 0, 0x22, 0, 0, 0, 8, 1, 0, 0],
            &pointer(0, width),
            &[0; 16],
            NAME,
        ]
        .concat()
    }

    fn seen(image: Image<'_>) -> (u64, u64, bool, Option<u32>, Option<u32>, String) {
        let name = image.file_name.map(Wide::to_text).unwrap_or_default();
        (
            image.base,
            image.size_bytes,
            image.is_kernel,
            image.pid,
            image.timestamp,
            name,
        )
    }

    #[test]
    fn version_3_in_both_widths() {
        for (width, base) in [
            (PointerWidth::Bits64, 0xffff_f800_8260_0000),
            (PointerWidth::Bits32, 0x8260_0000),
        ] {
            let bytes = version_3(width);
            let expected = (base, 0x1000, true, Some(4), Some(0x22), "\\nt".to_owned());
            assert_eq!(seen(Image::decode(3, width, &bytes).unwrap()), expected);
        }
    }

    #[test]
    fn a_64_bit_payload_under_a_32_bit_header_is_told_by_its_file_name() {
        let bytes = version_3(PointerWidth::Bits64);
        let image = Image::decode(3, PointerWidth::Bits32, &bytes).unwrap();
        assert_eq!(image.base, 0xffff_f800_8260_0000);
    }

    #[test]
    fn versions_0_and_1_have_less() {
        let v0 = [&[0, 0x10, 0, 0, 0, 2, 0, 0][..], NAME].concat();
        let image = Image::decode(0, PointerWidth::Bits32, &v0).unwrap();
        let name = "\\nt".to_owned();
        assert_eq!(
            seen(image),
            (0x1000, 0x200, false, None, None, name.clone())
        );
        let v1 = [&[0, 0x10, 0, 0, 0, 2, 0, 0, 9, 0, 0, 0][..], NAME].concat();
        let image = Image::decode(1, PointerWidth::Bits32, &v1).unwrap();
        assert_eq!(seen(image), (0x1000, 0x200, false, Some(9), None, name));
        assert_eq!(
            Image::decode(1, PointerWidth::Bits64, &v1[..9]),
            Err(Short {
                needed_bytes: 16,
                found_bytes: 9
            })
        );
    }
}
