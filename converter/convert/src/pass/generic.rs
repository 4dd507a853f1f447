//! Generic events: events of any kind, and what they and their headers say, as JSON.

use std::borrow::Cow;
use std::ops::Range;

use etl::{Clock, Event, EventId};
use facts::{EventHeader, StackOf};
use redact::Redactor;
use schema::{EventSchema, Filter, TraceClock};

use super::batch::{Author, Generic, Generics};
use super::io::io_event;
use super::standing::Note;
use super::subject::Subject;
use crate::first_times::START_TS_NS;
use crate::index::Index;
use crate::redaction::{EventFilter, provider_names};
use crate::selection::FileName;
use crate::stacks::can_have_stack;

fn header_of(event: &Event<'_>) -> EventHeader {
    let common = EventHeader {
        version: event.version,
        ..EventHeader::default()
    };
    match event.id {
        EventId::Kernel(hook) => EventHeader {
            id: hook.0,
            opcode: hook.event_type(),
            ..common
        },
        EventId::Classic { event_type, .. } => EventHeader {
            id: event_type.into(),
            opcode: event_type,
            ..common
        },
        EventId::Manifest(descriptor) | EventId::TraceLogging(descriptor) => EventHeader {
            id: descriptor.id,
            opcode: descriptor.opcode,
            task: descriptor.task,
            level: descriptor.level,
            keywords: descriptor.keywords,
            ..common
        },
        EventId::Wpp { number, .. } => EventHeader {
            id: number,
            ..common
        },
    }
}

/// Decodes a generic event; `clock` is the session's.
pub fn decode(event: &Event<'_>, index: &Index, clock: &Clock, out: &mut Generics) {
    let schema = index.schemas.find(event);
    let header = header_of(event);
    let cpu = event.has_cpu.then_some(event.cpu);
    let (tag_start, text_start) = (out.tags.len(), out.text.len());
    let filter = push_names(event.id, schema, index.redactor.as_ref(), &mut out.tags);
    let io = io_event(event, schema, clock, filter.as_ref());
    let filter = filter.as_ref().map(|filter| filter as &dyn Filter);
    let provider = out
        .tags
        .get(tag_start..)
        .and_then(|tag| tag.split('/').next());
    let is_told = index
        .selection
        .tells_events_of(provider.unwrap_or_default());
    let (more_header, fields) = if is_told || Note::may_be_in(event.id) {
        let more_header = push_more_header(event, filter, &mut out.text);
        (
            more_header,
            push_fields(event, schema, clock, filter, &mut out.text),
        )
    } else {
        (None, push_no_fields(&mut out.text))
    };
    let within = |range: Range<usize>| range.start - text_start..range.end - text_start;
    let subject = || Box::new(Subject::of(event, schema));
    out.events.push(Generic {
        author: author_of(event),
        subject: index.kept.as_ref().map(|_| subject()),
        note: Note::of(
            event,
            schema,
            out.text.get(fields.clone()).unwrap_or_default(),
        )
        .map(Box::new),
        io,
        file_name: FileName::of(event),
        cpu,
        stack_of: match event.id {
            EventId::Kernel(hook) => can_have_stack(hook).then_some(StackOf::Kernel(hook.0)),
            _ => etw::extended_stacks(event)
                .next()
                .map(|_| StackOf::Provider),
        },
        is_told,
        tag: tag_start..out.tags.len(),
        header,
        text: text_start..out.text.len(),
        more_header: more_header.map(within),
        fields: within(fields),
    });
}

fn author_of(event: &Event<'_>) -> Author {
    let is_perfinfo = event.header_pid.is_none() && matches!(event.id, EventId::Kernel(_));
    match event.acting {
        Some((pid, tid)) => Author::Thread(pid, tid),
        None if is_perfinfo => Author::RunningOn(event.cpu),
        None => Author::None,
    }
}

/// Appends what else an event's header says, if anything, and answers where.
fn push_more_header(
    event: &Event<'_>,
    filter: Option<&dyn Filter>,
    out: &mut Vec<u8>,
) -> Option<Range<usize>> {
    let start = out.len();
    out.push(b'{');
    let empty = out.len();
    schema::header_json(event, filter, out);
    if out.len() == empty {
        out.truncate(start);
        return None;
    }
    out.push(b'}');
    Some(start..out.len())
}

/// Appends what an event says itself, and answers where.
fn push_fields(
    event: &Event<'_>,
    schema: Option<&EventSchema>,
    clock: &Clock,
    filter: Option<&dyn Filter>,
    out: &mut Vec<u8>,
) -> Range<usize> {
    let start = out.len();
    match schema {
        // What does not fit the layout is in the JSON as bytes.
        Some(EventSchema { layout, .. }) => drop(schema::decode_json_timed(
            layout,
            event.payload,
            event.pointer_bytes,
            TraceClock {
                clock,
                start_ts: START_TS_NS,
            },
            filter,
            out,
        )),
        None => schema::raw_json(event.payload, filter, out),
    }
    start..out.len()
}

/// The same of an event that is to say nothing.
fn push_no_fields(out: &mut Vec<u8>) -> Range<usize> {
    let start = out.len();
    out.extend_from_slice(b"{}");
    start..out.len()
}

/// Appends the tag, and answers what may be written of the event's payload; `None`: all of it.
fn push_names<'r>(
    id: EventId,
    schema: Option<&EventSchema>,
    redactor: Option<&'r Redactor>,
    tags: &mut String,
) -> Option<EventFilter<'r>> {
    let (provider, event) = (provider_name(id, schema), event_name(id, schema));
    let (shown, shown_event) = provider_names(redactor, is_known_here(id), &provider, &event);
    push_tag(&shown, &shown_event, tags);
    redactor.map(|redactor| EventFilter::new(redactor, &provider, &event, is_known_here(id)))
}

/// `provider/event`; only the event's name may hold further slashes.
fn push_tag(provider: &str, event: &str, out: &mut String) {
    if provider.contains('/') {
        out.push_str(&provider.replace('/', "_"));
    } else {
        out.push_str(provider);
    }
    out.push('/');
    out.push_str(event);
}

/// Whether the name of an event's provider does not come from the trace.
fn is_known_here(id: EventId) -> bool {
    match id {
        EventId::Kernel(_) | EventId::Wpp { .. } => true,
        EventId::Classic { class, .. } => etw::provider_name(class).is_some(),
        EventId::Manifest(descriptor) | EventId::TraceLogging(descriptor) => {
            etw::provider_name(descriptor.provider).is_some()
        }
    }
}

/// Name of the provider or the kernel group, else its GUID or number.
fn provider_name<'s>(id: EventId, schema: Option<&'s EventSchema>) -> Cow<'s, str> {
    let guid = match id {
        EventId::Kernel(hook) => {
            let named = etw::group_name(hook.group()).map(Cow::from);
            return named.unwrap_or_else(|| format!("kernel group {:02X}", hook.group()).into());
        }
        EventId::Classic { class, .. } => class,
        EventId::Manifest(descriptor) | EventId::TraceLogging(descriptor) => descriptor.provider,
        EventId::Wpp { .. } => return "WPP".into(),
    };
    match (etw::provider_name(guid), schema) {
        (Some(name), _) => name.into(),
        (None, Some(schema)) if !schema.provider_name.is_empty() => (&*schema.provider_name).into(),
        _ => guid.to_string().into(),
    }
}

/// Name of the event, else its number.
fn event_name<'s>(id: EventId, schema: Option<&'s EventSchema>) -> Cow<'s, str> {
    let described = schema
        .map(|schema| &*schema.name)
        .filter(|name| !name.is_empty());
    let known = match id {
        EventId::Kernel(hook) => etw::hook_name(hook),
        _ => None,
    };
    if let Some(name) = known.or(described) {
        return name.into();
    }
    match id {
        EventId::Kernel(hook) => format!("type {:02X}", hook.event_type()),
        EventId::Classic { event_type, .. } => format!("type {event_type:02X}"),
        EventId::Manifest(descriptor) => format!("event {}", descriptor.id),
        EventId::TraceLogging(_) => "unnamed".to_owned(),
        EventId::Wpp { number, .. } => format!("message {number}"),
    }
    .into()
}
