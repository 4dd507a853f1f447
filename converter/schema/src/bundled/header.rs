//! What an event's header says in addition to its descriptor: its activity, and extended data items (§2.2).

use std::sync::LazyLock;

use etl::extended_type as item;

use super::table::{Column, columns, layout};
use crate::layout::Layout;

static ACTIVITY: LazyLock<Layout> = LazyLock::new(|| layout(columns![ActivityId: Guid]));

/// The items by their types. Stacks and descriptions are no fields of an event.
const ITEMS: &[(u16, &[Column])] = &[
    (item::RELATED_ACTIVITY_ID, columns![RelatedActivityId: Guid]),
    (item::SID, columns![UserSID: Sid]),
    (item::SESSION, columns![SessionId: U32]),
    (
        item::INSTANCE,
        columns![InstanceId: U32, ParentInstanceId: U32, ParentGuid: Guid],
    ),
    (item::PEBS_INDEX, columns![PebsIndex: U64]),
    (item::PMC_COUNTERS, columns![PmcCounters: Rest]),
    (item::PSM_KEY, columns![PsmKey: Rest]),
    (item::EVENT_KEY, columns![EventKey: Hex64]),
    (item::PROCESS_START_KEY, columns![ProcessStartKey: Hex64]),
    (item::CONTROL_GUID, columns![ControlGuid: Guid]),
    (item::QPC_DELTA, columns![QpcDelta: I64]),
    (item::CONTAINER_ID, columns![ContainerId: Text8]),
];

static LAYOUTS: LazyLock<Box<[Option<Layout>]>> = LazyLock::new(|| {
    let layout_of = |wanted| {
        let found = ITEMS.iter().find(|(item_type, _)| *item_type == wanted);
        found.map(|(_, columns)| layout(columns))
    };
    (0..=item::STACK_KEY_64).map(layout_of).collect()
});

/// Layout of the activity id, 16 bytes.
pub(crate) fn activity() -> &'static Layout {
    &ACTIVITY
}

/// Layout of an extended data item; `None` if it is no field of its event, or unknown.
pub(crate) fn extended_item(item_type: u16) -> Option<&'static Layout> {
    LAYOUTS.get(usize::from(item_type))?.as_ref()
}
