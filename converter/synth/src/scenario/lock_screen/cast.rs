//! The processes of the lock screen's machine.

/// What the threads of a process do, and how many of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Wait for ever, at priority 8.
    Dormant(u32),
    /// User interface threads: short runs every few frames.
    Interface(u8),
    /// Timers and pollers: tiny runs.
    Poller(u8),
    /// Long runs with short waits.
    Application(u8),
    /// Work that never ends while the machine is saturated.
    Background(u8),
    /// Asks the local session manager, waits for its answer.
    Client(u8),
    /// Answers the clients.
    Server(u8),
}

/// A process of the cast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    /// Image file name.
    pub image: &'static str,
    /// Command line.
    pub command_line: &'static str,
    /// Image of the process that created it: the last such one before it.
    pub parent: &'static str,
    /// Terminal session; processes of session 1 belong to the user, others to Local System.
    pub session_id: u32,
    /// Services in it: short name and name for people.
    pub services: &'static [(&'static str, &'static str)],
    /// Its threads: their name (may be empty) and part with base priority.
    pub threads: &'static [(&'static str, Part)],
}

use Part::{Application, Background, Client, Dormant, Interface, Poller, Server};

const fn system(
    image: &'static str,
    parent: &'static str,
    command_line: &'static str,
    threads: Threads,
) -> Actor {
    Actor {
        image,
        command_line,
        parent,
        session_id: 0,
        services: &[],
        threads,
    }
}

const fn user(
    image: &'static str,
    parent: &'static str,
    command_line: &'static str,
    threads: Threads,
) -> Actor {
    Actor {
        image,
        command_line,
        parent,
        session_id: 1,
        services: &[],
        threads,
    }
}

const fn svchost(command_line: &'static str, services: Services, threads: Threads) -> Actor {
    Actor {
        image: "svchost.exe",
        command_line,
        parent: "services.exe",
        session_id: 0,
        services,
        threads,
    }
}

type Threads = &'static [(&'static str, Part)];
type Services = &'static [(&'static str, &'static str)];

const RENDERER: Threads = &[
    ("CrRendererMain", Interface(8)),
    ("ThreadPoolForegroundWorker", Poller(8)),
    ("Compositor", Poller(9)),
    ("", Dormant(6)),
];

/// Every process but Idle, System and those with a script of their own, creators before their children.
pub const CAST: &[Actor] = &[
    system(
        "smss.exe",
        "System",
        "\\SystemRoot\\System32\\smss.exe",
        &[("", Dormant(2))],
    ),
    system(
        "csrss.exe",
        "smss.exe",
        "%SystemRoot%\\system32\\csrss.exe ObjectDirectory=\\Windows",
        &[("", Poller(13)), ("", Dormant(9))],
    ),
    system(
        "wininit.exe",
        "smss.exe",
        "wininit.exe",
        &[("", Dormant(3))],
    ),
    Actor {
        session_id: 1,
        ..system(
            "csrss.exe",
            "smss.exe",
            "%SystemRoot%\\system32\\csrss.exe ObjectDirectory=\\Windows",
            &[("", Poller(14)), ("", Poller(13)), ("", Dormant(10))],
        )
    },
    Actor {
        session_id: 1,
        ..system(
            "winlogon.exe",
            "smss.exe",
            "winlogon.exe",
            &[("", Interface(13)), ("", Dormant(4))],
        )
    },
    system(
        "services.exe",
        "wininit.exe",
        "C:\\WINDOWS\\system32\\services.exe",
        &[("", Poller(9)), ("", Dormant(6))],
    ),
    system(
        "lsass.exe",
        "wininit.exe",
        "C:\\WINDOWS\\system32\\lsass.exe",
        &[("", Poller(9)), ("", Dormant(8))],
    ),
    svchost(
        "C:\\WINDOWS\\system32\\svchost.exe -k DcomLaunch -p",
        &[
            ("DcomLaunch", "DCOM Server Process Launcher"),
            ("PlugPlay", "Plug and Play"),
            ("LSM", "Local Session Manager"),
        ],
        &[("", Server(9)), ("", Poller(8)), ("", Dormant(12))],
    ),
    svchost(
        "C:\\WINDOWS\\system32\\svchost.exe -k RPCSS -p",
        &[
            ("RpcSs", "Remote Procedure Call (RPC)"),
            ("RpcEptMapper", "RPC Endpoint Mapper"),
        ],
        &[("", Poller(8)), ("", Dormant(9))],
    ),
    svchost(
        "C:\\WINDOWS\\System32\\svchost.exe -k LocalServiceNetworkRestricted -p -s EventLog",
        &[("EventLog", "Windows Event Log")],
        &[("", Poller(8)), ("", Dormant(7))],
    ),
    svchost(
        "C:\\WINDOWS\\system32\\svchost.exe -k netsvcs -p -s Schedule",
        &[("Schedule", "Task Scheduler")],
        &[("", Client(8)), ("", Dormant(8))],
    ),
    svchost(
        "C:\\WINDOWS\\system32\\svchost.exe -k netsvcs -p -s Winmgmt",
        &[("Winmgmt", "Windows Management Instrumentation")],
        &[("", Client(8)), ("", Dormant(11))],
    ),
    svchost(
        "C:\\WINDOWS\\system32\\svchost.exe -k netsvcs -p -s wuauserv",
        &[("wuauserv", "Windows Update")],
        &[("", Background(7)), ("", Poller(8)), ("", Dormant(14))],
    ),
    svchost(
        "C:\\WINDOWS\\System32\\svchost.exe -k LocalSystemNetworkRestricted -p -s SysMain",
        &[("SysMain", "SysMain")],
        &[("", Background(4)), ("", Dormant(6))],
    ),
    svchost(
        "C:\\WINDOWS\\system32\\svchost.exe -k NetworkService -p -s Dnscache",
        &[("Dnscache", "DNS Client")],
        &[("", Poller(8)), ("", Dormant(5))],
    ),
    svchost(
        "C:\\WINDOWS\\System32\\svchost.exe -k LocalServiceNetworkRestricted -p",
        &[("Dhcp", "DHCP Client"), ("AudioSrv", "Windows Audio")],
        &[("", Poller(9)), ("", Dormant(7))],
    ),
    system(
        "spoolsv.exe",
        "services.exe",
        "C:\\WINDOWS\\System32\\spoolsv.exe",
        &[("", Dormant(7))],
    ),
    system(
        "MsMpEng.exe",
        "services.exe",
        "\"C:\\ProgramData\\Microsoft\\Windows Defender\\Platform\\4.18.24090.11-0\\MsMpEng.exe\"",
        &[
            ("", Background(6)),
            ("", Background(7)),
            ("", Application(8)),
            ("", Poller(8)),
            ("", Dormant(24)),
        ],
    ),
    system(
        "SearchIndexer.exe",
        "services.exe",
        "C:\\WINDOWS\\system32\\SearchIndexer.exe /Embedding",
        &[
            ("", Background(4)),
            ("", Background(5)),
            ("", Poller(8)),
            ("", Dormant(12)),
        ],
    ),
    system(
        "WmiPrvSE.exe",
        "svchost.exe",
        "C:\\WINDOWS\\system32\\wbem\\wmiprvse.exe",
        &[("", Poller(8)), ("", Dormant(6))],
    ),
    Actor {
        session_id: 1,
        ..system(
            "dwm.exe",
            "winlogon.exe",
            "\"dwm.exe\"",
            &[
                ("DWM Master Input Thread", Interface(13)),
                ("DWM Frame Thread", Poller(15)),
                ("", Dormant(9)),
            ],
        )
    },
    user(
        "sihost.exe",
        "svchost.exe",
        "sihost.exe",
        &[("", Client(8)), ("", Dormant(8))],
    ),
    user(
        "explorer.exe",
        "sihost.exe",
        "C:\\WINDOWS\\Explorer.EXE",
        &[
            ("", Interface(9)),
            ("", Client(8)),
            ("", Client(8)),
            ("", Poller(8)),
            ("", Dormant(40)),
        ],
    ),
    user(
        "StartMenuExperienceHost.exe",
        "svchost.exe",
        "\"C:\\Windows\\SystemApps\\Microsoft.Windows.StartMenuExperienceHost_cw5n1h2txyewy\\StartMenuExperienceHost.exe\" -ServerName:App.AppXywbrabmsek0gm3tkwpr5kwzbs55tkqay.mca",
        &[("", Dormant(18))],
    ),
    user(
        "RuntimeBroker.exe",
        "svchost.exe",
        "C:\\Windows\\System32\\RuntimeBroker.exe -Embedding",
        &[("", Client(8)), ("", Dormant(5))],
    ),
    user(
        "LogonUI.exe",
        "winlogon.exe",
        "\"LogonUI.exe\" /flags:0x2 /state0:0xa3bd1055 /state1:0x41c64e6d",
        &[("", Client(13)), ("", Poller(13)), ("", Dormant(15))],
    ),
    user(
        "OneDrive.exe",
        "explorer.exe",
        "\"C:\\Users\\user\\AppData\\Local\\Microsoft\\OneDrive\\OneDrive.exe\" /background",
        &[
            ("Sync engine", Background(5)),
            ("", Poller(8)),
            ("", Dormant(30)),
        ],
    ),
    user(
        "Teams.exe",
        "explorer.exe",
        "\"C:\\Users\\user\\AppData\\Local\\Microsoft\\Teams\\current\\Teams.exe\" --system-initiated",
        &[
            ("CrBrowserMain", Application(9)),
            ("Chrome_IOThread", Poller(8)),
            ("", Dormant(25)),
        ],
    ),
    user(
        "Teams.exe",
        "Teams.exe",
        "\"C:\\Users\\user\\AppData\\Local\\Microsoft\\Teams\\current\\Teams.exe\" --type=renderer --lang=en-US",
        RENDERER,
    ),
    user(
        "chrome.exe",
        "explorer.exe",
        "\"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe\"",
        &[
            ("CrBrowserMain", Application(10)),
            ("Chrome_IOThread", Poller(10)),
            ("ThreadPoolBackgroundWorker", Background(7)),
            ("ThreadPoolForegroundWorker", Client(8)),
            ("", Dormant(34)),
        ],
    ),
    user(
        "chrome.exe",
        "chrome.exe",
        "\"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe\" --type=gpu-process",
        &[
            ("CrGpuMain", Application(9)),
            ("VizCompositorThread", Poller(10)),
            ("", Dormant(9)),
        ],
    ),
    user(
        "chrome.exe",
        "chrome.exe",
        "\"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe\" --type=renderer --renderer-client-id=5",
        RENDERER,
    ),
    user(
        "chrome.exe",
        "chrome.exe",
        "\"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe\" --type=renderer --renderer-client-id=7",
        RENDERER,
    ),
    user(
        "chrome.exe",
        "chrome.exe",
        "\"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe\" --type=renderer --renderer-client-id=12",
        RENDERER,
    ),
    user(
        "Code.exe",
        "explorer.exe",
        "\"C:\\Users\\user\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe\"",
        &[
            ("CrBrowserMain", Interface(8)),
            ("", Client(8)),
            ("", Dormant(28)),
        ],
    ),
    user(
        "UIforETW.exe",
        "explorer.exe",
        "\"C:\\etwtools\\UIforETW.exe\"",
        &[("", Interface(8)), ("", Dormant(5))],
    ),
];
