//! The processes of the WMI story's machine.

/// A program, and how many processes of it there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    /// Image file name.
    pub image: &'static str,
    /// Command line; `{n}` stands for the number of the process.
    pub command_line: &'static str,
    /// Terminal session; processes of session 1 belong to the user, others to Local System.
    pub session_id: u32,
    /// How many processes.
    pub copies: u32,
    /// Threads of each.
    pub threads: Threads,
}

/// How many threads of a process do what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threads {
    /// Are blocked until the release; the first of them is told, and wakes the others.
    pub freed: u32,
    /// Run shortly, again and again.
    pub pollers: u32,
    /// Run long, again and again.
    pub busy: u32,
    /// Wait for ever.
    pub dormant: u32,
}

const fn threads(freed: u32, pollers: u32, busy: u32, dormant: u32) -> Threads {
    Threads {
        freed,
        pollers,
        busy,
        dormant,
    }
}

const fn system(image: &'static str, command_line: &'static str, threads: Threads) -> Actor {
    Actor {
        image,
        command_line,
        session_id: 0,
        copies: 1,
        threads,
    }
}

const fn user(
    copies: u32,
    image: &'static str,
    command_line: &'static str,
    threads: Threads,
) -> Actor {
    Actor {
        image,
        command_line,
        session_id: 1,
        copies,
        threads,
    }
}

/// Threads of each svchost.
pub const SERVICE_THREADS: Threads = threads(2, 1, 0, 5);

/// Services, each in a svchost of its own: group of the svchost, name, and name for people.
pub const SERVICES: &[(&str, &str, &str)] = &[
    ("DcomLaunch", "DcomLaunch", "DCOM Server Process Launcher"),
    (
        "DcomLaunch",
        "BrokerInfrastructure",
        "Background Tasks Infrastructure Service",
    ),
    ("DcomLaunch", "SystemEventsBroker", "System Events Broker"),
    ("DcomLaunch", "Power", "Power"),
    ("RPCSS", "RpcSs", "Remote Procedure Call (RPC)"),
    ("netsvcs", "Winmgmt", "Windows Management Instrumentation"),
    ("netsvcs", "Schedule", "Task Scheduler"),
    ("netsvcs", "ProfSvc", "User Profile Service"),
    ("netsvcs", "UserManager", "User Manager"),
    ("netsvcs", "Themes", "Themes"),
    ("netsvcs", "ShellHWDetection", "Shell Hardware Detection"),
    ("netsvcs", "LanmanServer", "Server"),
    ("netsvcs", "iphlpsvc", "IP Helper"),
    ("netsvcs", "TokenBroker", "Web Account Manager"),
    ("netsvcs", "lfsvc", "Geolocation Service"),
    ("netsvcs", "wuauserv", "Windows Update"),
    ("netsvcs", "UsoSvc", "Update Orchestrator Service"),
    ("netsvcs", "Appinfo", "Application Information"),
    ("netsvcs", "SENS", "System Event Notification Service"),
    ("appmodel", "StateRepository", "State Repository Service"),
    ("appmodel", "camsvc", "Capability Access Manager Service"),
    (
        "LocalServiceNetworkRestricted",
        "EventLog",
        "Windows Event Log",
    ),
    ("LocalServiceNetworkRestricted", "Dhcp", "DHCP Client"),
    ("LocalServiceNetworkRestricted", "AudioSrv", "Windows Audio"),
    ("LocalServiceNetworkRestricted", "wscsvc", "Security Center"),
    (
        "LocalServiceNetworkRestricted",
        "TimeBrokerSvc",
        "Time Broker",
    ),
    ("LocalService", "EventSystem", "COM+ Event System"),
    ("LocalService", "nsi", "Network Store Interface Service"),
    ("LocalService", "FontCache", "Windows Font Cache Service"),
    ("LocalService", "netprofm", "Network List Service"),
    (
        "LocalService",
        "CDPSvc",
        "Connected Devices Platform Service",
    ),
    ("LocalService", "WdiServiceHost", "Diagnostic Service Host"),
    ("LocalServiceNoNetwork", "DPS", "Diagnostic Policy Service"),
    (
        "LocalServiceNoNetworkFirewall",
        "mpssvc",
        "Windows Defender Firewall",
    ),
    ("LocalSystemNetworkRestricted", "SysMain", "SysMain"),
    (
        "LocalSystemNetworkRestricted",
        "PcaSvc",
        "Program Compatibility Assistant Service",
    ),
    ("LocalSystemNetworkRestricted", "StorSvc", "Storage Service"),
    ("LocalSystemNetworkRestricted", "WlanSvc", "WLAN AutoConfig"),
    (
        "LocalSystemNetworkRestricted",
        "AudioEndpointBuilder",
        "Windows Audio Endpoint Builder",
    ),
    ("NetworkService", "Dnscache", "DNS Client"),
    ("NetworkService", "NlaSvc", "Network Location Awareness"),
    ("NetworkService", "LanmanWorkstation", "Workstation"),
    ("NetworkService", "CryptSvc", "Cryptographic Services"),
    ("NetworkService", "WinRM", "Windows Remote Management"),
];

/// Every process but Idle, System and the svchosts.
pub const CAST: &[Actor] = &[
    system(
        "smss.exe",
        "\\SystemRoot\\System32\\smss.exe",
        threads(0, 0, 0, 2),
    ),
    system(
        "csrss.exe",
        "%SystemRoot%\\system32\\csrss.exe ObjectDirectory=\\Windows",
        threads(0, 1, 0, 9),
    ),
    system("wininit.exe", "wininit.exe", threads(0, 0, 0, 3)),
    user(
        1,
        "csrss.exe",
        "%SystemRoot%\\system32\\csrss.exe ObjectDirectory=\\Windows",
        threads(0, 2, 0, 10),
    ),
    user(1, "winlogon.exe", "winlogon.exe", threads(1, 0, 0, 4)),
    system(
        "services.exe",
        "C:\\WINDOWS\\system32\\services.exe",
        threads(2, 1, 0, 6),
    ),
    system(
        "lsass.exe",
        "C:\\WINDOWS\\system32\\lsass.exe",
        threads(2, 1, 0, 8),
    ),
    system(
        "spoolsv.exe",
        "C:\\WINDOWS\\System32\\spoolsv.exe",
        threads(3, 0, 0, 7),
    ),
    system(
        "MsMpEng.exe",
        "\"C:\\ProgramData\\Microsoft\\Windows Defender\\Platform\\4.18.24090.11-0\\MsMpEng.exe\"",
        threads(4, 2, 2, 20),
    ),
    system(
        "SearchIndexer.exe",
        "C:\\WINDOWS\\system32\\SearchIndexer.exe /Embedding",
        threads(3, 1, 1, 12),
    ),
    system(
        "vmms.exe",
        "C:\\WINDOWS\\system32\\vmms.exe",
        threads(6, 1, 0, 9),
    ),
    system(
        "CcmExec.exe",
        "C:\\WINDOWS\\CCM\\CcmExec.exe",
        threads(8, 1, 0, 20),
    ),
    system(
        "WmiPrvSE.exe",
        "C:\\WINDOWS\\system32\\wbem\\wmiprvse.exe",
        threads(3, 1, 0, 6),
    ),
    system(
        "WmiPrvSE.exe",
        "C:\\WINDOWS\\system32\\wbem\\wmiprvse.exe -secured -Embedding",
        threads(3, 1, 0, 6),
    ),
    user(1, "dwm.exe", "\"dwm.exe\"", threads(0, 2, 0, 9)),
    user(1, "sihost.exe", "sihost.exe", threads(2, 1, 0, 8)),
    user(
        1,
        "explorer.exe",
        "C:\\WINDOWS\\Explorer.EXE",
        threads(9, 3, 0, 40),
    ),
    user(1, "ctfmon.exe", "\"ctfmon.exe\"", threads(1, 0, 0, 8)),
    user(
        4,
        "dllhost.exe",
        "C:\\WINDOWS\\system32\\DllHost.exe /Processid:{AB8902B4-09CA-4BB6-B78D-A8F59079A8D5}",
        threads(2, 0, 0, 4),
    ),
    user(
        8,
        "RuntimeBroker.exe",
        "C:\\Windows\\System32\\RuntimeBroker.exe -Embedding",
        threads(2, 0, 0, 5),
    ),
    user(
        1,
        "SearchHost.exe",
        "\"C:\\Windows\\SystemApps\\MicrosoftWindows.Client.CBS_cw5n1h2txyewy\\SearchHost.exe\"",
        threads(4, 1, 0, 18),
    ),
    user(
        1,
        "StartMenuExperienceHost.exe",
        "\"C:\\Windows\\SystemApps\\Microsoft.Windows.StartMenuExperienceHost_cw5n1h2txyewy\\StartMenuExperienceHost.exe\"",
        threads(3, 0, 0, 18),
    ),
    user(
        1,
        "ShellExperienceHost.exe",
        "\"C:\\Windows\\SystemApps\\ShellExperienceHost_cw5n1h2txyewy\\ShellExperienceHost.exe\"",
        threads(3, 0, 0, 14),
    ),
    user(
        1,
        "SystemSettings.exe",
        "\"C:\\Windows\\ImmersiveControlPanel\\SystemSettings.exe\"",
        threads(2, 0, 0, 12),
    ),
    user(
        1,
        "OneDrive.exe",
        "\"C:\\Users\\user\\AppData\\Local\\Microsoft\\OneDrive\\OneDrive.exe\" /background",
        threads(5, 1, 1, 30),
    ),
    user(
        1,
        "OUTLOOK.EXE",
        "\"C:\\Program Files\\Microsoft Office\\root\\Office16\\OUTLOOK.EXE\"",
        threads(7, 2, 0, 40),
    ),
    user(
        1,
        "chrome.exe",
        "\"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe\"",
        threads(8, 3, 1, 34),
    ),
    user(
        1,
        "chrome.exe",
        "\"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe\" --type=gpu-process",
        threads(2, 2, 1, 9),
    ),
    user(
        22,
        "chrome.exe",
        "\"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe\" --type=renderer --renderer-client-id={n}",
        threads(3, 1, 0, 6),
    ),
    user(
        6,
        "msedgewebview2.exe",
        "\"C:\\Program Files (x86)\\Microsoft\\EdgeWebView\\Application\\130.0.2849.80\\msedgewebview2.exe\" --type=renderer --renderer-client-id={n}",
        threads(3, 1, 0, 8),
    ),
    user(
        6,
        "Teams.exe",
        "\"C:\\Users\\user\\AppData\\Local\\Microsoft\\Teams\\current\\Teams.exe\" --type=renderer --renderer-client-id={n}",
        threads(4, 1, 0, 12),
    ),
    user(
        5,
        "Code.exe",
        "\"C:\\Users\\user\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe\" --type=renderer --renderer-client-id={n}",
        threads(3, 1, 0, 14),
    ),
    user(
        3,
        "devenv.exe",
        "\"C:\\Program Files\\Microsoft Visual Studio\\2022\\Professional\\Common7\\IDE\\devenv.exe\"",
        threads(6, 1, 1, 50),
    ),
    user(
        3,
        "WindowsTerminal.exe",
        "\"C:\\Program Files\\WindowsApps\\Microsoft.WindowsTerminal_1.21.2911.0_x64__8wekyb3d8bbwe\\WindowsTerminal.exe\"",
        threads(2, 1, 0, 11),
    ),
    user(
        6,
        "conhost.exe",
        "\\??\\C:\\WINDOWS\\system32\\conhost.exe 0x4",
        threads(1, 0, 0, 3),
    ),
    user(
        6,
        "powershell.exe",
        "\"C:\\WINDOWS\\System32\\WindowsPowerShell\\v1.0\\powershell.exe\"",
        threads(4, 0, 0, 9),
    ),
    user(
        1,
        "Taskmgr.exe",
        "\"C:\\WINDOWS\\system32\\taskmgr.exe\" /4",
        threads(2, 1, 0, 9),
    ),
    user(
        1,
        "UIforETW.exe",
        "\"C:\\etwtools\\UIforETW.exe\"",
        threads(1, 1, 0, 5),
    ),
];
