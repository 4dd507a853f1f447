//! Names that come with Windows: they tell nothing about who recorded.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// Names of images, services, sessions and hardware counters; one a line, lower case.
const NAMES: &str = include_str!("known-names.txt");
/// Extensions that so many files have that they tell nothing.
const EXTENSIONS: &[&str] = &[
    "acm", "ax", "bat", "bin", "blf", "bmp", "cab", "cat", "cfg", "cmd", "com", "config", "cpl",
    "cs", "css", "csv", "dat", "db", "dll", "dmp", "docx", "drv", "edb", "efi", "etl", "evtx",
    "exe", "gif", "h", "html", "ico", "inf", "ini", "jpg", "js", "json", "jsx", "lib", "lnk",
    "lock", "log", "manifest", "md", "msi", "mui", "mum", "node", "nls", "obj", "ocx", "pdb",
    "pdf", "pf", "png", "pnf", "pptx", "pri", "ps1", "py", "pyd", "rll", "scr", "sdb", "sqlite",
    "svg", "sys", "tlb", "tmp", "ts", "ttf", "txt", "url", "vbs", "vhdx", "winmd", "xlsx", "xml",
    "yml", "zip",
];
/// Accounts that every Windows has.
const SIDS: &[&str] = &["S-1-0-0", "S-1-1-0", "S-1-5-18", "S-1-5-19", "S-1-5-20"];
/// Groups of accounts and virtual accounts that every Windows has: the numbers behind count sessions or name built-in groups.
const SID_PREFIXES: &[&str] = &["S-1-5-32-", "S-1-5-90-0-", "S-1-5-96-0-"];
const PROVIDER_PREFIXES: &[&str] = &["microsoft-", "microsoft.", "windows kernel", "windows-"];

static KNOWN: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let lines = NAMES.lines().filter(|line| !line.starts_with('#'));
    lines.filter(|line| !line.is_empty()).collect()
});

/// Whether a name, without a folder, comes with Windows.
pub fn is_known(name: &str) -> bool {
    KNOWN.contains(name.to_lowercase().as_str())
}

/// Whether many files have an extension.
pub fn is_known_extension(extension: &str) -> bool {
    EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str())
}

/// Whether a SID is the same on every machine.
pub fn is_known_sid(sid: &str) -> bool {
    SIDS.contains(&sid) || SID_PREFIXES.iter().any(|prefix| sid.starts_with(prefix))
}

/// Whether a provider is Microsoft's, by its name.
pub fn is_known_provider(provider: &str) -> bool {
    let lower = provider.to_ascii_lowercase();
    let is_microsofts = PROVIDER_PREFIXES
        .iter()
        .any(|prefix| lower.starts_with(prefix));
    is_microsofts || is_known(provider)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_lower_case_and_without_doubles() {
        let mut sections = Vec::new();
        for line in NAMES.lines().filter(|line| !line.is_empty()) {
            if line.starts_with('#') {
                sections.push(Vec::new());
            } else {
                assert_eq!(line, line.to_lowercase());
                sections
                    .last_mut()
                    .expect("a heading comes first")
                    .push(line);
            }
        }
        for names in sections {
            assert!(names.is_sorted_by(|one, next| one < next), "{names:?}");
        }
        assert!(is_known("NTDLL.dll") && !is_known("acme.dll"));
    }
}
