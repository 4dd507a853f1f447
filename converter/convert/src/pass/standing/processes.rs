//! What of processes is known when all of them are: who created each, and which services it hosts.

use facts::{ProcessLife, Service};
use rustc_hash::FxHashMap;

/// System, the first process of all.
const SYSTEM_PID: u32 = 4;

/// The processes by their keys, each with its creator and its services.
pub fn processes(told: &[ProcessLife], services: &[Service]) -> Vec<ProcessLife> {
    let parents = parents(told);
    let mut whole: Vec<ProcessLife> = told
        .iter()
        .map(|process| ProcessLife {
            parent_upid: parents.get(&process.upid).copied(),
            services: hosted(process, services),
            ..process.clone()
        })
        .collect();
    whole.sort_by_key(|process| process.upid);
    whole
}

/// The keys of the creators, by the keys of the processes that they created.
fn parents(told: &[ProcessLife]) -> FxHashMap<u32, u32> {
    let system = told.iter().filter(|process| process.pid == SYSTEM_PID);
    let system = system.map(|process| process.upid).min().unwrap_or(0);
    let mut created: Vec<&ProcessLife> = told.iter().filter(|process| process.pid != 0).collect();
    // One that an event names before System is the recorder: it came late.
    created.sort_by_key(|process| {
        let create_ts_ns = process.create_ts_ns.unwrap_or(0);
        (create_ts_ns, process.upid < system, process.upid)
    });
    let mut earlier: FxHashMap<u32, Vec<&ProcessLife>> = FxHashMap::default();
    let mut parents = FxHashMap::default();
    for process in created {
        let created_ns = process.create_ts_ns.unwrap_or(0);
        let lives = |other: &&&ProcessLife| other.exit_ts_ns.is_none_or(|exit| exit >= created_ns);
        let had_id = process.parent_pid.and_then(|pid| earlier.get(&pid));
        let parent = had_id.and_then(|had| had.iter().rev().find(lives));
        parents.extend(parent.map(|parent| (process.upid, parent.upid)));
        earlier.entry(process.pid).or_default().push(process);
    }
    parents
}

/// The names of the services of a process, with commas between.
fn hosted(process: &ProcessLife, services: &[Service]) -> Option<Box<str>> {
    let is_hosted = |service: &&Service| {
        service.pid == Some(process.pid)
            && process
                .create_ts_ns
                .is_none_or(|ts_ns| service.ts_ns >= ts_ns)
            && process
                .exit_ts_ns
                .is_none_or(|ts_ns| service.ts_ns <= ts_ns)
    };
    let mut names: Vec<&str> = Vec::new();
    for service in services.iter().filter(is_hosted) {
        if let Some(name) = service.name.as_deref()
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| names.join(",").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(upid: u32, pid: u32, parent_pid: u32, create_ts_ns: Option<u64>) -> ProcessLife {
        ProcessLife {
            upid,
            pid,
            parent_pid: Some(parent_pid),
            create_ts_ns,
            ..ProcessLife::default()
        }
    }

    fn service(ts_ns: u64, name: &str) -> Service {
        Service {
            ts_ns,
            name: Some(name.into()),
            pid: Some(8),
            ..Service::default()
        }
    }

    #[test]
    fn the_creator_is_who_had_the_id_last_before() {
        let ended = ProcessLife {
            exit_ts_ns: Some(30),
            ..process(3, 8, 4, None)
        };
        let told = [
            // The recorder, which an event names first.
            process(1, 16, 8, None),
            process(2, 4, 0, None),
            ended,
            process(5, 8, 4, Some(40)),
            process(6, 12, 8, Some(50)),
            process(4, 20, 8, Some(35)),
        ];
        let parents: Vec<_> = processes(&told, &[])
            .iter()
            .map(|process| (process.upid, process.parent_upid))
            .collect();
        assert_eq!(
            parents,
            [
                (1, Some(3)),
                (2, None),
                (3, Some(2)),
                (4, None),
                (5, Some(2)),
                (6, Some(5)),
            ]
        );
    }

    #[test]
    fn a_process_hosts_the_services_that_are_listed_while_it_lives() {
        let listed = [
            service(10, "A"),
            service(20, "B"),
            service(20, "C"),
            service(30, "B"),
        ];
        let hosts = |create_ts_ns| {
            let [host] = processes(&[process(1, 8, 4, create_ts_ns)], &listed)
                .try_into()
                .unwrap();
            host.services
        };
        assert_eq!(hosts(None).as_deref(), Some("A,B,C"));
        assert_eq!(hosts(Some(20)).as_deref(), Some("B,C"));
        assert_eq!(hosts(Some(40)), None);
    }
}
