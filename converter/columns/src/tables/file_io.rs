//! `etw_file_io`: operations on files.

use arrow_array::types::Int64Type;
use arrow_schema::ArrowError;
use facts::FileIo;

use super::asked::{asked, callsite};
use crate::column::{Column, Names, hex, maybe_numbers};
use crate::table::{Table, ts};

/// The table, with the names of its kinds.
#[derive(Debug)]
pub struct FileIos {
    kinds: Names,
}

/// The type of the event of the first kind.
const FIRST_TYPE: u8 = 0x40;

impl Default for FileIos {
    fn default() -> Self {
        let kinds = Names::new([
            "create",
            "cleanup",
            "close",
            "read",
            "write",
            "set_info",
            "delete",
            "rename",
            "dir_enum",
            "flush",
            "query_info",
            "fs_control",
            "operation_end",
            "dir_notify",
            "create_new",
            "delete_path",
            "rename_path",
            "link_path",
        ]);
        Self { kinds }
    }
}

impl Table for FileIos {
    type Fact = FileIo;
    const NAME: &'static str = "etw_file_io";

    fn columns(&self, ios: &[FileIo]) -> Result<Vec<Column>, ArrowError> {
        let mut columns = vec![
            ts::<Self>(ios),
            maybe_numbers::<Int64Type, _>("dur", ios, |io| {
                Some(io.end?.te_ns.saturating_sub(io.ts_ns).cast_signed())
            }),
            self.kinds
                .column("kind", ios, |io| io.event_type.checked_sub(FIRST_TYPE))?,
        ];
        columns.extend(asked(ios, |io| &io.asked));
        columns.extend([
            maybe_numbers::<Int64Type, _>("done", ios, |io| Some(io.end?.done?.cast_signed())),
            hex("status", ios, |io| Some(io.end?.status?.into())),
            hex("irp", ios, |io| io.irp),
            callsite(ios, |io| &io.asked),
        ]);
        Ok(columns)
    }

    fn span_ns(io: &FileIo) -> Option<(u64, u64)> {
        let te_ns = io.end.map_or(io.ts_ns, |end| end.te_ns);
        Some((io.ts_ns, te_ns))
    }
}
