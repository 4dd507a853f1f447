//! User names and SIDs inside texts that are kept otherwise.

use crate::pseudonym::Key;

/// Puts pseudonyms for the names of profile folders (`\Users\name`) and for the SIDs of accounts (`S-1-5-21-…`, `S-1-12-1-…`).
pub fn hide_users(key: &Key, text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(rest) = lower.get(at..).filter(|rest| !rest.is_empty()) {
        let step = rest.chars().next().map_or(1, char::len_utf8);
        let found = account_at(rest).or_else(|| profile_at(rest));
        let Some((before, length)) = found.filter(|(_, length)| *length > 0) else {
            at += step;
            continue;
        };
        let (from, until) = (at + before, at + before + length);
        out.push_str(text.get(done..from).unwrap_or_default());
        out.push_str(&key.pseudonym(text.get(from..until).unwrap_or_default()));
        (done, at) = (until, until);
    }
    if done == 0 {
        return None;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Some(out)
}

/// The SID of an account at the start of a text: where it begins and how long it is.
fn account_at(text: &str) -> Option<(usize, usize)> {
    let prefix = ["s-1-5-21-", "s-1-12-1-"]
        .into_iter()
        .find(|prefix| text.starts_with(prefix))?;
    let rest = text.get(prefix.len()..)?;
    let length = rest
        .find(|c: char| !c.is_ascii_digit() && c != '-')
        .unwrap_or(rest.len());
    Some((0, prefix.len() + length))
}

/// The name of a profile folder behind `\users\` at the start of a text.
fn profile_at(text: &str) -> Option<(usize, usize)> {
    let rest = text.strip_prefix(['\\', '/'])?.strip_prefix("users")?;
    let name = rest.trim_start_matches(['\\', '/']);
    let before = text.len() - name.len();
    if rest.len() == name.len() {
        return None;
    }
    let length = name
        .find(['\\', '/', '"', '\'', ';', ',', '|', '<', '>', '*', '?', ':'])
        .unwrap_or(name.len());
    Some((before, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_and_accounts_are_found_inside_texts() {
        let key = Key::random().unwrap();
        let (joe, sid) = (key.pseudonym("Joe Doe"), key.pseudonym("S-1-5-21-1-2-1001"));
        assert_eq!(
            hide_users(
                &key,
                r#""C:\Users\Joe Doe\a.exe" /u S-1-5-21-1-2-1001 C:/Users/Joe Doe"#
            ),
            Some(format!(r#""C:\Users\{joe}\a.exe" /u {sid} C:/Users/{joe}"#))
        );
        assert_eq!(hide_users(&key, r"C:\Users\"), None);
        assert_eq!(hide_users(&key, "S-1-5-18 \u{130}\\usersé"), None);
    }
}
