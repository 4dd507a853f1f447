//! What pass 1 collected, redacted in place.

use std::ops::Deref;

use redact::{Action, Kind, Redactor, is_known_file};

use crate::images::{ImageFacts, ImageLife};
use crate::index::Interval;
use crate::lifetime::Lifetimes;
use crate::selection::Kept;

/// Redacts what is known of processes and threads. Of those that are not kept only names that come with Windows stay.
pub fn redact_lifetimes(
    lifetimes: &mut Lifetimes,
    redactor: Option<&Redactor>,
    kept: Option<&Kept>,
) {
    let is_left_out = |process: usize| kept.is_some_and(|kept| !kept.has(process));
    for (at, process) in lifetimes.processes.iter_mut().enumerate() {
        let facts = &mut process.facts;
        if is_left_out(at) {
            facts.image_name = facts.image_name.take().filter(|name| is_known_file(name));
            (facts.command_line, facts.sid) = (None, None);
            (facts.package, facts.application) = (None, None);
        }
        if let Some(redactor) = redactor {
            replace(redactor, Kind::Names, &mut facts.image_name);
            replace(redactor, Kind::CommandLines, &mut facts.command_line);
            replace(redactor, Kind::Users, &mut facts.sid);
            replace(redactor, Kind::Names, &mut facts.package);
            replace(redactor, Kind::Names, &mut facts.application);
        }
    }
    for thread in &mut lifetimes.threads {
        let name = &mut thread.life.facts.name;
        if is_left_out(thread.process) {
            *name = None;
        }
        if let Some(redactor) = redactor {
            replace(redactor, Kind::Names, name);
        }
    }
}

/// Redacts what is known of images. Those of processes that are not kept are never written.
pub fn redact_images(images: &mut [ImageLife], redactor: &Redactor, kept: Option<&Kept>) {
    for image in images {
        if kept.is_none_or(|kept| kept.has_image(image)) {
            redact_image(redactor, &mut image.life.facts);
        }
    }
}

/// Redacts the names of sources of profile interrupts.
pub fn redact_intervals(intervals: &mut [Interval], redactor: &Redactor) {
    for interval in intervals {
        replace(redactor, Kind::Names, &mut interval.source_name);
    }
}

/// An image by its path. What identifies its build, by which anybody could find its name at a symbol server, goes with
/// the name.
fn redact_image(redactor: &Redactor, image: &mut ImageFacts) {
    let is_known = image.path.as_deref().is_some_and(is_known_file);
    replace(redactor, Kind::Paths, &mut image.path);
    if is_known {
        if let Some(symbols) = &mut image.symbols {
            let pdb = symbols.pdb_path.rsplit(['\\', '/']).next();
            symbols.pdb_path = pdb.unwrap_or_default().into();
        }
        return;
    }
    replace(redactor, Kind::Paths, &mut image.original_name);
    if redactor.choices().of(Kind::Paths) == Action::Keep {
        if let Some(symbols) = &mut image.symbols {
            let shown = redactor.text(Kind::Paths, &symbols.pdb_path);
            symbols.pdb_path = shown.unwrap_or_default().into();
        }
    } else {
        if let Some(symbols) = image.symbols.take() {
            redactor.keeps(Kind::Paths, || symbols.pdb_path.to_string());
        }
        (image.timestamp, image.checksum) = (None, None);
    }
}

fn replace<T>(redactor: &Redactor, kind: Kind, text: &mut Option<T>)
where
    T: Deref<Target = str> + From<String>,
{
    if let Some(given) = text.take() {
        *text = redactor
            .text(kind, &given)
            .map(|shown| shown.into_owned().into());
    }
}
