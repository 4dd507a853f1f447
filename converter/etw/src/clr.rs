//! Methods and modules of .NET programs, told by the runtime (CLR) when they are loaded and unloaded, and listed by its
//! rundown for what was there already.
//!
//! Source: Microsoft docs, "Method ETW Events" and "Loader ETW Events"; read back from files of .NET Framework 4.5 and 4.6.

use etl::{Event, EventId, Guid};

use crate::payload::{Payload, Short, Wide};

/// `Microsoft-Windows-DotNETRuntime`: what is loaded and unloaded while the session runs.
pub const CLR_PROVIDER: Guid = Guid::new(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4);
/// `Microsoft-Windows-DotNETRuntimeRundown`: what is there when the session starts or ends.
pub const CLR_RUNDOWN_PROVIDER: Guid = Guid::new(0xa669021c_c450_4609_a035_5af59af4df18);

/// What an event says about a method or a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClrSign {
    /// It is loaded here.
    Load,
    /// It is unloaded here.
    Unload,
    /// It is there.
    Present,
}

/// What an event of the runtime is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClrSubject {
    /// A method: [`ClrMethod`].
    Method(ClrSign),
    /// A module, for a whole process: [`ClrModule`].
    Module,
    /// A module, for one of the process's application domains: [`ClrModule`].
    DomainModule,
}

impl ClrSubject {
    /// What an event is about; `None` for events of other providers, and those that name neither method nor module.
    #[inline]
    pub fn of(event: &Event<'_>) -> Option<Self> {
        let EventId::Manifest(descriptor) = event.id else {
            return None;
        };
        match (descriptor.provider, descriptor.id) {
            (CLR_PROVIDER, 143) => Some(Self::Method(ClrSign::Load)),
            (CLR_PROVIDER, 144) => Some(Self::Method(ClrSign::Unload)),
            (CLR_RUNDOWN_PROVIDER, 143 | 144) => Some(Self::Method(ClrSign::Present)),
            (CLR_PROVIDER, 151) | (CLR_RUNDOWN_PROVIDER, 151 | 152) => Some(Self::DomainModule),
            (CLR_PROVIDER, 152 | 153) | (CLR_RUNDOWN_PROVIDER, 153 | 154) => Some(Self::Module),
            _ => None,
        }
    }
}

/// The machine code of a method (`MethodLoadVerbose` and its like, versions 0 to 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClrMethod<'a> {
    /// Which [`ClrModule`] of the process it belongs to.
    pub module_id: u64,
    /// Address of its code.
    pub start: u64,
    /// Size of its code in bytes; of code in two parts only the first.
    pub size_bytes: u32,
    /// Its type, with namespaces and type arguments.
    pub namespace: Wide<'a>,
    /// Its name in the type.
    pub name: Wide<'a>,
}

impl<'a> ClrMethod<'a> {
    /// Decodes a method. Addresses have 8 bytes whatever the width of pointers.
    ///
    /// # Errors
    /// [`Short`] if the name is not there or is cut.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        let mut fields = || {
            let _method_id = payload.u64()?;
            let (module_id, start) = (payload.u64()?, payload.u64()?);
            let size_bytes = payload.u32()?;
            let (_token, _flags) = (payload.u32()?, payload.u32()?);
            Some(Self {
                module_id,
                start,
                size_bytes,
                namespace: payload.whole_wide()?,
                name: payload.whole_wide()?,
            })
        };
        fields().ok_or(Short {
            needed_bytes: METHOD_FIXED_BYTES + 4,
            found_bytes: bytes.len(),
        })
    }
}

const METHOD_FIXED_BYTES: usize = 36;

/// A module: the file that methods come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClrModule<'a> {
    /// What its methods name it by.
    pub id: u64,
    /// Path of the file with its intermediate language; empty or a mere name for generated code.
    pub il_path: Wide<'a>,
}

impl<'a> ClrModule<'a> {
    /// Decodes a module; `of_domain` if its event is of [`ClrSubject::DomainModule`].
    ///
    /// # Errors
    /// [`Short`] if the path is not there or is cut.
    pub fn decode(of_domain: bool, bytes: &'a [u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        let fixed_bytes = if of_domain { 32 } else { 24 };
        let mut fields = || {
            let id = payload.u64()?;
            payload.take(fixed_bytes - size_of::<u64>())?;
            let il_path = payload.whole_wide()?;
            Some(Self { id, il_path })
        };
        fields().ok_or(Short {
            needed_bytes: fixed_bytes + 2,
            found_bytes: bytes.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u8> {
        let units = text.encode_utf16().chain([0]);
        units.flat_map(u16::to_le_bytes).collect()
    }

    fn method() -> Vec<u8> {
        [
            &0x11_u64.to_le_bytes()[..],
            &0x22_u64.to_le_bytes(),
            &0x7FF8_0000_1000_u64.to_le_bytes(),
            &[0x40, 0, 0, 0, 1, 0, 0, 6, 8, 0, 0, 0],
            &wide("Shop.Cart"),
            &wide("Add"),
            &wide("instance void (int32)"),
            &[9, 0],
        ]
        .concat()
    }

    #[test]
    fn a_method_by_type_and_name() {
        let bytes = method();
        let method = ClrMethod::decode(&bytes).unwrap();
        let seen = (
            method.module_id,
            method.start,
            method.size_bytes,
            method.namespace.to_text(),
            method.name.to_text(),
        );
        let expected = ("Shop.Cart".to_owned(), "Add".to_owned());
        assert_eq!(seen, (0x22, 0x7FF8_0000_1000, 0x40, expected.0, expected.1));
    }

    #[test]
    fn a_cut_name_is_none() {
        let bytes = method();
        let through_name = METHOD_FIXED_BYTES + wide("Shop.Cart").len() + wide("Add").len();
        assert!(ClrMethod::decode(&bytes[..through_name]).is_ok());
        let short = ClrMethod::decode(&bytes[..through_name - 2]);
        let found_bytes = through_name - 2;
        assert_eq!(
            short,
            Err(Short {
                needed_bytes: 40,
                found_bytes
            })
        );
    }

    #[test]
    fn modules_of_processes_and_of_domains() {
        let id = 0x22_u64.to_le_bytes();
        let path = wide("C:\\shop\\Shop.dll");
        let module = [&id[..], &[0; 16], &path].concat();
        let of_domain = [&id[..], &[0; 24], &path].concat();
        let decoded = [(false, module), (true, of_domain)];
        for (of_domain, bytes) in decoded {
            let module = ClrModule::decode(of_domain, &bytes).unwrap();
            let seen = (module.id, module.il_path.to_text());
            assert_eq!(seen, (0x22, "C:\\shop\\Shop.dll".to_owned()));
        }
    }
}
