//! Columns of one batch, made of its facts.

use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Int8Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Int8Array, PrimitiveArray, StringArray,
};
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

/// Numbers, all of which are there.
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
    let values: PrimitiveArray<T> = facts.iter().map(value).collect();
    Column {
        name,
        is_nullable: true,
        values: Arc::new(values),
    }
}

/// Yes or no, or missing.
pub fn flags<F>(name: &'static str, facts: &[F], value: impl Fn(&F) -> Option<bool>) -> Column {
    let values: BooleanArray = facts.iter().map(value).collect();
    Column {
        name,
        is_nullable: true,
        values: Arc::new(values),
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
        let keys: Int8Array = facts.iter().map(known).collect();
        let names: ArrayRef = self.0.clone();
        Ok(Column {
            name,
            is_nullable: true,
            values: Arc::new(DictionaryArray::<Int8Type>::try_new(keys, names)?),
        })
    }
}
