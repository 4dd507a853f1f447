//! `etw_event_stack`: the stacks of events other than samples.

use arrow_array::types::{Int64Type, UInt16Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::{EventStack, StackOf, StackedKind};

use crate::column::{Column, Names, maybe_numbers, numbers};
use crate::table::Table;

/// The table, with the names of its kinds.
#[derive(Debug)]
pub struct EventStacks {
    kinds: Names,
}

impl Default for EventStacks {
    fn default() -> Self {
        let kinds = Names::new(StackedKind::ALL.map(StackedKind::name));
        Self { kinds }
    }
}

impl Table for EventStacks {
    type Fact = EventStack;
    const NAME: &'static str = "etw_event_stack";

    fn columns(&self, stacks: &[EventStack]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<Int64Type, _>("ts", stacks, |s| s.ts_ns.cast_signed()),
            maybe_numbers::<UInt16Type, _>("cpu", stacks, |s| s.cpu),
            numbers::<UInt32Type, _>("utid", stacks, |s| s.thread.utid),
            self.kinds
                .column("kind", stacks, |s| s.of.kind().map(|kind| kind as u8))?,
            maybe_numbers::<UInt16Type, _>("event_id", stacks, |s| match s.of {
                StackOf::Kernel(hook) => Some(hook),
                StackOf::Unknown | StackOf::Provider => None,
            }),
            maybe_numbers::<UInt32Type, _>("callsite", stacks, |s| s.callsite),
        ])
    }

    fn span_ns(stack: &EventStack) -> Option<(u64, u64)> {
        // An instant lasts 1 ns.
        Some((stack.ts_ns, stack.ts_ns + 1))
    }
}
