//! A method of a .NET program: where its code is, and what it is called.

use super::names::NameId;

/// The code of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Address of its first byte.
    pub start: u64,
    /// Size in bytes.
    pub size_bytes: u32,
    /// What it is called.
    pub name: MethodName,
}

/// What a method is called. Two methods of the same name in the same file are the same function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MethodName {
    /// Its type, with namespaces and type arguments.
    pub namespace: NameId,
    /// Its name in the type.
    pub name: NameId,
    /// Path of the file that it comes from.
    pub module: NameId,
}

impl Method {
    /// Address after its last byte.
    pub fn end(&self) -> u64 {
        self.start.saturating_add(self.size_bytes.into())
    }

    /// Whether two events are about the same code. They may name its file by two paths.
    pub fn is_same_code(&self, other: &Self) -> bool {
        let of = |method: &Self| {
            let MethodName {
                namespace, name, ..
            } = method.name;
            (method.start, method.size_bytes, namespace, name)
        };
        of(self) == of(other)
    }
}
