//! Thread start, end and rundown, versions 0 to 4, and thread names.
//!
//! Source: MOF class `Thread_V0_TypeGroup1` and later; `ntwmi.h`; read back from files of Windows 7 to 11. Windows 10 and
//! 11 say version 3 and append a name: the length decides.

use crate::payload::{Payload, PointerWidth, Short, Wide};

/// What a thread start, end or rundown event says about its thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thread<'a> {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Start address in user mode (`Win32StartAddr`).
    pub start_address: Option<u64>,
    /// Processors of its group that it may run on, as bits; from version 3 on.
    pub affinity: Option<u64>,
    /// Tag of the service that the thread works for; see the `SysConfig` service records.
    pub sub_process_tag: Option<u32>,
    /// 0 to 31.
    pub base_priority: Option<u8>,
    /// 0 to 7.
    pub page_priority: Option<u8>,
    /// 0 very low, 1 low, 2 normal, 3 high, 4 critical.
    pub io_priority: Option<u8>,
    /// The thread's description.
    pub name: Option<Wide<'a>>,
}

impl<'a> Thread<'a> {
    /// Decodes with the header's pointer width.
    ///
    /// # Errors
    /// [`Short`] if the two ids are not there.
    pub fn decode(version: u8, width: PointerWidth, bytes: &'a [u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        let (Some(first), Some(second)) = (payload.u32(), payload.u32()) else {
            return Err(Short {
                needed_bytes: 8,
                found_bytes: bytes.len(),
            });
        };
        let mut thread = Self::default();
        (thread.pid, thread.tid) = if version == 0 {
            (second, first)
        } else {
            (first, second)
        };
        if version >= 1 {
            // The layout may end anywhere: an end event of version 1 has only the ids.
            let _ = decode_rest(version, width, &mut payload, &mut thread);
        }
        Ok(thread)
    }
}

fn decode_rest<'a>(
    version: u8,
    width: PointerWidth,
    payload: &mut Payload<'a>,
    thread: &mut Thread<'a>,
) -> Option<()> {
    for _stack_bound in 0..4 {
        payload.pointer(width)?;
    }
    let affinity = payload.pointer(width)?;
    // Before version 3 this is an address in the kernel, and no thread is without a processor.
    thread.affinity = (version >= 3 && affinity != 0).then_some(affinity);
    thread.start_address = Some(payload.pointer(width)?);
    if version >= 2 {
        let _teb = payload.pointer(width)?;
        thread.sub_process_tag = Some(payload.u32()?);
    }
    if version >= 3 {
        thread.base_priority = Some(payload.u8()?);
        thread.page_priority = Some(payload.u8()?);
        thread.io_priority = Some(payload.u8()?);
        let _flags = payload.u8()?;
        thread.name = payload.wide();
    }
    Some(())
}

/// A thread is given a name (hook 0548).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadName<'a> {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Its name from now on.
    pub name: Wide<'a>,
}

impl<'a> ThreadName<'a> {
    /// Decodes version 2, which has no pointers.
    ///
    /// # Errors
    /// [`Short`] if the ids are not there.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        match (payload.u32(), payload.u32()) {
            (Some(pid), Some(tid)) => Ok(Self {
                pid,
                tid,
                name: payload.wide().unwrap_or_default(),
            }),
            _ => Err(Short {
                needed_bytes: 8,
                found_bytes: bytes.len(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v3(width: PointerWidth, name: &[u8]) -> Vec<u8> {
        let pointers: Vec<u8> = (1..=7_u8)
            .flat_map(|n| {
                let mut pointer = vec![n];
                pointer.resize(width.bytes(), 0);
                pointer
            })
            .collect();
        [
            &[4, 0, 0, 0, 8, 0, 0, 0][..],
            &pointers,
            &[9, 0, 0, 0],
            &[8, 5, 2, 0],
            name,
        ]
        .concat()
    }

    #[test]
    fn version_3_in_both_widths_with_and_without_a_name() {
        for width in [PointerWidth::Bits32, PointerWidth::Bits64] {
            let bytes = v3(width, &[]);
            let expected = Thread {
                pid: 4,
                tid: 8,
                start_address: Some(6),
                affinity: Some(5),
                sub_process_tag: Some(9),
                base_priority: Some(8),
                page_priority: Some(5),
                io_priority: Some(2),
                name: None,
            };
            assert_eq!(Thread::decode(3, width, &bytes), Ok(expected));
            let named = v3(width, b"u\0i\0\0\0");
            let name = Thread::decode(3, width, &named).unwrap().name;
            assert_eq!(name.map(Wide::to_text).as_deref(), Some("ui"));
        }
    }

    #[test]
    fn version_0_has_the_ids_the_other_way_round() {
        let thread = Thread::decode(0, PointerWidth::Bits32, &[8, 0, 0, 0, 4, 0, 0, 0]);
        assert_eq!(
            thread,
            Ok(Thread {
                pid: 4,
                tid: 8,
                ..Thread::default()
            })
        );
    }

    #[test]
    fn an_end_event_of_version_1_has_only_ids() {
        let thread = Thread::decode(1, PointerWidth::Bits64, &[4, 0, 0, 0, 8, 0, 0, 0]);
        assert_eq!(
            thread,
            Ok(Thread {
                pid: 4,
                tid: 8,
                ..Thread::default()
            })
        );
        assert_eq!(
            Thread::decode(1, PointerWidth::Bits64, &[4, 0, 0, 0, 8, 0, 0]),
            Err(Short {
                needed_bytes: 8,
                found_bytes: 7
            })
        );
    }

    #[test]
    fn a_name_is_set() {
        let bytes = [&[4, 0, 0, 0, 8, 0, 0, 0][..], b"r\0x\0\0\0"].concat();
        let set = ThreadName::decode(&bytes).unwrap();
        assert_eq!(
            (set.pid, set.tid, set.name.to_text().as_str()),
            (4, 8, "rx")
        );
    }
}
