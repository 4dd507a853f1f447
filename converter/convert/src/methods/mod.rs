//! Methods of .NET programs: which code of a process is whose. Collected in pass 1, since a rundown at the trace's end
//! names what ran before it; given to frames in pass 2.

mod lives;
mod method;
mod names;
mod record;

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::fate::Skip;
use crate::lifetime::Lifetimes;

use lives::MethodLives;

pub use method::{Method, MethodName};
pub use names::{NameId, Names};
pub use record::MethodRecords;

/// The module of a method whose file is not recorded.
pub const MODULE_UNKNOWN: &str = "[.NET]";

/// A method whose code is not at its address for the whole life of its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassingMethod {
    /// Index in [`Lifetimes::processes`].
    pub process: usize,
    /// Its process id.
    pub pid: u32,
    /// The method.
    pub method: Method,
    /// From when on its address is its own; `i64::MIN` if nothing was there before.
    pub from_raw: i64,
    /// Until when; `i64::MAX` if nothing ends it.
    pub until_raw: i64,
}

/// Where the methods of a process are.
#[derive(Clone, Debug)]
struct OfProcess {
    staying: Range<usize>,
    passing: Range<usize>,
}

/// All methods that the trace names.
#[derive(Debug, Default)]
pub struct Methods {
    names: Names,
    /// Those that stay as long as their process, by process and address; none overlaps another of its process.
    staying: Vec<Method>,
    /// The others, by process, those of one address in the order of time.
    pub passing: Vec<PassingMethod>,
    of_process: FxHashMap<usize, OfProcess>,
    /// Why methods are not kept, and how many events were about them.
    pub left_out: Vec<(Skip, u64)>,
}

impl Methods {
    /// Builds them from the records of all buffers. Methods of a process that nothing else describes name no frame.
    pub fn build(records: &MethodRecords, lifetimes: &Lifetimes) -> Self {
        let mut collected = records.take();
        let unknown = collected.names.id(MODULE_UNKNOWN);
        collected.names.freeze();
        collected.paths.sort_unstable();
        let modules = &collected.modules;
        let pid_of = |module: u32| modules.get(module as usize).map_or(0, |(pid, _)| *pid);
        // At equal times an unload makes room for a load.
        collected.methods.par_sort_unstable_by_key(|record| {
            let phase = record.sign != etw::ClrSign::Unload;
            (pid_of(record.module), record.raw, phase, record.start)
        });
        let mut built = Self {
            names: collected.names,
            left_out: collected.left_out.into_iter().collect(),
            ..Self::default()
        };
        built.left_out.sort_unstable();
        let paths = &collected.paths;
        let mut records = collected.methods.iter().peekable();
        while let Some(first) = records.peek() {
            let pid = pid_of(first.module);
            let process = lifetimes.process_of(pid, first.raw);
            let mut lives = MethodLives::default();
            while let Some(record) = records.next_if(|record| {
                pid_of(record.module) == pid && lifetimes.process_of(pid, record.raw) == process
            }) {
                let module = path_of(paths, record.module, record.raw).or(unknown);
                if let Some(module) = module {
                    lives.add(record, module);
                }
            }
            if let Some(process) = process {
                built.add_process(pid, process, lives);
            }
        }
        built
    }

    fn add_process(&mut self, pid: u32, process: usize, lives: MethodLives) {
        let (staying, passing) = (self.staying.len(), self.passing.len());
        for life in lives.into_vec() {
            if (life.from_raw, life.until_raw) == (i64::MIN, i64::MAX) {
                self.staying.push(life.method);
            } else {
                self.passing.push(PassingMethod {
                    process,
                    pid,
                    method: life.method,
                    from_raw: life.from_raw,
                    until_raw: life.until_raw,
                });
            }
        }
        let staying = staying..self.staying.len();
        if let Some(methods) = self.staying.get_mut(staying.clone()) {
            methods.sort_unstable_by_key(|method| method.start);
        }
        let passing = passing..self.passing.len();
        let ranges = OfProcess { staying, passing };
        self.of_process.insert(process, ranges);
    }

    /// Whether any method of a process is named.
    pub fn has_process(&self, process: usize) -> bool {
        self.of_process.contains_key(&process)
    }

    /// The methods that stay as long as a process, by address.
    pub fn staying_in(&self, process: usize) -> &[Method] {
        let range = self.of_process.get(&process);
        range
            .and_then(|of| self.staying.get(of.staying.clone()))
            .unwrap_or_default()
    }

    /// The others of a process, those of one address in the order of time.
    pub fn passing_in(&self, process: usize) -> &[PassingMethod] {
        let range = self.of_process.get(&process);
        range
            .and_then(|of| self.passing.get(of.passing.clone()))
            .unwrap_or_default()
    }

    /// What all methods are called.
    pub fn method_names(&self) -> impl Iterator<Item = MethodName> + '_ {
        let passing = self.passing.iter().map(|life| &life.method);
        let methods = self.staying.iter().chain(passing);
        methods.map(|method| method.name)
    }

    /// The texts that names are made of.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Puts other texts in the places of those that names are made of.
    pub fn rename(&mut self, names: Names) {
        self.names = names;
    }

    /// Path of the file that methods come from, or what stands for it.
    pub fn module(&self, module: NameId) -> &str {
        self.names.text(module)
    }

    /// A name with type and namespaces, as `Namespace.Type.Method`; empty if it is not to be written.
    pub fn full_name(&self, name: MethodName) -> String {
        let parts = [name.namespace, name.name].map(|part| self.names.text(part));
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(".")
    }
}

/// The path that a module had at a time: that told last before, else the first.
fn path_of(paths: &[record::PathRecord], module: u32, raw: i64) -> Option<NameId> {
    let after = paths.partition_point(|path| (path.module, path.raw) <= (module, raw));
    let is_same = |path: &&record::PathRecord| path.module == module;
    let before = after.checked_sub(1).and_then(|at| paths.get(at));
    before
        .filter(is_same)
        .or(paths.get(after).filter(is_same))
        .map(|path| path.path)
}
