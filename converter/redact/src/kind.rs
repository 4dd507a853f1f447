//! Kinds of text by what they can tell about who recorded a trace.

use crate::choices::Action;

/// What a text can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Names of processes, threads, services, packages and sessions.
    Names,
    /// Command lines and their arguments.
    CommandLines,
    /// User names and SIDs.
    Users,
    /// Paths of files, images, devices and registry keys.
    Paths,
    /// Titles and classes of windows.
    Titles,
    /// Keys that were pressed, and the parameters of window messages, which may hold them.
    Keys,
    /// Names and addresses of machines.
    Hosts,
    /// Names of providers that do not come with Windows, of their events and fields.
    Providers,
    /// Any other text, GUID or run of bytes in an event.
    Fields,
}

impl Kind {
    /// All, with the names that the user gives them.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Names, "names"),
        (Self::CommandLines, "command-lines"),
        (Self::Users, "users"),
        (Self::Paths, "paths"),
        (Self::Titles, "titles"),
        (Self::Keys, "keys"),
        (Self::Hosts, "hosts"),
        (Self::Providers, "providers"),
        (Self::Fields, "fields"),
    ];

    /// What is done with it unless the user says otherwise: a pseudonym where only whether two are the same counts.
    pub fn usual_action(self) -> Action {
        match self {
            Self::Names | Self::Users | Self::Paths | Self::Hosts | Self::Providers => {
                Action::Pseudonym
            }
            Self::CommandLines | Self::Titles | Self::Keys | Self::Fields => Action::Remove,
        }
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

const COMMAND_LINES: &[&str] = &["commandline", "cmdline", "argument", "parameter"];
const USERS: &[&str] = &[
    "user",
    "sid",
    "account",
    "logon",
    "owner",
    "principal",
    "identity",
];
const HOSTS: &[&str] = &[
    "computer",
    "machine",
    "host",
    "domain",
    "server",
    "dns",
    "url",
    "uri",
    "address",
    "addr",
    "ipv4",
    "ipv6",
    "nicdesc",
    "adapter",
    "interface",
    "ssid",
    "endpoint",
    "client",
    "site",
];
const TITLES: &[&str] = &[
    "title",
    "caption",
    "windowtext",
    "windowclass",
    "windowname",
    "classname",
];
const KEYS: &[&str] = &[
    "keyname",
    "virtualkey",
    "vkey",
    "keycode",
    "scancode",
    "makecode",
    "keystroke",
    "character",
];
const PATHS: &[&str] = &[
    "path", "file", "folder", "director", "image", "module", "dll", "pdb", "volume", "device",
    "drive", "registry", "key", "binary",
];
const NAMES: &[&str] = &[
    "process",
    "thread",
    "service",
    "package",
    "application",
    "appid",
    "session",
    "task",
    "displayname",
];

/// The kind of a text, by the event and the field that hold it.
pub fn text_kind(event: &str, field: &str) -> Kind {
    let field = plain(field);
    let has = |words: &[&str]| words.iter().any(|word| field.contains(word));
    if field == "keyname" && plain(event).contains("registry") {
        Kind::Paths
    } else if has(COMMAND_LINES) {
        Kind::CommandLines
    } else if has(KEYS) {
        Kind::Keys
    } else if has(TITLES) {
        Kind::Titles
    } else if has(USERS) {
        Kind::Users
    } else if has(PATHS) {
        Kind::Paths
    } else if has(HOSTS) {
        Kind::Hosts
    } else if has(NAMES) {
        Kind::Names
    } else {
        Kind::Fields
    }
}

/// Numbers that tell which key was pressed; window messages carry it as their parameters.
const KEY_NUMBERS: &[&str] = &[
    "virtualkey",
    "virtualkeycode",
    "vkey",
    "vkcode",
    "keycode",
    "scancode",
    "makecode",
    "wparam",
    "lparam",
    "charcode",
    "unicode",
    "usage",
    "keychar",
];
/// Numbers that name a machine.
const HOST_NUMBERS: &[&str] = &[
    "physicaladdr",
    "physicaladdress",
    "macaddress",
    "mac",
    "ipaddress",
    "ipv4address",
    "localaddress",
    "remoteaddress",
    "sourceaddress",
    "destaddress",
    "destinationaddress",
    "localaddr",
    "remoteaddr",
    "daddr",
    "saddr",
    "serialnumber",
];
/// Numbers that name a user.
const USER_NUMBERS: &[&str] = &["logonid", "userid", "authenticationid", "rid"];

/// The kind of a number that tells more than numbers do, by its field; `None` for all others.
pub fn number_kind(field: &str) -> Option<Kind> {
    let field = plain(field);
    let is = |words: &[&str]| words.contains(&field.as_str());
    if is(KEY_NUMBERS) {
        Some(Kind::Keys)
    } else if is(HOST_NUMBERS) {
        Some(Kind::Hosts)
    } else if is(USER_NUMBERS) {
        Some(Kind::Users)
    } else {
        None
    }
}

/// Lower case, letters and digits only: `Virtual key code` is `virtualkeycode`.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_tell_their_kind_by_their_names() {
        let expected = [
            ("FileIo/Create", "OpenPath", Kind::Paths),
            ("Registry/Open", "KeyName", Kind::Paths),
            ("UIforETW-Input/KeyDown", "KeyName", Kind::Keys),
            ("Process/Start", "CommandLine", Kind::CommandLines),
            ("SysConfig/CPU", "ComputerName", Kind::Hosts),
            ("SysConfig/Services", "ServiceName", Kind::Names),
            (
                "Microsoft-Windows-Win32k/InputProcessDelay",
                "TopLevelWindowClass",
                Kind::Titles,
            ),
            ("Some/Event", "UserName", Kind::Users),
            ("Some/Event", "Message", Kind::Fields),
        ];
        for (event, field, kind) in expected {
            assert_eq!(text_kind(event, field), kind, "{event} {field}");
        }
    }

    #[test]
    fn numbers_that_are_keys_or_addresses_are_known_by_their_fields() {
        assert_eq!(number_kind("Virtual key code"), Some(Kind::Keys));
        assert_eq!(number_kind("WParam"), Some(Kind::Keys));
        assert_eq!(number_kind("PhysicalAddr"), Some(Kind::Hosts));
        assert_eq!(number_kind("ThreadId"), None);
    }
}
