//! What holds over spans of time, whatever the scheduler does; and where the CPUs are. `None` where nothing tells.

/// A CPU of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cpu {
    /// Its number in all tables.
    pub cpu: u16,
    /// Its processor group.
    pub group: Option<u16>,
    /// Its number within the group.
    pub number: Option<u8>,
    /// When it is not known for the first time what it runs after a switch; `None` where that is always known.
    pub unknown_ts_ns: Option<u64>,
}

/// A span in which a thread can run on certain CPUs only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affinity {
    /// When it begins.
    pub ts_ns: u64,
    /// When it ends: with the next one, with the thread or with the recording.
    pub te_ns: u64,
    /// Key of the thread.
    pub utid: Option<u32>,
    /// Processor group.
    pub group: Option<u16>,
    /// CPUs of the group, as bits.
    pub mask: u64,
    /// The same by their numbers in all tables, as a JSON list; `None` where these are all CPUs, or nothing tells which.
    pub cpus: Option<Box<str>>,
    /// Key of the thread that set it.
    pub by_utid: Option<u32>,
}

/// A span in which a process was frozen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// When it begins; where that was before the recording, when this starts.
    pub ts_ns: u64,
    /// When it ends: with the thaw, with the process or with the recording.
    pub te_ns: u64,
    /// Key of the process.
    pub upid: Option<u32>,
    /// Its process id.
    pub pid: u32,
    /// Key of the thread that froze it.
    pub by_utid: Option<u32>,
    /// It was frozen before the recording.
    pub open_start: bool,
    /// No thaw is recorded.
    pub open_end: bool,
}

/// A span in which the machine slept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suspend {
    /// When it is about to sleep.
    pub ts_ns: u64,
    /// When it has woken, or the recording ends.
    pub te_ns: u64,
    /// How far the performance counter went meanwhile, in ns.
    pub counter_ns: Option<i64>,
    /// No waking is recorded.
    pub open_end: bool,
}

/// A service of Windows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Service {
    /// When it is listed first with these values.
    pub ts_ns: u64,
    /// Its name.
    pub name: Option<Box<str>>,
    /// Its name for people.
    pub display_name: Option<Box<str>>,
    /// Process id of its host.
    pub pid: Option<u32>,
    /// Windows' number for it.
    pub sub_process_tag: Option<u32>,
    /// Its state, in words.
    pub state: Option<Box<str>>,
}

/// A span in which a process had the focus of its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Focus {
    /// When it begins; where that was before the recording, when this starts.
    pub ts_ns: u64,
    /// When it ends: with the next change, or with the recording.
    pub te_ns: u64,
    /// Terminal session.
    pub session: Option<i64>,
    /// Key of the process.
    pub upid: Option<u32>,
    /// Its process id.
    pub pid: u32,
    /// It had the focus before the recording.
    pub open_start: bool,
    /// It still had the focus when the recording ended.
    pub open_end: bool,
}

/// What the user did with keyboard or mouse.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// When.
    pub ts_ns: u64,
    /// What: 0 a mouse button goes down, 1 up, 2 the mouse moves, 3 its wheel turns, 4 a key goes down.
    pub kind: u8,
    /// The button, how far the wheel was turned, or the code of the key.
    pub code: Option<i64>,
    /// Name of the key.
    pub key_name: Option<Box<str>>,
    /// Where the mouse was, in pixels from the left.
    pub x: Option<i64>,
    /// Where the mouse was, in pixels from the top.
    pub y: Option<i64>,
}
