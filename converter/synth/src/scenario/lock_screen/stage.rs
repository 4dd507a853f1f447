//! Puts the cast on the machine: ids, processes, threads and what they do.

use std::collections::BTreeMap;
use std::io::{Seek, Write};

use super::cast::{Actor, CAST, Part};
use super::roles::{Requests, application, background, background_from, client, periodic, server};
use super::{lead, story};
use crate::events::process::ProcessInfo;
use crate::events::scheduler::WaitReason;
use crate::events::system::ServiceConfig;
use crate::events::thread::ThreadInfo;
use crate::file::bytes::Sid;
use crate::file::event::Origin;
use crate::scenario::population::add_idle_and_system;
use crate::sim::arena::Key;
use crate::sim::machine::{MS, Machine, SECOND};
use crate::sim::process::Process;
use crate::sim::rng::Rng;
use crate::sim::thread::{Behaviour, Step, Thread, Turn};

/// What the scenario needs to know of the machine once all threads are on it.
pub struct Stage {
    /// The thread whose wait the story is about.
    pub lock_app: Key<Thread>,
    /// The thread that logs input.
    pub input: Origin,
    /// Which services run in which process.
    pub services: Vec<ServiceConfig>,
}

/// Processes and threads share one space of ids, multiples of 4.
struct Builder<'a, W> {
    machine: &'a mut Machine<W>,
    rng: Rng,
    next_id: u32,
    /// The latest process of each image, with its id.
    latest: BTreeMap<&'static str, (Key<Process>, u32)>,
    requests: Requests,
    server: Option<Key<Thread>>,
    background_count: i64,
    services: Vec<ServiceConfig>,
    next_tag: u32,
}

/// Puts every thread on the machine.
pub fn set<W: Write + Seek>(machine: &mut Machine<W>, cpu_count: u32) -> Stage {
    let system = add_idle_and_system(machine, cpu_count);
    let mut builder = Builder {
        machine,
        rng: Rng::new(20),
        next_id: 88,
        latest: BTreeMap::from([("System", (system, 4))]),
        requests: Requests::default(),
        server: None,
        background_count: 0,
        services: Vec::new(),
        next_tag: 60,
    };
    builder.dormant(system, 4, 60);
    for actor in CAST {
        builder.act(actor);
    }
    builder.lead()
}

impl<W: Write + Seek> Builder<'_, W> {
    fn id(&mut self) -> u32 {
        self.next_id += 4 * u32::try_from(self.rng.within(1..9)).unwrap_or(1);
        self.next_id
    }

    fn act(&mut self, actor: &Actor) {
        let (process, pid) = self.process(actor);
        for (name, display_name) in actor.services {
            self.next_tag += 1;
            self.services.push(ServiceConfig {
                pid,
                sub_process_tag: self.next_tag,
                name: (*name).to_owned(),
                display_name: (*display_name).to_owned(),
                process_name: actor.image.to_owned(),
                svchost_group: String::new(),
            });
        }
        let tag = if actor.services.is_empty() {
            0
        } else {
            self.next_tag
        };
        for (name, part) in actor.threads {
            self.part(process, pid, (name, tag), *part);
        }
    }

    fn process(&mut self, actor: &Actor) -> (Key<Process>, u32) {
        let parent_pid = self.latest.get(actor.parent).map_or(0, |(_, pid)| *pid);
        let pid = self.id();
        let by_user = actor.session_id == 1 && !matches!(actor.parent, "smss.exe" | "winlogon.exe");
        let info = ProcessInfo {
            session_id: actor.session_id,
            sid: Some(if by_user {
                Sid::user()
            } else {
                Sid::local_system()
            }),
            command_line: actor.command_line.to_owned(),
            ..ProcessInfo::new(pid, parent_pid, actor.image)
        };
        let process = self.machine.add_process(Process::new(info));
        self.latest.insert(actor.image, (process, pid));
        (process, pid)
    }

    fn dormant(&mut self, process: Key<Process>, pid: u32, count: u32) {
        for _ in 0..count {
            let never = |_: Turn<'_>| Step::Wait(WaitReason::WrQueue);
            let info = ThreadInfo::new(pid, self.id(), 8);
            self.machine
                .add_thread(Thread::new(process, info, Box::new(never)), None);
        }
    }

    fn part(&mut self, process: Key<Process>, pid: u32, (name, tag): (&str, u32), part: Part) {
        let (priority, behaviour): (u8, Box<dyn Behaviour>) = match part {
            Part::Dormant(count) => return self.dormant(process, pid, count),
            Part::Interface(p) => (
                p,
                Box::new(periodic(
                    400..9_000,
                    6 * MS..120 * MS,
                    WaitReason::UserRequest,
                )),
            ),
            Part::Poller(p) => (
                p,
                Box::new(periodic(
                    150..3_000,
                    4 * MS..150 * MS,
                    WaitReason::WrAlertByThreadId,
                )),
            ),
            Part::Application(p) => (p, Box::new(application())),
            Part::Background(p) => {
                let index = self.background_count;
                self.background_count += 1;
                // The first is done when the story wants a processor free, each other some time later.
                let until = story::SWITCH_IN + index * 310 * MS;
                (p, Box::new(background(background_from(index), until)))
            }
            Part::Client(p) => {
                let Some(server) = self.server else { return };
                (p, Box::new(client(server, self.requests.clone())))
            }
            Part::Server(p) => (p, Box::new(server(self.requests.clone()))),
        };
        let info = self.info(pid, (name, tag), priority);
        let first =
            (!matches!(part, Part::Server(_))).then(|| self.rng.within(-2 * SECOND..-SECOND));
        let key = self
            .machine
            .add_thread(Thread::new(process, info, behaviour), first);
        if matches!(part, Part::Server(_)) {
            self.server = Some(key);
        }
    }

    fn info(&mut self, pid: u32, (name, tag): (&str, u32), priority: u8) -> ThreadInfo {
        let tid = self.id();
        ThreadInfo {
            name: Some(name.to_owned()),
            sub_process_tag: tag,
            ..ThreadInfo::new(pid, tid, priority)
        }
    }

    /// Adds the threads with a script and those they need.
    fn lead(mut self) -> Stage {
        let logon_ui = self.scripted(
            "LogonUI.exe",
            "Lock screen host",
            13,
            None,
            |_: Turn<'_>| Step::Wait(WaitReason::UserRequest),
        );
        let lock = Actor {
            image: "LockApp.exe",
            command_line: "\"C:\\Windows\\SystemApps\\Microsoft.LockApp_cw5n1h2txyewy\\LockApp.exe\" -ServerName:WindowsDefaultLockScreen.AppX7y4nbzq37zn4ks9k7amqjywdat7d3j2z.mca",
            parent: "svchost.exe",
            session_id: 1,
            services: &[],
            threads: &[("", Part::Dormant(14))],
        };
        self.act(&lock);
        let start = Some(3_000 * MS / 10);
        let lock_app = self.scripted(
            "LockApp.exe",
            "Lock screen UI",
            13,
            start,
            lead::lock_app(logon_ui),
        );
        self.scripted("System", "", 16, Some(SECOND), lead::waker(lock_app));
        let photos = Actor {
            image: "Microsoft.Photos.exe",
            command_line: "\"C:\\Program Files\\WindowsApps\\Microsoft.Windows.Photos_2024.11120.5010.0_x64__8wekyb3d8bbwe\\Microsoft.Photos.exe\" -ServerName:App.AppXzst44mncqdg84v7sv6p7yznqwssy6f7f.mca",
            ..lock
        };
        self.act(&photos);
        self.scripted("Microsoft.Photos.exe", "", 8, Some(SECOND), lead::photos());
        self.scripted("explorer.exe", "", 9, Some(SECOND), lead::creator());
        let input = self.scripted("UIforETW.exe", "", 15, None, |_: Turn<'_>| {
            Step::Wait(WaitReason::UserRequest)
        });
        let input = &self.machine.thread(input).info;
        Stage {
            lock_app,
            input: Origin {
                tid: input.tid,
                pid: input.pid,
            },
            services: self.services,
        }
    }

    fn scripted(
        &mut self,
        image: &'static str,
        name: &str,
        priority: u8,
        first: Option<i64>,
        behaviour: impl Behaviour + 'static,
    ) -> Key<Thread> {
        let (process, pid) = self.latest.get(image).copied().unwrap_or_else(|| {
            let actor = Actor {
                image,
                command_line: image,
                parent: "System",
                session_id: 0,
                services: &[],
                threads: &[],
            };
            self.process(&actor)
        });
        let info = self.info(pid, (name, 0), priority);
        self.machine
            .add_thread(Thread::new(process, info, Box::new(behaviour)), first)
    }
}
