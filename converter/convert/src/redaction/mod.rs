//! What leaves a trace before it is written, where it is written to be given away: names and texts by `redact`.
//!
//! What pass 1 collected is redacted in place ([`redact`]), before pass 2 writes any of it; the payloads of events
//! where they become JSON ([`EventFilter`]). The log-file header and the names of kinds of events pass through here too.

mod facts;
mod methods;
mod payload;
mod report;

use std::borrow::Cow;

use etl::TraceFile;
use redact::{Kind, Redactor};

use crate::index::Index;
use crate::loss::Loss;
use facts::{redact_images, redact_intervals, redact_lifetimes};
use methods::redact_methods;

pub use payload::EventFilter;
pub use report::RedactionReport;

/// What stands between the names of several files or sessions.
const BETWEEN: &str = " + ";

/// Redacts what pass 1 collected, and what was lost: pass 2 writes nothing else of it.
pub fn redact(index: &mut Index, losses: &mut [Loss], trace: &TraceFile) {
    let (redactor, kept) = (index.redactor.as_ref(), index.kept.as_ref());
    redact_lifetimes(&mut index.lifetimes, redactor, kept);
    if let Some(redactor) = redactor {
        redact_images(&mut index.images, redactor, kept);
        redact_intervals(&mut index.intervals, redactor);
        redact_methods(&mut index.methods, redactor);
        redact_losses(losses, trace, redactor);
    }
}

/// A text of a kind; nothing if it is to be removed.
fn text<'t>(redactor: Option<&Redactor>, kind: Kind, text: &'t str) -> Option<Cow<'t, str>> {
    match redactor {
        None => Some(text.into()),
        Some(redactor) => redactor.text(kind, text),
    }
}

/// Names that are joined into one text, each as what it is; nothing if all are to be removed.
pub fn joined(redactor: Option<&Redactor>, kind: Kind, names: &str) -> Option<String> {
    let shown: Vec<_> = names
        .split(BETWEEN)
        .filter_map(|name| text(redactor, kind, name))
        .collect();
    (!shown.is_empty()).then(|| shown.join(BETWEEN))
}

/// Losses whose messages hold nothing but numbers, where the trace is one file.
const PLAIN_LOSSES: [&str; 7] = [
    "lost_events",
    "lost_buffers",
    "lost_stacks",
    "lost_methods",
    "truncated",
    "damaged_buffer",
    "bad_time",
];

/// Takes the messages out of losses that may name files or providers; their kinds and numbers stay.
fn redact_losses(losses: &mut [Loss], trace: &TraceFile, redactor: &Redactor) {
    let is_one_file = trace.headers().count() == 1;
    for loss in losses {
        let kind = match loss.kind {
            plain if is_one_file && PLAIN_LOSSES.contains(&plain) => continue,
            "bad_event" if is_one_file => Kind::Providers,
            _ => Kind::Paths,
        };
        if !redactor.keeps(kind, || loss.message.clone()) {
            loss.message = "redacted".to_owned();
        }
    }
}

/// The name of a provider, and of an event or a field of it, as they are written. Those that are known here, the
/// kernel's among them, come with Windows.
pub fn provider_names<'n>(
    redactor: Option<&Redactor>,
    is_known_here: bool,
    provider: &'n str,
    event: &'n str,
) -> (Cow<'n, str>, Cow<'n, str>) {
    match redactor {
        Some(redactor) if !is_known_here && !redactor.knows_provider(provider) => {
            (redactor.provider(provider), redactor.provider(event))
        }
        _ => (provider.into(), event.into()),
    }
}
