//! Extended data items, between an `EVENT_HEADER` and its payload (§2.2).

use crate::bytes;

/// Types of extended items, as in [`ExtendedItem::item_type`].
pub mod extended_type {
    /// Related activity id: a GUID.
    pub const RELATED_ACTIVITY_ID: u16 = 1;
    /// SID of the user.
    pub const SID: u16 = 2;
    /// Terminal-services session: u32.
    pub const SESSION: u16 = 3;
    /// Instance: u32 id, u32 id of the parent, GUID of the parent's class.
    pub const INSTANCE: u16 = 4;
    /// Stack with 32-bit addresses: u64 match id, then the frames.
    pub const STACK_32: u16 = 5;
    /// Stack with 64-bit addresses: u64 match id, then the frames.
    pub const STACK_64: u16 = 6;
    /// Index of a record of processor event-based sampling: u64.
    pub const PEBS_INDEX: u16 = 7;
    /// Hardware counters: u64 each.
    pub const PMC_COUNTERS: u16 = 8;
    /// Key of an application's process state, of unknown layout.
    pub const PSM_KEY: u16 = 9;
    /// Event key: u64.
    pub const EVENT_KEY: u16 = 0x0A;
    /// Description of a TraceLogging event.
    pub const TRACE_LOGGING_SCHEMA: u16 = 0x0B;
    /// Provider name and traits.
    pub const PROVIDER_TRAITS: u16 = 0x0C;
    /// Process start key: u64.
    pub const PROCESS_START_KEY: u16 = 0x0D;
    /// GUID that controls the provider.
    pub const CONTROL_GUID: u16 = 0x0E;
    /// Offset of the performance counter: i64.
    pub const QPC_DELTA: u16 = 0x0F;
    /// Container id: 8-bit text.
    pub const CONTAINER_ID: u16 = 0x10;
    /// Stack as a 32-bit key: u64 match id, u32 key, u32 padding.
    pub const STACK_KEY_32: u16 = 0x11;
    /// Stack as a 64-bit key: u64 match id, u64 key.
    pub const STACK_KEY_64: u16 = 0x12;
}

const ITEM_HEADER_BYTES: usize = 8;
const MOST_ITEMS: usize = 64;
const ANOTHER_FOLLOWS: u16 = 1;

/// One item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtendedItem<'a> {
    /// One of [`extended_type`].
    pub item_type: u16,
    /// Its data.
    pub data: &'a [u8],
}

/// The items of one event, in file order.
#[derive(Clone, Debug)]
pub struct ExtendedItems<'a> {
    rest: &'a [u8],
}

impl<'a> ExtendedItems<'a> {
    pub(crate) fn new(items: &'a [u8]) -> Self {
        Self { rest: items }
    }
}

impl<'a> Iterator for ExtendedItems<'a> {
    type Item = ExtendedItem<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let (item, size, _) = item(self.rest)?;
        self.rest = self.rest.get(size..)?;
        Some(item)
    }
}

/// How far the items reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measure {
    pub(crate) total_bytes: usize,
    pub(crate) has_trace_logging_schema: bool,
}

/// Measures the items at the start of `body`; `None` where one leads nowhere (§7 row 24).
pub(crate) fn measure(body: &[u8]) -> Option<Measure> {
    let mut total_bytes = 0;
    let mut has_trace_logging_schema = false;
    for _ in 0..MOST_ITEMS {
        let (item, size, another) = item(body.get(total_bytes..)?)?;
        total_bytes += size;
        has_trace_logging_schema |= item.item_type == extended_type::TRACE_LOGGING_SCHEMA;
        if !another {
            return Some(Measure {
                total_bytes,
                has_trace_logging_schema,
            });
        }
    }
    None
}

/// The first item, its whole size, and whether another follows.
fn item(bytes: &[u8]) -> Option<(ExtendedItem<'_>, usize, bool)> {
    let size = usize::from(bytes::u16_at(bytes, 0)?);
    let item_type = bytes::u16_at(bytes, 2)?;
    let another = bytes::u16_at(bytes, 4)? & ANOTHER_FOLLOWS != 0;
    let data_bytes = usize::from(bytes::u16_at(bytes, 6)?);
    let data = bytes
        .get(..size)?
        .get(ITEM_HEADER_BYTES..)?
        .get(..data_bytes)?;
    Some((ExtendedItem { item_type, data }, size, another))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIVITY_THEN_SCHEMA: [u8; 32] = [
        16, 0, 1, 0, 1, 0, 4, 0, 0xA, 0xB, 0xC, 0xD, 0, 0, 0,
        0, // related activity, another follows
        16, 0, 0xB, 0, 0, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, // schema, last
    ];

    #[test]
    fn items_are_measured_and_listed() {
        let mut body = ACTIVITY_THEN_SCHEMA.to_vec();
        body.extend(b"payload");
        assert_eq!(
            measure(&body),
            Some(Measure {
                total_bytes: 32,
                has_trace_logging_schema: true
            })
        );
        let items: Vec<_> = ExtendedItems::new(&ACTIVITY_THEN_SCHEMA).collect();
        assert_eq!(
            items,
            [
                ExtendedItem {
                    item_type: 1,
                    data: &[0xA, 0xB, 0xC, 0xD]
                },
                ExtendedItem {
                    item_type: 0xB,
                    data: &[1, 2, 3, 4, 5, 6, 7, 8]
                },
            ]
        );
    }

    #[test]
    fn items_that_lead_nowhere_are_refused() {
        let zero_size = [0, 0, 1, 0, 1, 0, 0, 0];
        let past_end = [16, 0, 1, 0, 0, 0, 4, 0, 1, 2, 3, 4];
        let data_past_item = [8, 0, 1, 0, 0, 0, 1, 0, 9];
        let endless = [8, 0, 1, 0, 1, 0, 0, 0].repeat(MOST_ITEMS + 1);
        for body in [
            &zero_size[..],
            &past_end,
            &data_past_item,
            &endless,
            &ACTIVITY_THEN_SCHEMA[..20],
        ] {
            assert_eq!(measure(body), None);
        }
        let most = [
            [8, 0, 1, 0, 1, 0, 0, 0].repeat(MOST_ITEMS - 1),
            vec![8, 0, 1, 0, 0, 0, 0, 0],
        ]
        .concat();
        assert_eq!(measure(&most).map(|m| m.total_bytes), Some(8 * MOST_ITEMS));
    }
}
