//! What was found in a trace that is given away and what became of it, for people and as JSON.

use std::fmt;

use redact::KindReport;
use serde::Serialize;

use crate::Converted;

/// What is in the output of a redaction. The keys of its JSON form are stable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RedactionReport {
    output_bytes: u64,
    events: Events,
    kinds: Vec<KindReport>,
    losses: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Events {
    converted: u64,
    generic: u64,
    skipped: u64,
}

impl RedactionReport {
    /// Of what a conversion did.
    pub fn of(converted: &Converted) -> Self {
        let totals = converted.totals;
        let kinds = converted.redaction.clone().unwrap_or_default();
        Self {
            output_bytes: converted.output_bytes,
            events: Events {
                converted: totals.converted,
                generic: totals.generic,
                skipped: totals.skipped,
            },
            kinds: kinds.0,
            losses: converted.losses.clone(),
        }
    }

    /// As one JSON object.
    pub fn to_json(&self) -> String {
        // Plain structs of numbers and texts always serialize.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl fmt::Display for RedactionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} bytes", self.output_bytes)?;
        writeln!(
            f,
            "{:<14}{:<10}{:>10}{:>10}{:>10}{:>10}{:>10}",
            "kind", "action", "found", "harmless", "pseudonym", "removed", "kept"
        )?;
        for kind in &self.kinds {
            write!(
                f,
                "{:<14}{:<10}{:>10}{:>10}{:>10}{:>10}{:>10}",
                kind.kind,
                kind.action,
                kind.found,
                kind.harmless,
                kind.pseudonymised,
                kind.removed,
                kind.kept
            )?;
            writeln!(f)?;
            for example in &kind.examples {
                writeln!(f, "    {example}")?;
            }
        }
        Ok(())
    }
}
