//! What part of a trace is converted.

mod cost;
pub mod kinds;
mod processes;
mod standing;
mod time;

use std::borrow::Cow;

use etl::{Clock, Event, EventId, Guid};
use redact::Choices;
use rustc_hash::FxHashSet;
use schema::Schemas;

use crate::counts::Counts;
use crate::fate::{Fate, Skip};
use crate::first_times::START_TS_NS;
use crate::told::Told;

pub use cost::{Budget, Cost};
pub use kinds::{FileName, KindName};
pub use processes::Kept;
pub use standing::{StandingKind, is_standing};
pub use time::Time;

/// What the user asks for; by default the whole trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Where the range begins.
    pub from: Option<Time>,
    /// Where the range ends; what happens at this time is still in it.
    pub to: Option<Time>,
    /// Kinds and providers that alone are kept; empty: all.
    pub only: Vec<String>,
    /// Kinds and providers that are left out.
    pub skip: Vec<String>,
    /// Names or ids of processes that alone are kept; empty: all.
    pub processes: Vec<String>,
    /// Providers whose events alone are rows of generic events, with what they say; of all others the first event is one, without
    /// that. `None`: all.
    pub events_of: Option<Vec<String>>,
    /// What is taken out of texts; `None`: nothing.
    pub redact: Option<Choices>,
    /// What the selected events may cost: beyond, nothing is converted.
    pub budget: Budget,
}

/// What a [`Request`] means for one trace.
#[derive(Debug)]
pub struct Selection {
    request: Request,
    clock: Clock,
    /// First raw time of the range; `None`: from the start.
    pub from_raw: Option<i64>,
    /// Last raw time of the range; `None`: to the end.
    pub to_raw: Option<i64>,
    only: Option<Names>,
    skip: Option<Names>,
}

/// Kinds and providers, as a user lists them.
#[derive(Debug, Default)]
struct Names {
    kinds: Vec<KindName>,
    providers: FxHashSet<Guid>,
}

impl Names {
    fn of(names: &[String]) -> Option<Self> {
        let kinds = names.iter().filter_map(|name| KindName::named(name));
        (!names.is_empty()).then(|| Self {
            kinds: kinds.collect(),
            providers: FxHashSet::default(),
        })
    }

    fn have(&self, kind: KindName, id: EventId) -> bool {
        self.kinds.contains(&kind)
            || kinds::provider(id).is_some_and(|provider| self.providers.contains(&provider))
    }
}

impl Selection {
    /// Places the range on a trace's clock.
    ///
    /// # Errors
    /// In words, if the range is empty.
    pub fn new(request: &Request, clock: Clock) -> Result<Self, String> {
        let since_start = |time: Time| match time {
            Time::SinceStart(ns) => ns,
            Time::OnTraceClock(ts_ns) => ts_ns.saturating_sub(START_TS_NS),
        };
        let from_ns = request.from.map(since_start);
        let to_ns = request.to.map(since_start);
        if let (Some(from_ns), Some(to_ns)) = (from_ns, to_ns)
            && from_ns > to_ns
        {
            return Err("--from must not be after --to".to_owned());
        }
        let before = |ns: u64| clock.first_raw_at(ns.saturating_add(1)).saturating_sub(1);
        Ok(Self {
            clock,
            from_raw: from_ns.map(|ns| clock.first_raw_at(ns)),
            to_raw: to_ns.map(before),
            only: Names::of(&request.only),
            skip: Names::of(&request.skip),
            request: request.clone(),
        })
    }

    /// Finds the providers that the user named, once their names are known.
    ///
    /// # Errors
    /// In words, if the range begins after the trace, or a name is neither a kind nor a provider in the trace.
    pub fn resolve(
        &mut self,
        counts: &Counts,
        schemas: &Schemas,
        end_raw: i64,
    ) -> Result<(), String> {
        if self.from_raw.is_some_and(|from_raw| from_raw > end_raw) {
            let end_s = self.clock.ns_since_start(end_raw) as f64 / 1e9;
            return Err(format!(
                "--from is after the end of the trace, at {end_s:.3}s"
            ));
        }
        let mut named: Vec<(String, Guid)> = schemas
            .providers()
            .map(|(guid, name)| (name.to_owned(), guid))
            .collect();
        for (counted, _) in counts.sorted() {
            named.extend(
                counted
                    .provider_guid()
                    .map(|guid| (counted.provider(schemas), guid)),
            );
        }
        let lists = [
            (&self.request.only, &mut self.only),
            (&self.request.skip, &mut self.skip),
        ];
        for (asked, names) in lists {
            for name in asked.iter().filter(|name| KindName::named(name).is_none()) {
                let as_guid = name.trim_matches(['{', '}']);
                let guids = named.iter().filter(|(own, guid)| {
                    own.eq_ignore_ascii_case(name) || guid.to_string().eq_ignore_ascii_case(as_guid)
                });
                let mut guids = guids.map(|(_, guid)| *guid).peekable();
                if guids.peek().is_none() {
                    return Err(unknown(name));
                }
                names.get_or_insert_default().providers.extend(guids);
            }
        }
        Ok(())
    }

    /// Whether the kinds are chosen that an event is of.
    #[inline]
    pub fn keeps(&self, id: EventId) -> bool {
        if self.only.is_none() && self.skip.is_none() {
            return true;
        }
        let Some(kind) = KindName::of(id) else {
            return true;
        };
        let chosen = self.only.as_ref().is_none_or(|names| names.have(kind, id));
        chosen && !self.skip.as_ref().is_some_and(|names| names.have(kind, id))
    }

    /// Whether what the generic events of a provider say is wanted.
    pub fn tells_events_of(&self, provider: &str) -> bool {
        let told = self.request.events_of.as_ref();
        told.is_none_or(|names| names.iter().any(|name| name == provider))
    }

    /// Whether any event of a kind is kept.
    pub fn keeps_kind(&self, kind: KindName) -> bool {
        let in_list = |names: &Names| names.kinds.contains(&kind);
        self.only.as_ref().is_none_or(in_list) && !self.skip.as_ref().is_some_and(in_list)
    }

    /// What becomes of an event by its time, that would have `fate` in the whole trace. Outside of the range counts as
    /// converted what names or places others, and as generic what [`is_standing`] before it.
    #[inline]
    pub fn fate_by_time(&self, event: &Event<'_>, fate: Fate, told: &Told<'_>) -> Fate {
        if self.from_raw.is_none() && self.to_raw.is_none() {
            return fate;
        }
        if matches!(fate, Fate::Skipped(_)) || self.keeps_at_its_time(event, told) {
            fate
        } else if FileName::of(event).is_some() {
            Fate::Converted
        } else {
            Fate::Skipped(Skip::NotSelected)
        }
    }

    /// Whether a raw time is in the range.
    pub fn has_time(&self, raw: i64) -> bool {
        self.overlaps((raw, raw))
    }

    fn overlaps(&self, (first, last): (i64, i64)) -> bool {
        self.from_raw.is_none_or(|from_raw| from_raw <= last)
            && self.to_raw.is_none_or(|to_raw| first <= to_raw)
    }

    fn keeps_at_its_time(&self, event: &Event<'_>, told: &Told<'_>) -> bool {
        let raw = match (told, KindName::of(event.id)) {
            (Told::CompactSwitches(switches), _) => return self.overlaps(switches.span_raw()),
            (Told::StackKeyDefinition(_), _) | (_, None | Some(KindName::Images)) => return true,
            (Told::Stack(stack), _) => stack.event_raw,
            (Told::StackKeyUse(used), _) => used.event_raw,
            _ => event.timestamp,
        };
        let from_raw = self.from_raw.filter(|_| !is_standing(event.id));
        from_raw.is_none_or(|from_raw| from_raw <= raw)
            && self.to_raw.is_none_or(|to_raw| raw <= to_raw)
    }

    /// Where the range begins, in ns after the start of the recording.
    pub fn begin_ns(&self) -> Option<u64> {
        self.from_raw.map(|raw| self.clock.ns_since_start(raw))
    }

    /// Where the range ends, in ns after the start of the recording.
    pub fn end_ns(&self) -> Option<u64> {
        self.to_raw.map(|raw| self.clock.ns_since_start(raw))
    }

    /// The choice of kinds in words: `only samples,stacks skip generic`, the names of providers as `shown` writes them;
    /// `None` if all are kept.
    pub fn kinds<'s>(&'s self, shown: impl Fn(&'s str) -> Cow<'s, str>) -> Option<String> {
        let lists = [("only", &self.request.only), ("skip", &self.request.skip)];
        let name = |name: &'s String| match KindName::named(name) {
            Some(_) => Cow::from(name),
            None => shown(name),
        };
        let words: Vec<String> = lists
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(word, names)| {
                let names: Vec<_> = names.iter().map(name).collect();
                format!("{word} {}", names.join(","))
            })
            .collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

fn unknown(name: &str) -> String {
    let kinds: Vec<&str> = KindName::ALL.iter().map(|(_, name)| *name).collect();
    format!(
        "no provider in the trace and no kind of event is called \"{name}\"; the kinds are {}",
        kinds.join(", ")
    )
}
