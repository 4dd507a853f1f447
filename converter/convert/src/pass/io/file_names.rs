//! The names of files: events tell which file a key stands for, often after the requests that have the key.

use facts::{File, Sink};
use rustc_hash::FxHashMap;

/// Keys that are followed at once; only a forged trace has more.
const KEYS_MAX: usize = 1 << 19;
/// Bytes of names that are kept at once, of keys and of what was asked for by name; likewise.
const TEXT_MAX_BYTES: usize = 64 << 20;

/// What keys stand for.
#[derive(Debug, Default)]
pub struct FileNames {
    /// By key: the time from its last event on.
    spans: FxHashMap<u64, Span>,
    text_bytes: usize,
    /// Files that were asked for by name.
    asked: FxHashMap<Box<str>, u32>,
    asked_bytes: usize,
    file_count: u32,
}

/// A time in which a key stands for one file.
#[derive(Debug, Default)]
struct Span {
    /// The key of its file in the tables, if a request has it.
    file: Option<u32>,
    /// Whether an event was where it begins.
    is_told: bool,
    /// What that event says.
    path: Option<Box<str>>,
}

impl FileNames {
    /// An event says what a key stands for, from now on or, with `was_before`, up to now too.
    pub fn name(&mut self, key: u64, was_before: bool, path: Option<&str>, sink: &mut impl Sink) {
        let span = self.spans.remove(&key).unwrap_or_default();
        self.text_bytes -= span.path.as_ref().map_or(0, |path| path.len());
        let is_of_span = was_before || !span.is_told;
        let own = if is_of_span {
            path
        } else {
            span.path.as_deref()
        };
        tell(span.file, own, sink);
        if self.spans.len() < KEYS_MAX {
            let has_room = |path: &&str| self.text_bytes + path.len() <= TEXT_MAX_BYTES;
            let path: Option<Box<str>> = path.filter(has_room).map(Into::into);
            self.text_bytes += path.as_ref().map_or(0, |path| path.len());
            let next = Span {
                file: None,
                is_told: true,
                path,
            };
            self.spans.insert(key, next);
        }
    }

    /// The file that a key stands for now.
    pub fn of_key(&mut self, key: u64) -> Option<u32> {
        if self.spans.len() >= KEYS_MAX && !self.spans.contains_key(&key) {
            return None;
        }
        let span = self.spans.entry(key).or_default();
        if span.file.is_none() {
            span.file = Some(self.file_count);
            self.file_count = self.file_count.saturating_add(1);
        }
        span.file
    }

    /// The file of a name.
    pub fn of_path(&mut self, path: &str, sink: &mut impl Sink) -> u32 {
        if let Some(&known) = self.asked.get(path) {
            return known;
        }
        // What comes again has another key then.
        if self.asked_bytes + path.len() > TEXT_MAX_BYTES || self.asked.len() >= KEYS_MAX {
            self.asked.clear();
            self.asked_bytes = 0;
        }
        let file = self.file_count;
        self.file_count = file.saturating_add(1);
        self.asked_bytes += path.len();
        self.asked.insert(path.into(), file);
        tell(Some(file), Some(path), sink);
        file
    }

    /// Tells what is left where the recording ends.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        let spans = std::mem::take(&mut self.spans).into_values();
        let mut left: Vec<Span> = spans.filter(|span| span.file.is_some()).collect();
        left.sort_unstable_by_key(|span| span.file);
        for span in left {
            tell(span.file, span.path.as_deref(), sink);
        }
    }
}

fn tell(file: Option<u32>, path: Option<&str>, sink: &mut impl Sink) {
    if let (Some(file), Some(path)) = (file, path) {
        let path = path.into();
        sink.file(&File { file, path });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Told(Vec<(u32, Box<str>)>);

    impl Sink for Told {
        fn file(&mut self, file: &File) {
            self.0.push((file.file, file.path.clone()));
        }
    }

    #[test]
    fn a_key_stands_for_one_file_after_the_other() {
        let (mut names, mut told) = (FileNames::default(), Told::default());
        assert_eq!([names.of_key(7), names.of_key(7)], [Some(0); 2]);
        // The first event of a key tells what it stood for before.
        names.name(7, false, Some("a"), &mut told);
        assert_eq!(names.of_key(7), Some(1));
        names.name(7, false, Some("b"), &mut told);
        assert_eq!(names.of_key(7), Some(2));
        names.name(7, true, Some("c"), &mut told);
        assert_eq!(names.of_key(7), Some(3));
        // Nothing asks for this key.
        names.name(8, true, Some("d"), &mut told);
        // Nothing names it.
        assert_eq!(names.of_key(9), Some(4));
        names.finish(&mut told);
        let paths = [(0, "a"), (1, "a"), (2, "c"), (3, "c")];
        assert_eq!(told.0, paths.map(|(file, path)| (file, path.into())));
    }

    #[test]
    fn what_is_asked_for_by_name_is_told_once() {
        let (mut names, mut told) = (FileNames::default(), Told::default());
        let files = ["a", "b", "a"].map(|path| names.of_path(path, &mut told));
        assert_eq!(files, [0, 1, 0]);
        assert_eq!(told.0, [(0, "a".into()), (1, "b".into())]);
    }

    #[test]
    fn names_beyond_the_room_are_not_kept() {
        let (mut names, mut told) = (FileNames::default(), Told::default());
        let long = "n".repeat(TEXT_MAX_BYTES);
        names.name(7, false, Some(&long), &mut told);
        names.name(8, false, Some("b"), &mut told);
        names.of_key(8);
        names.finish(&mut told);
        assert_eq!(told.0, []);
    }
}
