//! Changes of threads' priorities, affinities and processors, group 05: layouts from ntwmi and MOF.

use crate::file::bytes::Bytes;
use crate::file::event::KernelEvent;

/// Which of its priorities a thread gets anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriorityKind {
    /// The priority that it is scheduled by, 0530h v3.
    Dynamic,
    /// Its base priority, 0531h.
    Base {
        /// The priority that follows from it.
        dynamic: u8,
    },
    /// That of its memory pages, 0533h.
    Page,
    /// That of its disk requests, 0534h.
    Io,
}

/// A thread gets a priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetPriority {
    /// Which.
    pub kind: PriorityKind,
    /// The thread.
    pub tid: u32,
    /// The priority before.
    pub old: u8,
    /// The priority from now on.
    pub new: u8,
}

impl KernelEvent for SetPriority {
    fn hook(&self) -> u16 {
        match self.kind {
            PriorityKind::Dynamic => 0x0530,
            PriorityKind::Base { .. } => 0x0531,
            PriorityKind::Page => 0x0533,
            PriorityKind::Io => 0x0534,
        }
    }

    fn version(&self) -> u8 {
        3
    }

    fn write(&self, out: &mut Bytes) {
        let dynamic = match self.kind {
            PriorityKind::Dynamic => self.new,
            PriorityKind::Base { dynamic } => dynamic,
            PriorityKind::Page | PriorityKind::Io => 0,
        };
        out.u32(self.tid)
            .u8(self.old)
            .u8(self.new)
            .u8(dynamic)
            .u8(0);
    }
}

/// What AutoBoost does for the owner of a lock that others wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutoBoostChange {
    /// Sets the floor of its priority, 0542h.
    SetFloor {
        /// Lowest priority from now on.
        floor: u8,
        /// Priority before.
        old_priority: u8,
    },
    /// Takes the floor away, 0543h.
    ClearFloor,
    /// Has no room to remember the lock and gives nothing, 0544h.
    Exhausted,
}

/// An AutoBoost event, version 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AutoBoost {
    /// What happens.
    pub change: AutoBoostChange,
    /// Address of the lock.
    pub lock: u64,
    /// The thread that owns it.
    pub tid: u32,
}

impl KernelEvent for AutoBoost {
    fn hook(&self) -> u16 {
        match self.change {
            AutoBoostChange::SetFloor { .. } => 0x0542,
            AutoBoostChange::ClearFloor => 0x0543,
            AutoBoostChange::Exhausted => 0x0544,
        }
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.pointer(self.lock).u32(self.tid);
        match self.change {
            AutoBoostChange::SetFloor {
                floor,
                old_priority,
            } => {
                out.u8(floor).u8(old_priority).u8(0).u8(2);
            }
            AutoBoostChange::ClearFloor => {
                out.u16(2).u16(0);
            }
            AutoBoostChange::Exhausted => {}
        }
    }
}

/// A thread may run on other processors, 0535h v2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetAffinity {
    /// The thread.
    pub tid: u32,
    /// Its processor group.
    pub group: u16,
    /// The group's processors that it may run on, as bits.
    pub mask: u64,
}

impl KernelEvent for SetAffinity {
    fn hook(&self) -> u16 {
        0x0535
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.pointer(self.mask).u32(self.tid).u16(self.group).u16(0);
    }
}

/// A thread moves to another processor, 053Dh v2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    /// The thread.
    pub tid: u32,
    /// Processor that it leaves.
    pub source_cpu: u16,
    /// Processor that it goes to.
    pub target_cpu: u16,
    /// Its priority.
    pub priority: u8,
    /// Its ideal processor before, if that changes too.
    pub old_ideal_cpu: Option<u16>,
}

impl KernelEvent for Migration {
    fn hook(&self) -> u16 {
        0x053D
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(self.tid)
            .u16(self.source_cpu)
            .u16(self.target_cpu)
            .u8(self.priority)
            .u8(u8::from(self.old_ideal_cpu.is_some()))
            .u16(self.old_ideal_cpu.unwrap_or(0));
    }
}

/// The fair share scheduler begins a new interval, 053Ah v2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DfssInterval {
    /// Number of the interval.
    pub generation: u32,
    /// Cycles that all sessions may use.
    pub credit_cycles: u64,
    /// Cycles that they used in the interval before.
    pub used_cycles: u64,
    /// Session, its weight, and the cycles that it used.
    pub sessions: Vec<(u32, u32, u64)>,
}

impl KernelEvent for DfssInterval {
    fn hook(&self) -> u16 {
        0x053A
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        let count = u32::try_from(self.sessions.len()).unwrap_or(u32::MAX);
        out.u32(self.generation)
            .u32(count)
            .u64(self.credit_cycles)
            .u64(self.used_cycles);
        for &(session, weight, cycles) in &self.sessions {
            out.u32(session)
                .u32(weight)
                .i64(i64::from(weight))
                .u64(cycles);
        }
    }
}
