//! The names of .NET methods: what a program is made of tells whose it is.

use redact::{Kind, Redactor, is_known_file};
use rustc_hash::FxHashSet;

use crate::methods::{MODULE_UNKNOWN, MethodName, Methods};

/// Beginnings of namespaces that come with .NET.
const KNOWN_NAMESPACES: [&str; 3] = ["System.", "Microsoft.", "Interop."];

/// Redacts the names of methods, part by part, and the paths of their files. Methods that come with .NET keep theirs.
pub fn redact_methods(methods: &mut Methods, redactor: &Redactor) {
    let mut known = FxHashSet::default();
    let mut paths = FxHashSet::default();
    for name in methods.method_names() {
        paths.insert(name.module);
        if comes_with_net(methods, name) {
            known.extend([name.namespace, name.name]);
        }
    }
    let renamed = methods.names().replaced(|id, text| {
        let kind = if paths.contains(&id) {
            Kind::Paths
        } else {
            Kind::Names
        };
        if text == MODULE_UNKNOWN || (known.contains(&id) && kind == Kind::Names) {
            return text.into();
        }
        redactor.text(kind, text).unwrap_or_default()
    });
    methods.rename(renamed);
}

/// Whether a method is one of the files that come with .NET. Not so where types of others are its type arguments, nor for
/// methods that are generated at run time, which stand in the name of such a file.
fn comes_with_net(methods: &Methods, name: MethodName) -> bool {
    let [namespace, method] = [name.namespace, name.name].map(|part| methods.names().text(part));
    is_known_file(methods.module(name.module))
        && KNOWN_NAMESPACES
            .iter()
            .any(|known| namespace.starts_with(known))
        && !namespace.contains(['[', '<'])
        && !method.contains(['[', '<'])
}
