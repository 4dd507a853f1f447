//! Columns of one batch, made of its facts.

use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Int8Type};
use arrow_array::{Array, ArrayRef, BooleanArray, DictionaryArray, PrimitiveArray, StringArray};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{ArrowError, Field};

/// A column: its name, its values, and whether some of them may be missing.
#[derive(Clone, Debug)]
pub struct Column {
    name: &'static str,
    is_nullable: bool,
    pub(crate) values: ArrayRef,
}

impl Column {
    /// Its name and type.
    pub fn field(&self) -> Field {
        let data_type = self.values.data_type().clone();
        Field::new(self.name, data_type, self.is_nullable)
    }
}

/// Numbers. None is missing.
pub fn numbers<T: ArrowPrimitiveType, F>(
    name: &'static str,
    facts: &[F],
    value: impl Fn(&F) -> T::Native,
) -> Column {
    let values = PrimitiveArray::<T>::from_iter_values(facts.iter().map(value));
    Column {
        name,
        is_nullable: false,
        values: Arc::new(values),
    }
}

/// Numbers that may be missing.
pub fn maybe_numbers<T: ArrowPrimitiveType, F>(
    name: &'static str,
    facts: &[F],
    value: impl Fn(&F) -> Option<T::Native>,
) -> Column {
    Column {
        name,
        is_nullable: true,
        values: Arc::new(maybe::<T, F>(facts, value)),
    }
}

/// Values that may be missing. Bits of 64 rows are put together in one number: arrow-rs sets one bit after the other.
fn maybe<T: ArrowPrimitiveType, F>(
    facts: &[F],
    value: impl Fn(&F) -> Option<T::Native>,
) -> PrimitiveArray<T> {
    let mut values = Vec::with_capacity(facts.len());
    let present = bits(facts, |fact| {
        let value = value(fact);
        values.push(value.unwrap_or_default());
        value.is_some()
    });
    PrimitiveArray::new(values.into(), nulls(present))
}

/// A bit for each fact.
fn bits<F>(facts: &[F], mut is_set: impl FnMut(&F) -> bool) -> BooleanBuffer {
    let words = facts.chunks(64).map(|facts| {
        let bits = facts.iter().enumerate();
        bits.fold(0, |word, (bit, fact)| word | u64::from(is_set(fact)) << bit)
            .to_le()
    });
    let words: Vec<u64> = words.collect();
    BooleanBuffer::new(words.into(), 0, facts.len())
}

/// Which values are missing; `None` where none is.
fn nulls(present: BooleanBuffer) -> Option<NullBuffer> {
    Some(NullBuffer::new(present)).filter(|nulls| nulls.null_count() > 0)
}

/// Yes or no, or missing.
pub fn flags<F>(name: &'static str, facts: &[F], value: impl Fn(&F) -> Option<bool>) -> Column {
    let is_set = bits(facts, |fact| value(fact) == Some(true));
    let present = bits(facts, |fact| value(fact).is_some());
    Column {
        name,
        is_nullable: true,
        values: Arc::new(BooleanArray::new(is_set, nulls(present))),
    }
}

/// Texts, or missing.
pub fn texts<'f, F>(
    name: &'static str,
    facts: &'f [F],
    value: impl Fn(&'f F) -> Option<&'f str>,
) -> Column {
    let values: StringArray = facts.iter().map(value).collect();
    Column {
        name,
        is_nullable: true,
        values: Arc::new(values),
    }
}

/// Numbers as texts in hexadecimal, or missing.
pub fn hex<F>(name: &'static str, facts: &[F], value: impl Fn(&F) -> Option<u64>) -> Column {
    let texts = facts
        .iter()
        .map(|fact| Some(format!("{:#x}", value(fact)?)));
    let values: StringArray = texts.collect();
    Column {
        name,
        is_nullable: true,
        values: Arc::new(values),
    }
}

/// The texts that a column may have: the same in all batches of a file.
#[derive(Clone, Debug)]
pub struct Names(Arc<StringArray>);

impl Names {
    /// At most 127 of them.
    pub fn new(names: impl IntoIterator<Item = &'static str>) -> Self {
        Self(Arc::new(StringArray::from_iter_values(names)))
    }

    /// A column of these names, by their numbers; missing where there is no such name.
    ///
    /// # Errors
    /// If there are more names than a column can tell apart.
    pub fn column<F>(
        &self,
        name: &'static str,
        facts: &[F],
        number: impl Fn(&F) -> Option<u8>,
    ) -> Result<Column, ArrowError> {
        let count = self.0.len();
        let known = |fact: &F| {
            let number = number(fact).filter(|number| usize::from(*number) < count)?;
            i8::try_from(number).ok()
        };
        let keys = maybe::<Int8Type, F>(facts, known);
        let names: ArrayRef = self.0.clone();
        Ok(Column {
            name,
            is_nullable: true,
            values: Arc::new(DictionaryArray::<Int8Type>::try_new(keys, names)?),
        })
    }
}
