//! `etw_input`: what the user did with keyboard and mouse.

use arrow_array::types::Int64Type;
use arrow_schema::ArrowError;
use facts::Input;

use crate::column::{Column, Names, maybe_numbers, texts};
use crate::table::{Table, ts};

/// The table, with the names of its kinds.
#[derive(Debug)]
pub struct Inputs {
    kinds: Names,
}

impl Default for Inputs {
    fn default() -> Self {
        let kinds = Names::new([
            "mouse_down",
            "mouse_up",
            "mouse_move",
            "mouse_wheel",
            "key_down",
        ]);
        Self { kinds }
    }
}

impl Table for Inputs {
    type Fact = Input;
    const NAME: &'static str = "etw_input";

    fn columns(&self, inputs: &[Input]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            ts::<Self>(inputs),
            self.kinds
                .column("kind", inputs, |input| Some(input.kind))?,
            maybe_numbers::<Int64Type, _>("code", inputs, |input| input.code),
            texts("key_name", inputs, |input| input.key_name.as_deref()),
            maybe_numbers::<Int64Type, _>("x", inputs, |input| input.x),
            maybe_numbers::<Int64Type, _>("y", inputs, |input| input.y),
        ])
    }

    fn span_ns(input: &Input) -> Option<(u64, u64)> {
        // An instant lasts 1 ns.
        Some((input.ts_ns, input.ts_ns + 1))
    }
}
