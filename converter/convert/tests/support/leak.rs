//! Looks in a written trace for what must not be there.

use std::collections::BTreeSet;

use aho_corasick::AhoCorasick;
use convert::Choices;

use super::packet_lines;

/// Those of some texts that are in a file: as they are, in UTF-16, in hex of both, or as arrays of numbers; whatever the
/// case.
pub fn present<'t>(texts: &[&'t str], trace: &[u8]) -> Vec<&'t str> {
    let forms: Vec<Vec<u8>> = texts.iter().flat_map(|text| forms(text)).collect();
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(&forms)
        .expect("the texts are few enough");
    let found: BTreeSet<usize> = automaton
        .find_overlapping_iter(trace)
        .map(|found| found.pattern().as_usize() / FORMS)
        .collect();
    found
        .into_iter()
        .filter_map(|at| texts.get(at).copied())
        .collect()
}

const FORMS: usize = 5;

fn forms(text: &str) -> [Vec<u8>; FORMS] {
    let text = text.to_ascii_lowercase();
    let wide: String = text.chars().flat_map(|c| [c, '\0']).collect();
    // Of UTF-16 the last zero may be cut.
    let [whole, cut] = [wide.as_str(), &wide[..wide.len() - 1]];
    [
        text.clone(),
        cut.to_owned(),
        hex(&text),
        hex(whole),
        decimal(&text),
    ]
    .map(String::into_bytes)
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// As an array of numbers.
fn decimal(text: &str) -> String {
    let numbers: Vec<String> = text.bytes().map(|byte| byte.to_string()).collect();
    numbers.join(",")
}

/// All words of at least four characters in the strings of a trace, lower case: parts of paths, names, JSON; no numbers.
pub fn words(trace: &[u8]) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for line in packet_lines(trace) {
        let mut within = false;
        let mut word = String::new();
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            let ends = match c {
                '"' => {
                    within = !within;
                    true
                }
                // What an escape stands for is no letter; the rest of a long one only adds to the word after it.
                '\\' => {
                    chars.next();
                    true
                }
                c => !within || !(c.is_ascii_alphanumeric() || "._-~$".contains(c)),
            };
            if !ends {
                word.push(c.to_ascii_lowercase());
            } else if !word.is_empty() {
                let is_word = word.len() >= 4
                    && word.chars().any(|c| c.is_ascii_alphabetic())
                    && !word.starts_with("0x");
                let taken = std::mem::take(&mut word);
                if is_word {
                    words.insert(taken);
                }
            }
        }
    }
    words
}

/// Such words, and names with common extensions behind them, can be parts of pseudonyms by chance.
fn is_short_hex(word: &str) -> bool {
    let stem = word.split_once('.').map_or(word, |(stem, _)| stem);
    stem.len() <= 12 && stem.chars().all(|c| c.is_ascii_hexdigit())
}

/// The words that a redaction let stay, after checking that no other word of the plain output is anywhere in the bytes
/// of the redacted one.
pub fn words_that_stay(plain: &[u8], redacted: &[u8]) -> Vec<String> {
    let (before, after) = (words(plain), words(redacted));
    let stay: Vec<String> = before.intersection(&after).cloned().collect();
    let done = Choices::all().to_string();
    let gone: Vec<&str> = before
        .difference(&after)
        .map(String::as_str)
        .filter(|word| !stay.iter().any(|stays| stays.contains(word)))
        .filter(|word| !is_short_hex(word))
        // What was done is told in the output.
        .filter(|word| !done.contains(word))
        .collect();
    let leaked = present(&gone, redacted);
    assert!(leaked.is_empty(), "still in the output: {leaked:?}");
    stay
}

/// The start of a GUID that is a pseudonym.
const GUID: &str = "7e7e7e7e-";

/// Pseudonyms by the order in which they first come, since their key is another each time.
pub fn numbered(text: &str) -> String {
    let mut seen: Vec<String> = Vec::new();
    let mut out = String::new();
    let guids = text.match_indices(GUID).map(|(at, _)| &text[at..at + 36]);
    let text = &guids.fold(text.to_owned(), |text, guid| {
        text.replace(guid, "<another GUID>")
    });
    let mut parts = text.split('~');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let pseudonym: String = part.chars().take(12).collect();
        let at = seen.iter().position(|known| *known == pseudonym);
        let at = at.unwrap_or_else(|| {
            seen.push(pseudonym.clone());
            seen.len() - 1
        });
        out.push_str(&format!("~{}{}", at + 1, &part[pseudonym.len()..]));
    }
    out
}
