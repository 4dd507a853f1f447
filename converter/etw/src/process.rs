//! Process start, end and rundown, versions 0 to 5.
//!
//! Source: MOF class `Process_V0_TypeGroup1` and later; `ntwmi.h`; read back from files of Windows 7 to 11.

use crate::payload::{Ansi, Payload, PointerWidth, Short, Sid, Wide};

/// What a process start, end, rundown or defunct event says about its process. A field is `None` where the version does
/// not have it, or the payload ends before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Process<'a> {
    /// `EPROCESS` address, the same in all events of one incarnation.
    pub unique_key: Option<u64>,
    /// Process id.
    pub pid: u32,
    /// Id of the creator, which may be stale.
    pub parent_pid: u32,
    /// Terminal-services session; 0xFFFFFFFF for Idle and System.
    pub session: Option<u32>,
    /// NTSTATUS; 259 while the process runs.
    pub exit_status: Option<u32>,
    /// 1 has an application id, 2 WOW64, 4 protected, 8 packaged.
    pub flags: Option<u32>,
    /// The user.
    pub sid: Option<Sid<'a>>,
    /// File name of the image, without path.
    pub image_name: Option<Ansi<'a>>,
    /// The whole command line.
    pub command_line: Option<Wide<'a>>,
    /// Full name of the app package.
    pub package: Option<Wide<'a>>,
    /// Application id within the package.
    pub application: Option<Wide<'a>>,
}

impl<'a> Process<'a> {
    /// Decodes with the header's pointer width, or with the other one if only that gives an event without a break: some
    /// tools write 64-bit payloads under 32-bit headers.
    ///
    /// # Errors
    /// [`Short`] if the process ids are not there.
    pub fn decode(version: u8, width: PointerWidth, payload: &'a [u8]) -> Result<Self, Short> {
        let expected = decode_as(version, width, payload);
        if matches!(expected, Some((_, Fit::Whole))) {
            return expected
                .map(|(process, _)| process)
                .ok_or(short(version, width, payload));
        }
        match decode_as(version, width.other(), payload) {
            Some((process, Fit::Whole)) => Ok(process),
            _ => expected
                .map(|(process, _)| process)
                .ok_or(short(version, width, payload)),
        }
    }
}

/// Whether a layout explains the payload to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Whole,
    Broken,
}

fn short(version: u8, width: PointerWidth, payload: &[u8]) -> Short {
    let needed_bytes = if version == 0 {
        2 * width.bytes()
    } else {
        width.bytes() + 8
    };
    Short {
        needed_bytes,
        found_bytes: payload.len(),
    }
}

fn decode_as(version: u8, width: PointerWidth, bytes: &[u8]) -> Option<(Process<'_>, Fit)> {
    let mut payload = Payload::new(bytes);
    let mut process = Process::default();
    if version == 0 {
        process.pid = payload.pointer(width)? as u32;
        process.parent_pid = payload.pointer(width)? as u32;
    } else {
        process.unique_key = Some(payload.pointer(width)?);
        process.pid = payload.u32()?;
        process.parent_pid = payload.u32()?;
    }
    let whole = decode_rest(version, width, &mut payload, &mut process);
    let fit = match whole {
        Some(()) if payload.rest().is_empty() => Fit::Whole,
        _ => Fit::Broken,
    };
    Some((process, fit))
}

fn decode_rest<'a>(
    version: u8,
    width: PointerWidth,
    payload: &mut Payload<'a>,
    process: &mut Process<'a>,
) -> Option<()> {
    if version >= 1 {
        process.session = Some(payload.u32()?);
        process.exit_status = Some(payload.u32()?);
    }
    if version >= 3 {
        payload.pointer(width)?;
    }
    if version >= 4 {
        process.flags = Some(payload.u32()?);
    }
    process.sid = user_sid(width, payload)?;
    process.image_name = Some(payload.ansi()?);
    if version >= 2 {
        process.command_line = Some(payload.wide()?);
    }
    if version >= 4 {
        process.package = Some(payload.wide()?);
        process.application = Some(payload.wide()?);
    }
    if version >= 5 {
        payload.u64()?;
    }
    Some(())
}

/// A `TOKEN_USER` of two pointers and the SID, or a zero `u32` for no SID. The outer `None` means neither.
fn user_sid<'a>(width: PointerWidth, payload: &mut Payload<'a>) -> Option<Option<Sid<'a>>> {
    let mut ahead = *payload;
    let token_user = ahead.take(2 * width.bytes());
    let is_zero = token_user.is_none_or(|bytes| bytes.starts_with(&[0; 4]));
    // The pointers are leftovers, which some tools write as zero: only a SID behind them tells.
    let sid = ahead.sid();
    if !is_zero
        || (sid.is_some() && token_user.is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0)))
    {
        *payload = ahead;
        return sid.map(Some);
    }
    payload.u32()?;
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u8> {
        text.encode_utf16()
            .chain([0])
            .flat_map(u16::to_le_bytes)
            .collect()
    }

    fn v3_bits64() -> Vec<u8> {
        [
            &0xffff_8000_1234_5678_u64.to_le_bytes()[..],
            &4242_u32.to_le_bytes(),
            &4_u32.to_le_bytes(),
            &1_u32.to_le_bytes(),
            &259_u32.to_le_bytes(),
            &0x1000_u64.to_le_bytes(),
            &[0xaa; 16],
            &[1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0],
            b"LockApp.exe\0",
            &wide("LockApp.exe -x"),
        ]
        .concat()
    }

    fn texts(process: &Process<'_>) -> (Option<String>, Option<String>, Option<String>) {
        (
            process.sid.map(|sid| sid.to_string()),
            process.image_name.map(|name| name.to_text().into_owned()),
            process.command_line.map(Wide::to_text),
        )
    }

    #[test]
    fn version_3_with_a_user() {
        let bytes = v3_bits64();
        let process = Process::decode(3, PointerWidth::Bits64, &bytes).unwrap();
        assert_eq!(
            (
                process.pid,
                process.parent_pid,
                process.session,
                process.exit_status
            ),
            (4242, 4, Some(1), Some(259))
        );
        assert_eq!(
            texts(&process),
            (
                Some("S-1-5-18".into()),
                Some("LockApp.exe".into()),
                Some("LockApp.exe -x".into())
            )
        );
    }

    #[test]
    fn a_64_bit_payload_under_a_32_bit_header_is_recognised() {
        let bytes = v3_bits64();
        assert_eq!(
            Process::decode(3, PointerWidth::Bits32, &bytes),
            Process::decode(3, PointerWidth::Bits64, &bytes)
        );
    }

    #[test]
    fn a_user_behind_zero_pointers_is_found() {
        let mut bytes = v3_bits64();
        bytes[0x20..0x30].fill(0);
        assert_eq!(
            Process::decode(3, PointerWidth::Bits64, &bytes).map(|process| texts(&process).0),
            Ok(Some("S-1-5-18".into()))
        );
    }

    #[test]
    fn a_cut_payload_gives_the_fields_before_the_cut() {
        let bytes = v3_bits64();
        let process = Process::decode(3, PointerWidth::Bits64, &bytes[..20]).unwrap();
        assert_eq!(
            process,
            Process {
                unique_key: Some(0xffff_8000_1234_5678),
                pid: 4242,
                parent_pid: 4,
                session: Some(1),
                ..Process::default()
            }
        );
        assert_eq!(
            Process::decode(3, PointerWidth::Bits64, &bytes[..12]),
            Err(Short {
                needed_bytes: 16,
                found_bytes: 12
            })
        );
    }

    #[test]
    fn version_4_without_a_user_has_package_and_application() {
        let bytes = [
            &[0; 8][..],
            &8_u32.to_le_bytes(),
            &[0; 12],
            &[0; 8],
            &8_u32.to_le_bytes(),
            &0_u32.to_le_bytes(),
            b"a.exe\0",
            &wide("a"),
            &wide("pack"),
            &wide("app"),
        ]
        .concat();
        let process = Process::decode(4, PointerWidth::Bits64, &bytes).unwrap();
        assert_eq!(process.flags, Some(8));
        assert_eq!(process.package.map(Wide::to_text).as_deref(), Some("pack"));
        assert_eq!(
            process.application.map(Wide::to_text).as_deref(),
            Some("app")
        );
    }
}
