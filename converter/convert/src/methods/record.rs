//! What pass 1 keeps of the events of .NET runtimes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use etl::Event;
use etw::{ClrMethod, ClrModule, ClrSign, ClrSubject, Wide};
use rustc_hash::FxHashMap;

use super::names::{NameId, Names};
use crate::fate::Skip;

/// Events about methods that are kept at most, of all buffers together: 84 MB.
const METHODS_MAX: usize = 1 << 21;
/// The same for modules.
const MODULES_MAX: usize = 1 << 16;

/// Methods and modules of all buffers. Clones have the same records, so that they are in memory once.
#[derive(Clone, Debug, Default)]
pub struct MethodRecords {
    common: Arc<Mutex<Collected>>,
    namespace: Namespace,
}

/// The type that was named last, as it stands in the event: the methods of a type often come one after the other.
#[derive(Clone, Debug, Default)]
struct Namespace {
    bytes: Vec<u8>,
    id: Option<NameId>,
}

/// What was collected.
#[derive(Debug, Default)]
pub struct Collected {
    pub names: Names,
    pub methods: Vec<MethodRecord>,
    /// Process id and module id of each module.
    pub modules: Vec<(u32, u64)>,
    module_numbers: FxHashMap<(u32, u64), u32>,
    pub paths: Vec<PathRecord>,
    /// The name that is looked up.
    text: String,
    /// Why methods or modules are not kept, and how many events were about them.
    pub left_out: FxHashMap<Skip, u64>,
}

/// An event about a method.
#[derive(Clone, Copy, Debug)]
pub struct MethodRecord {
    /// Raw timestamp.
    pub raw: i64,
    /// Address of its code.
    pub start: u64,
    /// Size of its code in bytes; not 0.
    pub size_bytes: u32,
    /// Index in [`Collected::modules`].
    pub module: u32,
    /// Its type.
    pub namespace: NameId,
    /// Its name in the type.
    pub name: NameId,
    /// What the event says.
    pub sign: ClrSign,
}

/// An event about a module, in the order of [`Collected::modules`] and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathRecord {
    /// Index in [`Collected::modules`].
    pub module: u32,
    /// Raw timestamp.
    pub raw: i64,
    /// Path of the module's file.
    pub path: NameId,
}

impl MethodRecords {
    /// Takes in an event, if it is about a method or a module.
    #[inline]
    pub fn add(&mut self, event: &Event<'_>) {
        if let Some(subject) = ClrSubject::of(event) {
            let mut collected = lock(&self.common);
            if let Err(why) = collected.add(subject, event, &mut self.namespace) {
                *collected.left_out.entry(why).or_default() += 1;
            }
        }
    }

    /// All that was collected, which is taken away.
    pub fn take(&self) -> Collected {
        std::mem::take(&mut *lock(&self.common))
    }
}

fn lock(common: &Mutex<Collected>) -> MutexGuard<'_, Collected> {
    common.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Namespace {
    /// The id of a type's name.
    fn id(&mut self, name: Wide<'_>, collected: &mut Collected) -> Result<NameId, Skip> {
        if let Some(id) = self.id.filter(|_| self.bytes == name.as_bytes()) {
            return Ok(id);
        }
        let id = collected.name(name)?;
        self.id = Some(id);
        self.bytes.clear();
        self.bytes.extend_from_slice(name.as_bytes());
        Ok(id)
    }
}

impl Collected {
    fn add(
        &mut self,
        subject: ClrSubject,
        event: &Event<'_>,
        namespace: &mut Namespace,
    ) -> Result<(), Skip> {
        // The runtime writes the event from within the process that the event is about.
        let pid = event.header_pid.unwrap_or(0);
        match subject {
            ClrSubject::Method(sign) => {
                let method = ClrMethod::decode(event.payload).map_err(|_| Skip::PayloadShort)?;
                let end = method.start.checked_add(method.size_bytes.into());
                if method.size_bytes == 0 || end.is_none() {
                    return Ok(());
                }
                if self.methods.len() >= METHODS_MAX {
                    return Err(Skip::TooManyMethods);
                }
                let record = MethodRecord {
                    raw: event.timestamp,
                    start: method.start,
                    size_bytes: method.size_bytes,
                    module: self.module(pid, method.module_id)?,
                    namespace: namespace.id(method.namespace, self)?,
                    name: self.name(method.name)?,
                    sign,
                };
                self.methods.push(record);
            }
            ClrSubject::Module | ClrSubject::DomainModule => {
                let of_domain = subject == ClrSubject::DomainModule;
                let module =
                    ClrModule::decode(of_domain, event.payload).map_err(|_| Skip::PayloadShort)?;
                if module.il_path.is_empty() {
                    return Ok(());
                }
                if self.paths.len() >= MODULES_MAX {
                    return Err(Skip::TooManyMethods);
                }
                let record = PathRecord {
                    module: self.module(pid, module.id)?,
                    raw: event.timestamp,
                    path: self.name(module.il_path)?,
                };
                self.paths.push(record);
            }
        }
        Ok(())
    }

    fn name(&mut self, name: Wide<'_>) -> Result<NameId, Skip> {
        self.text = name.to_text_in(std::mem::take(&mut self.text));
        self.names.id(&self.text).ok_or(Skip::TooManyMethods)
    }

    fn module(&mut self, pid: u32, id: u64) -> Result<u32, Skip> {
        if let Some(&known) = self.module_numbers.get(&(pid, id)) {
            return Ok(known);
        }
        let number = self.modules.len();
        if number >= MODULES_MAX {
            return Err(Skip::TooManyMethods);
        }
        self.modules.push((pid, id));
        self.module_numbers.insert((pid, id), number as u32);
        Ok(number as u32)
    }
}
