//! What generic events say that becomes further facts, in addition to the events.

use etl::{Event, EventId};
use facts::Input;
use schema::{EventSchema, Scalar, Value, decode_fitting};

use super::focus::{FocusChange, input, is_input};
use super::services::{Listed, listed};
use crate::selection::StandingKind;

/// Where a CPU is: its group, and its number within that.
pub type Place = (Option<u16>, Option<u8>);

/// What one event says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A thread may run on certain CPUs of a group from here on.
    Affinity {
        /// The thread.
        tid: u32,
        /// The group.
        group: Option<u16>,
        /// Its CPUs, as bits.
        mask: u64,
    },
    /// Where the CPUs are, in the order of their numbers.
    Cpus(Vec<Place>),
    /// A process is frozen from here on, or no more.
    Freeze {
        /// The process.
        pid: u32,
        /// It is frozen.
        begins: bool,
    },
    /// Another process has the focus.
    Focus(FocusChange),
    /// The user did something.
    Input(Input),
    /// A process hosts a service.
    Service(Listed),
    /// The machine goes to sleep, or has woken.
    Sleep(SleepSign),
}

/// A sign that the machine goes to sleep or has woken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SleepSign {
    /// It goes to sleep.
    pub begins: bool,
    /// The kernel says so, not its provider.
    pub is_kernel: bool,
    /// The performance counter.
    pub counter: Option<i64>,
    /// How far that goes in a second.
    pub counter_hz: Option<i64>,
}

impl Note {
    /// Whether an event of this kind may say anything of the kind.
    pub fn may_be_in(id: EventId) -> bool {
        StandingKind::of(id).is_some() || is_input(id)
    }

    /// What an event says that has these fields, as JSON; `None` if it says nothing of this kind, or is too short to.
    pub fn of(event: &Event<'_>, schema: Option<&EventSchema>, fields: &[u8]) -> Option<Self> {
        let Some(kind) = StandingKind::of(event.id) else {
            return input(event.id, fields).map(Self::Input);
        };
        match kind {
            StandingKind::Focus => return FocusChange::of(fields).map(Self::Focus),
            StandingKind::Service => return listed(fields).map(Self::Service),
            _ => {}
        }
        let members = schema
            .map(|schema| decode_fitting(&schema.layout, event.payload, event.pointer_bytes))
            .unwrap_or_default();
        match kind {
            StandingKind::Affinity => Some(Self::Affinity {
                tid: number(&members, "ThreadId")?,
                group: number(&members, "Group"),
                mask: number(&members, "Affinity")?,
            }),
            StandingKind::Cpus => match member(&members, "Processors") {
                Some(Value::Array(places)) => Some(Self::Cpus(places.iter().map(place).collect())),
                _ => Some(Self::Cpus(Vec::new())),
            },
            StandingKind::Focus | StandingKind::Service => None,
            StandingKind::Freeze { begins } => Some(Self::Freeze {
                pid: number(&members, "FrozenProcessID")?,
                begins,
            }),
            StandingKind::Sleep { begins, is_kernel } => Some(Self::Sleep(SleepSign {
                begins,
                is_kernel,
                counter: number(&members, "PerformanceCounter").filter(|_| is_kernel),
                counter_hz: number(&members, "PerformanceFrequency").filter(|_| is_kernel),
            })),
        }
    }
}

type Members<'a> = [(&'a str, Value<'a>)];

fn member<'v>(members: &'v Members<'_>, wanted: &str) -> Option<&'v Value<'v>> {
    let found = members.iter().find(|(name, _)| *name == wanted);
    found.map(|(_, value)| value)
}

fn number<N: TryFrom<i128>>(members: &Members<'_>, wanted: &str) -> Option<N> {
    let wide = match member(members, wanted)? {
        Value::Scalar(Scalar::U64(number) | Scalar::Hex(number)) => i128::from(*number),
        Value::Scalar(Scalar::I64(number)) => i128::from(*number),
        _ => return None,
    };
    N::try_from(wide).ok()
}

fn place(value: &Value<'_>) -> Place {
    match value {
        Value::Struct(members) => (number(members, "Group"), number(members, "Number")),
        _ => (None, None),
    }
}
