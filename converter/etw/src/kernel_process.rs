//! Processes and threads as `Microsoft-Windows-Kernel-Process` describes them. A recording without the kernel's own
//! session has nothing else about them.
//!
//! Source: the provider's manifest; `ProcessStart` and `ProcessStop` of version 1 read back from files of Windows 8.

use etl::Guid;

use crate::payload::{Payload, PointerWidth, Short, Wide};
use crate::thread::Thread;

/// The provider.
pub const KERNEL_PROCESS_PROVIDER: Guid = Guid::new(0x22fb2cd6_0e7b_422b_a0c7_2fad1fd0e716);

/// What a `ProcessStart`, `ProcessStop` or `ProcessRundown` says about its process. A field is `None` where the event
/// or its version does not have it, or the payload ends before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProviderProcess<'a> {
    /// Process id.
    pub pid: u32,
    /// Id of the creator, which may be stale.
    pub parent_pid: Option<u32>,
    /// Terminal-services session.
    pub session: Option<u32>,
    /// Exit code, at its end.
    pub exit_code: Option<u32>,
    /// Path of the image.
    pub image_path: Option<Wide<'a>>,
    /// Full name of the app package.
    pub package: Option<Wide<'a>>,
    /// Application id within the package.
    pub application: Option<Wide<'a>>,
}

impl<'a> ProviderProcess<'a> {
    /// Decodes a `ProcessStart` or `ProcessRundown` of any version.
    ///
    /// # Errors
    /// [`Short`] if the process id is not there.
    pub fn decode_start(version: u8, bytes: &'a [u8]) -> Result<Self, Short> {
        let (mut process, mut payload) = Self::with_pid(bytes)?;
        let _ = decode_start_rest(version, &mut payload, &mut process);
        Ok(process)
    }

    /// Decodes a `ProcessStop`; of versions above 1 only the process id is known.
    ///
    /// # Errors
    /// [`Short`] if the process id is not there.
    pub fn decode_stop(version: u8, bytes: &'a [u8]) -> Result<Self, Short> {
        let (mut process, mut payload) = Self::with_pid(bytes)?;
        if version <= 1 && payload.take(CREATE_AND_EXIT_TIME_BYTES).is_some() {
            process.exit_code = payload.u32();
        }
        Ok(process)
    }

    fn with_pid(bytes: &'a [u8]) -> Result<(Self, Payload<'a>), Short> {
        let mut payload = Payload::new(bytes);
        let pid = payload.u32().ok_or(Short {
            needed_bytes: 4,
            found_bytes: bytes.len(),
        })?;
        let process = Self {
            pid,
            ..Self::default()
        };
        Ok((process, payload))
    }
}

const CREATE_AND_EXIT_TIME_BYTES: usize = 16;

fn decode_start_rest<'a>(
    version: u8,
    payload: &mut Payload<'a>,
    process: &mut ProviderProcess<'a>,
) -> Option<()> {
    let has_sequence_numbers = version >= 3;
    if has_sequence_numbers {
        payload.u64()?;
    }
    let _create_time = payload.u64()?;
    process.parent_pid = Some(payload.u32()?);
    if has_sequence_numbers {
        payload.u64()?;
    }
    process.session = Some(payload.u32()?);
    if version >= 1 {
        let _flags = payload.u32()?;
    }
    if version >= 3 {
        let _elevation_type = payload.u32()?;
        let _is_elevated = payload.u32()?;
        let _mandatory_label = payload.sid()?;
    }
    process.image_path = Some(payload.wide()?);
    if version >= 2 {
        let _checksum = payload.u32()?;
        let _timestamp = payload.u32()?;
        process.package = Some(payload.wide()?);
        process.application = Some(payload.wide()?);
    }
    Some(())
}

/// Decodes a `ThreadStart` or `ThreadStop` of any version.
///
/// # Errors
/// [`Short`] if the two ids are not there.
pub fn decode_provider_thread(
    version: u8,
    width: PointerWidth,
    bytes: &[u8],
) -> Result<Thread<'_>, Short> {
    let mut payload = Payload::new(bytes);
    let (Some(pid), Some(tid)) = (payload.u32(), payload.u32()) else {
        return Err(Short {
            needed_bytes: 8,
            found_bytes: bytes.len(),
        });
    };
    // Two stacks of a base and a limit each, and the address at which the kernel begins the thread.
    let before = payload.take(5 * width.bytes());
    let start_address = before.and_then(|_| payload.pointer(width));
    let _teb = payload.pointer(width);
    Ok(Thread {
        pid,
        tid,
        start_address,
        sub_process_tag: if version >= 1 { payload.u32() } else { None },
        ..Thread::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u8> {
        let units = text.encode_utf16().chain([0]);
        units.flat_map(u16::to_le_bytes).collect()
    }

    /// Start or rundown of process 8, child of 4, in session 1.
    fn start(version: u8) -> Vec<u8> {
        let mut bytes = 8_u32.to_le_bytes().to_vec();
        let sequence: &[u8] = if version >= 3 { &[9; 8] } else { &[] };
        bytes.extend([sequence, &[7; 8], &4_u32.to_le_bytes(), sequence].concat());
        bytes.extend(1_u32.to_le_bytes());
        if version >= 1 {
            bytes.extend([0xF0; 4]);
        }
        if version >= 3 {
            bytes.extend([2, 0, 0, 0, 1, 0, 0, 0]);
            bytes.extend([1, 1, 0, 0, 0, 0, 0, 16, 0, 0x30, 0, 0]);
        }
        bytes.extend(wide(r"\Device\HarddiskVolume3\a.exe"));
        if version >= 2 {
            bytes.extend([3; 8]);
            bytes.extend([wide("Pack_1"), wide("App")].concat());
        }
        bytes
    }

    #[test]
    fn starts_of_all_versions() {
        for version in 0..=4 {
            let bytes = start(version);
            let process = ProviderProcess::decode_start(version, &bytes).unwrap();
            let texts = [process.image_path, process.package, process.application];
            let path = Some(r"\Device\HarddiskVolume3\a.exe".to_owned());
            let expected = match version {
                0 | 1 => [path, None, None],
                _ => [path, Some("Pack_1".to_owned()), Some("App".to_owned())],
            };
            assert_eq!(texts.map(|text| text.map(Wide::to_text)), expected);
            let ids = (process.pid, process.parent_pid, process.session);
            assert_eq!(ids, (8, Some(4), Some(1)), "version {version}");
        }
        let bytes = start(1);
        let cut = ProviderProcess::decode_start(1, &bytes[..18]).unwrap();
        assert_eq!((cut.parent_pid, cut.session), (Some(4), None));
        assert!(ProviderProcess::decode_start(1, &[8, 0, 0]).is_err());
    }

    #[test]
    fn a_stop_has_an_exit_code_where_its_layout_is_known() {
        let bytes = [&8_u32.to_le_bytes()[..], &[7; 16], &[5, 0, 0, 0], &[1; 40]].concat();
        let codes = [0, 1, 2].map(|version| {
            let process = ProviderProcess::decode_stop(version, &bytes).unwrap();
            assert_eq!(process.pid, 8);
            process.exit_code
        });
        assert_eq!(codes, [Some(5), Some(5), None]);
    }

    #[test]
    fn a_thread_has_its_start_address_and_its_service_tag() {
        let mut bytes = [8_u32, 12].map(u32::to_le_bytes).concat();
        bytes.extend((1_u64..=7).flat_map(u64::to_le_bytes));
        bytes.extend(77_u32.to_le_bytes());
        let of = |version, bytes| decode_provider_thread(version, PointerWidth::Bits64, bytes);
        let expected = Thread {
            pid: 8,
            tid: 12,
            start_address: Some(6),
            sub_process_tag: Some(77),
            ..Thread::default()
        };
        assert_eq!(of(1, &bytes), Ok(expected));
        let of_version_0 = Thread {
            sub_process_tag: None,
            ..expected
        };
        assert_eq!(of(0, &bytes), Ok(of_version_0));
        assert!(of(1, &bytes[..7]).is_err());
    }
}
