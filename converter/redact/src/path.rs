//! Names of files and paths, part by part: what comes with Windows stays, so that a path still tells its place.

use crate::known::{is_known, is_known_extension};
use crate::pseudonym::Key;

/// The parts of a path that tell no more than where Windows keeps something; lower case.
const PLACES: &[&str] = &[
    "",
    ".",
    "..",
    "?",
    "??",
    "$extend",
    "allusersprofile",
    "appdata",
    "assembly",
    "boot",
    "classes",
    "common files",
    "controlset001",
    "controlset002",
    "currentcontrolset",
    "currentversion",
    "desktop",
    "device",
    "documents",
    "downloads",
    "driverstore",
    "drivers",
    "efi",
    "etc",
    "explorer",
    "filerepository",
    "fonts",
    "globalroot",
    "hardware",
    "hkcu",
    "hklm",
    "hku",
    "hkcr",
    "inf",
    "internet explorer",
    "local",
    "locallow",
    "logs",
    "lxss",
    "machine",
    "microsoft",
    "microsoft shared",
    "microsoft.net",
    "mup",
    "policies",
    "prefetch",
    "program files",
    "program files (x86)",
    "programdata",
    "public",
    "registry",
    "roaming",
    "sam",
    "security",
    "servicing",
    "services",
    "setup",
    "software",
    "softwaredistribution",
    "syswow64",
    "system",
    "system volume information",
    "system32",
    "systemapps",
    "systemroot",
    "syswow64",
    "temp",
    "tmp",
    "user",
    "users",
    "wbem",
    "wdi",
    "windir",
    "windows",
    "windows defender",
    "windows nt",
    "windowsapps",
    "winevt",
    "winsxs",
    "wow6432node",
];
/// Folders of the component store: architecture, assembly, key, version and hash.
const SIDE_BY_SIDE: &[&str] = &[
    "amd64_microsoft",
    "arm64_microsoft",
    "wow64_microsoft",
    "x86_microsoft",
];
const VOLUMES: &[&str] = &[
    "harddiskvolume",
    "harddiskvolumeshadowcopy",
    "harddisk",
    "cdrom",
    "partition",
    "dr",
];

/// A path, with a pseudonym for each part that is not known.
pub fn path(key: &Key, path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut after_users = false;
    for piece in path.split_inclusive(['\\', '/']) {
        let part = piece.trim_end_matches(['\\', '/']);
        let is_account = after_users && !part.is_empty();
        if !is_account && (is_place(part) || is_known(part)) {
            out.push_str(part);
        } else {
            out.push_str(&name(key, part));
        }
        out.push_str(piece.get(part.len()..).unwrap_or_default());
        // A user may be called anything, even `temp` or `power`.
        after_users = part.eq_ignore_ascii_case("users") || (after_users && part.is_empty());
    }
    out
}

/// Whether the file that a path ends in comes with Windows, wherever it is.
pub fn is_known_file(path: &str) -> bool {
    path.rsplit(['\\', '/']).next().is_some_and(is_known)
}

/// A name of a file or a process: a pseudonym, behind which an extension that many have stays.
pub fn name(key: &Key, name: &str) -> String {
    let mut pseudonym = key.pseudonym(name);
    if let Some((_, extension)) = name.rsplit_once('.')
        && is_known_extension(extension)
    {
        pseudonym.push('.');
        pseudonym.push_str(&extension.to_ascii_lowercase());
    }
    pseudonym
}

fn is_place(part: &str) -> bool {
    let lower = part.to_lowercase();
    let is_drive = lower.len() == 2
        && lower.ends_with(':')
        && lower.starts_with(|c: char| c.is_ascii_lowercase());
    let digits = lower.trim_start_matches(|c: char| !c.is_ascii_digit());
    let is_number =
        !digits.is_empty() && digits.len() <= 3 && digits.chars().all(|c| c.is_ascii_digit());
    let stem = lower.strip_suffix(digits).unwrap_or_default();
    is_drive
        || PLACES.contains(&lower.as_str())
        || (is_number && VOLUMES.contains(&stem))
        || SIDE_BY_SIDE.iter().any(|prefix| lower.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path, with the pseudonyms told by the order in which they first come.
    fn shown(given: &str) -> String {
        let key = Key::random().unwrap();
        let mut out = path(&key, given);
        for (at, part) in given.split(['\\', '/']).enumerate() {
            out = out.replace(&key.pseudonym(part), &format!("<{at}>"));
        }
        out
    }

    #[test]
    fn a_path_keeps_its_shape_and_what_comes_with_windows() {
        let expected = [
            (
                r"C:\Windows\System32\ntdll.dll",
                r"C:\Windows\System32\ntdll.dll",
            ),
            (
                r"\Device\HarddiskVolume3\Windows\System32\drivers\acmevpn.sys",
                r"\Device\HarddiskVolume3\Windows\System32\drivers\<6>.sys",
            ),
            (
                r"C:\Users\Joe\AppData\Local\Temp\plan.docx",
                r"C:\Users\<2>\AppData\Local\Temp\<6>.docx",
            ),
            (r"C:\Users\Temp\x", r"C:\Users\<2>\<3>"),
            (r"\\fileserver\share\", r"\\<2>\<3>\"),
            ("plan.q3-secret", "<0>"),
            (
                r"\REGISTRY\MACHINE\SOFTWARE\Acme",
                r"\REGISTRY\MACHINE\SOFTWARE\<4>",
            ),
            ("", ""),
        ];
        for (given, redacted) in expected {
            assert_eq!(shown(given), redacted);
        }
    }
}
