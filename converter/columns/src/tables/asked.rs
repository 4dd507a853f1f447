//! What requests have in common: who asked, and for what.

use arrow_array::types::{Int64Type, UInt16Type, UInt32Type};
use facts::Asked;

use crate::column::{Column, maybe_numbers};

/// The columns of who asked for what, in their order.
pub fn asked<F>(facts: &[F], of: impl Fn(&F) -> &Asked) -> [Column; 6] {
    [
        maybe_numbers::<UInt16Type, _>("cpu", facts, |fact| of(fact).cpu),
        maybe_numbers::<UInt32Type, _>("utid", facts, |fact| of(fact).utid),
        maybe_numbers::<UInt32Type, _>("upid", facts, |fact| of(fact).upid),
        maybe_numbers::<UInt32Type, _>("file", facts, |fact| of(fact).file),
        maybe_numbers::<Int64Type, _>("byte_offset", facts, |fact| {
            Some(of(fact).byte_offset?.cast_signed())
        }),
        maybe_numbers::<UInt32Type, _>("size_bytes", facts, |fact| of(fact).size_bytes),
    ]
}

/// The stack of who asked.
pub fn callsite<F>(facts: &[F], of: impl Fn(&F) -> &Asked) -> Column {
    maybe_numbers::<UInt32Type, _>("callsite", facts, |fact| of(fact).callsite)
}
