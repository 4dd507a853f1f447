//! The forms that a table's file can have.

use std::fmt;
use std::str::FromStr;

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// An Arrow IPC file, not compressed: any part of it is read where it lies.
    #[default]
    Arrow,
    /// The same without `dur` where `ts` and `te` are, and without the keys of rows that are numbered: for readers that work them
    /// out.
    Lean,
    /// Parquet, compressed: smaller, for what reads whole columns.
    Parquet,
}

impl Form {
    /// Those that a user may choose.
    pub const ALL: [Self; 2] = [Self::Arrow, Self::Parquet];

    /// What it is called, which is also how names of files end.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arrow | Self::Lean => "arrow",
            Self::Parquet => "parquet",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|form| form.name() == name);
        known.ok_or_else(|| format!("expected {}", Self::ALL.map(Self::name).join(" or ")))
    }
}
