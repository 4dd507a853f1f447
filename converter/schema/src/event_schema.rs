//! One kind of event: what it is called and how its payload lies.

use etl::Guid;

use crate::layout::Layout;

/// Which events a schema is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SchemaKey {
    /// Events of a manifest provider.
    Manifest {
        /// The provider.
        provider: Guid,
        /// The event's id.
        id: u16,
    },
    /// Events of a class, in its classic GUID form.
    Classic {
        /// The event class.
        class: Guid,
        /// The type within the class.
        event_type: u8,
    },
}

/// Names and payload of one kind of event. A name is `None` where the source of the schema has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventSchema {
    /// Name of the provider; empty if unknown.
    pub provider_name: Box<str>,
    /// GUID of the group of providers that the provider belongs to.
    pub provider_group: Option<Guid>,
    /// What to call the event: its own name, else `Task/Opcode`, else `Event <id>`.
    pub name: Box<str>,
    /// Name of the task.
    pub task: Option<Box<str>>,
    /// Name of the opcode.
    pub opcode: Option<Box<str>>,
    /// Names of the keywords.
    pub keywords: Box<[Box<str>]>,
    /// Tags of a TraceLogging event: 28 bits that the provider gives a meaning.
    pub tags: u32,
    /// How the payload lies.
    pub layout: Layout,
}

/// `win:Start`, a name of winmeta.xml, as `Start`.
pub(crate) fn plain_name(name: &str) -> &str {
    name.strip_prefix("win:").unwrap_or(name)
}

/// The name of an event that has none of its own. The opcode "Info" says nothing and is left out.
pub(crate) fn composed_name(id: u16, task: Option<&str>, opcode: Option<&str>) -> Box<str> {
    let opcode = opcode.filter(|opcode| *opcode != "Info");
    match (task, opcode) {
        (Some(task), Some(opcode)) => format!("{task}/{opcode}").into(),
        (Some(name), None) | (None, Some(name)) => name.into(),
        (None, None) => format!("Event {id}").into(),
    }
}
