//! Puts the cast on the machine: ids, processes, threads and what they do.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Seek, Write};

use super::cast::{Actor, CAST, SERVICE_THREADS, SERVICES, Threads};
use super::roles::{periodic, waiter, waiter_since_before};
use crate::events::process::ProcessInfo;
use crate::events::scheduler::WaitReason;
use crate::events::system::ServiceConfig;
use crate::events::thread::ThreadInfo;
use crate::file::bytes::Sid;
use crate::scenario::population::add_idle_and_system;
use crate::sim::arena::Key;
use crate::sim::machine::{MS, Machine, SECOND};
use crate::sim::process::Process;
use crate::sim::rng::Rng;
use crate::sim::thread::{Behaviour, Step, Thread, Turn};

/// A process in which threads of the story run.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    process: Key<Process>,
    /// Its process id.
    pub pid: u32,
    /// Image of the process.
    pub image: &'static str,
    /// Name of the service in it, if it is a svchost.
    pub service: Option<&'static str>,
    tag: u32,
}

/// Who is freed by the release.
#[derive(Debug, Default)]
pub struct Freed {
    /// How many threads.
    pub threads: usize,
    /// Their processes.
    pub pids: BTreeSet<u32>,
}

/// The machine while it is set up. Processes and threads share one space of ids, multiples of 4.
pub struct Stage<'a, W> {
    machine: &'a mut Machine<W>,
    /// Chooses what each thread does.
    pub rng: Rng,
    next_id: u32,
    /// By service, or else by image the first process.
    hosts: BTreeMap<&'static str, Host>,
    /// Which services run in which process.
    pub services: Vec<ServiceConfig>,
    /// One thread of each process that waits for the release; it wakes the others.
    pub told: Vec<Key<Thread>>,
    /// All of them so far.
    pub freed: Freed,
}

impl<'a, W: Write + Seek> Stage<'a, W> {
    /// Puts all on the machine but the threads of the chain.
    pub fn new(machine: &'a mut Machine<W>, cpu_count: u32) -> Self {
        let process = add_idle_and_system(machine, cpu_count);
        let mut stage = Self {
            machine,
            rng: Rng::new(41),
            next_id: 88,
            hosts: BTreeMap::new(),
            services: Vec::new(),
            told: Vec::new(),
            freed: Freed::default(),
        };
        let host = Host {
            process,
            pid: 4,
            image: "System",
            service: None,
            tag: 0,
        };
        stage.hosts.insert(host.image, host);
        let kernel = Threads {
            freed: 0,
            pollers: 6,
            busy: 0,
            dormant: 80,
        };
        stage.populate(host, kernel);
        for actor in CAST {
            for copy in 0..actor.copies {
                stage.enter(actor, copy);
            }
            if actor.image == "services.exe" {
                stage.start_services();
            }
        }
        stage
    }

    /// A process of this service, or else of this image.
    pub fn host(&self, name: &str) -> Option<Host> {
        self.hosts.get(name).copied()
    }

    /// Adds a thread that first runs at `first`, if ever, and gives its id.
    pub fn add_thread(
        &mut self,
        host: Host,
        priority: u8,
        behaviour: impl Behaviour + 'static,
        first: Option<i64>,
    ) -> (Key<Thread>, u32) {
        let tid = self.id();
        let info = ThreadInfo {
            sub_process_tag: host.tag,
            ..ThreadInfo::new(host.pid, tid, priority)
        };
        let thread = Thread::new(host.process, info, Box::new(behaviour));
        (self.machine.add_thread(thread, first), tid)
    }

    /// Adds a thread that waits for the release and then does this.
    pub fn add_freed(
        &mut self,
        host: Host,
        priority: u8,
        reason: WaitReason,
        then: Vec<Step>,
    ) -> (Key<Thread>, u32) {
        self.freed.threads += 1;
        self.freed.pids.insert(host.pid);
        let script = waiter(&mut self.rng, reason, then);
        let first = self.rng.within(-SECOND..0);
        self.add_thread(host, priority, script, Some(first))
    }

    fn id(&mut self) -> u32 {
        self.next_id += 4 * u32::try_from(self.rng.within(1..9)).unwrap_or(1);
        self.next_id
    }

    fn start_services(&mut self) {
        for (tag, (group, name, display_name)) in (61..).zip(SERVICES) {
            let command_line =
                format!("C:\\WINDOWS\\system32\\svchost.exe -k {group} -p -s {name}");
            let host = Host {
                service: Some(name),
                tag,
                ..self.process("svchost.exe", "services.exe", 0, command_line)
            };
            self.hosts.insert(name, host);
            self.services.push(ServiceConfig {
                pid: host.pid,
                sub_process_tag: tag,
                name: (*name).to_owned(),
                display_name: (*display_name).to_owned(),
                process_name: host.image.to_owned(),
                svchost_group: (*group).to_owned(),
            });
            self.populate(host, SERVICE_THREADS);
        }
    }

    fn enter(&mut self, actor: &Actor, copy: u32) {
        let parent = match (actor.session_id, actor.image) {
            (_, "smss.exe") => "System",
            (0, "csrss.exe" | "wininit.exe") => "smss.exe",
            (0, "services.exe" | "lsass.exe") => "wininit.exe",
            (0, _) => "services.exe",
            (_, "csrss.exe" | "winlogon.exe") => "smss.exe",
            (_, "dwm.exe") => "winlogon.exe",
            (_, "sihost.exe") => "UserManager",
            (_, "explorer.exe") => "sihost.exe",
            (_, "dllhost.exe" | "RuntimeBroker.exe") => "DcomLaunch",
            _ => "explorer.exe",
        };
        let command_line = actor.command_line.replace("{n}", &(5 + copy).to_string());
        let host = self.process(actor.image, parent, actor.session_id, command_line);
        self.hosts.entry(actor.image).or_insert(host);
        self.populate(host, actor.threads);
    }

    fn process(
        &mut self,
        image: &'static str,
        parent: &str,
        session_id: u32,
        command_line: String,
    ) -> Host {
        let parent_pid = self.host(parent).map_or(0, |host| host.pid);
        let pid = self.id();
        let by_user = session_id == 1 && !matches!(image, "csrss.exe" | "winlogon.exe");
        let info = ProcessInfo {
            session_id,
            sid: Some(if by_user {
                Sid::user()
            } else {
                Sid::local_system()
            }),
            command_line,
            ..ProcessInfo::new(pid, parent_pid, image)
        };
        Host {
            process: self.machine.add_process(Process::new(info)),
            pid,
            image,
            service: None,
            tag: 0,
        }
    }

    fn populate(&mut self, host: Host, threads: Threads) {
        for _ in 0..threads.dormant {
            let never = |_: Turn<'_>| Step::Wait(WaitReason::WrQueue);
            self.add_thread(host, 8, never, None);
        }
        for _ in 0..threads.pollers {
            let poller = periodic(150..4_000, 4 * MS..300 * MS, WaitReason::WrAlertByThreadId);
            let first = self.rng.within(-SECOND..0);
            self.add_thread(host, 8, poller, Some(first));
        }
        for _ in 0..threads.busy {
            let busy = periodic(2 * MS..60 * MS, 10 * MS..200 * MS, WaitReason::UserRequest);
            let first = self.rng.within(-SECOND..0);
            self.add_thread(host, 8, busy, Some(first));
        }
        self.add_told(host, threads.freed);
    }

    /// Adds threads that wait for the release. The first one is told about the release, and wakes the others. In every
    /// fourth process they have waited since before the trace.
    fn add_told(&mut self, host: Host, count: u32) {
        let since_before = self.told.len() % 4 == 3;
        let mut siblings = Vec::new();
        for index in (0..count).rev() {
            let mut then = vec![Step::Run(self.rng.within(120..700))];
            if index == 0 {
                then.extend(std::mem::take(&mut siblings).into_iter().flat_map(wake));
            }
            then.push(Step::Run(self.rng.within(200..900)));
            let key = if since_before {
                self.freed.threads += 1;
                self.freed.pids.insert(host.pid);
                let script = waiter_since_before(&mut self.rng, then);
                self.add_thread(host, 8, script, None).0
            } else {
                let reason = if index == 0 {
                    WaitReason::WrLpcReply
                } else {
                    WaitReason::WrAlertByThreadId
                };
                self.add_freed(host, 8, reason, then).0
            };
            if index == 0 {
                self.told.push(key);
            } else {
                siblings.push(key);
            }
        }
    }
}

/// Wakes a thread, which takes a few µs.
pub fn wake(thread: Key<Thread>) -> [Step; 2] {
    let wake = Step::Wake {
        thread,
        increment: 1,
    };
    [wake, Step::Run(25)]
}
