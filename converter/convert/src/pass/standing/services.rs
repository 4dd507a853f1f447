//! Services as Windows lists them where a recording starts and where it ends.

use std::collections::BTreeMap;

use facts::Service;
use serde::Deserialize;
use serde_json::Value;

/// What one event says of a service, in the order of `etw_service` but for the time.
pub type Listed = (
    Option<Box<str>>,
    Option<Box<str>>,
    Option<u32>,
    Option<u32>,
    Option<Box<str>>,
);

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Fields {
    service_name: Option<Box<str>>,
    display_name: Option<Box<str>>,
    process_id: Option<u32>,
    sub_process_tag: Option<u32>,
    service_state: Option<Value>,
}

/// What an event says, by its fields as JSON: names may be pseudonyms there.
pub fn listed(fields: &[u8]) -> Option<Listed> {
    let f: Fields = serde_json::from_slice(fields).ok()?;
    let state = f.service_state.map(|state| match state {
        Value::String(name) => name.into(),
        other => other.to_string().into(),
    });
    let pid = f.process_id.filter(|pid| *pid != 0);
    Some((
        f.service_name,
        f.display_name,
        pid,
        f.sub_process_tag,
        state,
    ))
}

/// Each service once, where it was listed first with these values; in the order of time and name.
pub fn services(first_ts_ns: &BTreeMap<Listed, u64>) -> Vec<Service> {
    let mut services: Vec<Service> = first_ts_ns
        .iter()
        .map(
            |((name, display_name, pid, sub_process_tag, state), ts_ns)| Service {
                ts_ns: *ts_ns,
                name: name.clone(),
                display_name: display_name.clone(),
                pid: *pid,
                sub_process_tag: *sub_process_tag,
                state: state.clone(),
            },
        )
        .collect();
    services.sort_by(|a, b| (a.ts_ns, &a.name).cmp(&(b.ts_ns, &b.name)));
    services
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_read_from_its_text() {
        let text = br#"{"ProcessId":0,"ServiceState":"Stopped","SubProcessTag":7,"ServiceName":"A","DisplayName":null}"#;
        let stopped = (
            Some("A".into()),
            None,
            None,
            Some(7),
            Some("Stopped".into()),
        );
        assert_eq!(listed(text), Some(stopped));
        assert_eq!(
            listed(br#"{"$rest":"00"}"#),
            Some((None, None, None, None, None))
        );
        assert_eq!(listed(b"{"), None);
    }

    #[test]
    fn services_come_in_the_order_of_time_and_name() {
        let named = |name: &str| -> Listed { (Some(name.into()), None, Some(8), None, None) };
        let told = [(named("C"), 5), (named("A"), 9), (named("B"), 5)];
        let names: Vec<_> = services(&BTreeMap::from(told))
            .into_iter()
            .map(|service| (service.ts_ns, service.name.unwrap_or_default()))
            .collect();
        assert_eq!(names, [(5, "B".into()), (5, "C".into()), (9, "A".into())]);
    }
}
