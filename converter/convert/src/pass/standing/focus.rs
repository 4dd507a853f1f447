//! Which process had the focus, and what the user did.

use std::collections::BTreeMap;

use etl::{EventId, Guid};
use facts::{Focus, Input};
use serde::Deserialize;
use serde_json::Value;

use super::lives::Lives;

/// Another process gets the focus of a session, or none has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct FocusChange {
    /// Terminal session.
    #[serde(rename = "SessionId", alias = "SessionID")]
    pub session: Option<i64>,
    /// Who had it before; 0 for none.
    #[serde(rename = "OldProcessId", alias = "OldProcessID")]
    pub old_pid: Option<u32>,
    /// Who has it from here on, likewise.
    #[serde(rename = "NewProcessId", alias = "NewProcessID")]
    pub new_pid: Option<u32>,
}

impl FocusChange {
    /// What an event says, by its fields as JSON.
    pub fn of(fields: &[u8]) -> Option<Self> {
        serde_json::from_slice(fields).ok()
    }
}

/// The spans, in the order of their ends, of a recording of this span. `changes` are in time order.
pub fn focus(
    changes: &[(u64, FocusChange)],
    processes: &Lives,
    (start_ns, end_ns): (u64, u64),
) -> Vec<Focus> {
    let mut by_session: BTreeMap<Option<i64>, Vec<(u64, FocusChange)>> = BTreeMap::new();
    for &(ts_ns, change) in changes {
        let of_one = by_session.entry(change.session).or_default();
        of_one.push((ts_ns, change));
    }
    let mut spans = Vec::new();
    let mut add = |session, pid: Option<u32>, ts_ns: u64, next_ns: Option<u64>, open_start| {
        let Some(pid) = pid.filter(|pid| *pid != 0) else {
            return;
        };
        spans.push(Focus {
            ts_ns,
            te_ns: next_ns.unwrap_or(end_ns),
            session,
            upid: processes.key_at(pid, ts_ns),
            pid,
            open_start,
            open_end: next_ns.is_none(),
        });
    };
    for (session, changes) in by_session {
        if let Some((ts_ns, first)) = changes.first() {
            add(session, first.old_pid, start_ns, Some(*ts_ns), true);
        }
        let nexts = changes.iter().skip(1).map(|(ts_ns, _)| Some(*ts_ns));
        for ((ts_ns, change), next_ns) in changes.iter().zip(nexts.chain([None])) {
            add(session, change.new_pid, *ts_ns, next_ns, false);
        }
    }
    spans.sort_by_key(|span| (span.te_ns, span.ts_ns));
    spans
}

const MULTI_INPUT: Guid = Guid::new(0x70e2503b_c6f3_4780_b323_bd8ed0c61bf8);
const FIRST_INPUT: u16 = 400;
const WHEEL: u8 = 3;
const KEY: u8 = 4;

/// The fields of an input, in the words of the trace's description, else in those of the converter's.
#[derive(Deserialize)]
struct InputFields {
    #[serde(rename = "zDelta", alias = "Delta")]
    delta: Option<i64>,
    #[serde(rename = "Virtual key code", alias = "VirtualKey")]
    virtual_key: Option<i64>,
    #[serde(rename = "Button Type", alias = "Button")]
    button: Option<Value>,
    #[serde(rename = "Key name", alias = "KeyName")]
    key_name: Option<Box<str>>,
    #[serde(alias = "X")]
    x: Option<i64>,
    #[serde(alias = "Y")]
    y: Option<i64>,
}

/// Whether an event of this kind may have input.
pub fn is_input(id: EventId) -> bool {
    input_kind(id).is_some()
}

fn input_kind(id: EventId) -> Option<u8> {
    let EventId::Manifest(descriptor) = id else {
        return None;
    };
    let kind = u8::try_from(descriptor.id.checked_sub(FIRST_INPUT)?).ok()?;
    (kind <= KEY && descriptor.provider == MULTI_INPUT).then_some(kind)
}

/// The input in an event that has these fields, as JSON, without the time. `None` if the event has no input.
pub fn input(id: EventId, fields: &[u8]) -> Option<Input> {
    let kind = input_kind(id)?;
    let f = serde_json::from_slice::<InputFields>(fields).ok()?;
    let code = match kind {
        WHEEL => f.delta,
        KEY => f.virtual_key,
        _ => f.button.as_ref().and_then(button_number),
    };
    Some(Input {
        ts_ns: 0,
        kind,
        code,
        key_name: f.key_name,
        x: f.x,
        y: f.y,
    })
}

fn button_number(button: &Value) -> Option<i64> {
    match button.as_str() {
        Some("Left") => Some(0),
        Some("Middle") => Some(1),
        Some("Right") => Some(2),
        _ => button.as_i64(),
    }
}

#[cfg(test)]
mod tests {
    use facts::ProcessLife;

    use super::*;

    fn change(session: i64, old_pid: u32, new_pid: u32) -> FocusChange {
        FocusChange {
            session: Some(session),
            old_pid: Some(old_pid),
            new_pid: Some(new_pid),
        }
    }

    #[test]
    fn the_focus_lasts_until_the_next_change_of_its_session() {
        let mut processes = Lives::default();
        processes.add_process(&ProcessLife {
            upid: 3,
            pid: 8,
            ..ProcessLife::default()
        });
        let changes = [
            (20, change(1, 8, 12)),
            (30, change(2, 0, 16)),
            (40, change(1, 12, 0)),
            (50, change(1, 0, 8)),
        ];
        let rows: Vec<_> = focus(&changes, &processes, (10, 90))
            .iter()
            .map(|span| {
                let open = [span.open_start, span.open_end];
                (
                    span.ts_ns,
                    span.te_ns,
                    span.session,
                    span.upid,
                    span.pid,
                    open,
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                (10, 20, Some(1), Some(3), 8, [true, false]),
                (20, 40, Some(1), None, 12, [false, false]),
                (30, 90, Some(2), None, 16, [false, true]),
                (50, 90, Some(1), Some(3), 8, [false, true]),
            ]
        );
    }

    #[test]
    fn a_change_is_read_in_both_spellings() {
        let told = [
            br#"{"OldProcessId":8,"NewProcessId":12,"SessionId":1}"#,
            br#"{"OldProcessID":8,"NewProcessID":12,"SessionID":1}"#,
        ];
        assert_eq!(
            told.map(|text| FocusChange::of(text)),
            [Some(change(1, 8, 12)); 2]
        );
        assert_eq!(
            FocusChange::of(br#"{"$rest":"00"}"#),
            Some(FocusChange::default())
        );
    }
}
