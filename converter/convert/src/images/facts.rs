//! What events say about an image, owned.

use std::sync::Arc;

use etl::Guid;

use crate::lifetime::{Facts, replace};

/// What is known of one stay of an image in memory. `None` where no event tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageFacts {
    /// The process that it is loaded into; 0 for the kernel's images, which all processes see.
    pub pid: u32,
    /// Address of its first byte.
    pub base: u64,
    /// Size in memory in bytes.
    pub size_bytes: u64,
    /// Whether it is one of the kernel's.
    pub is_kernel: bool,
    /// Its file.
    pub path: Option<Arc<str>>,
    /// Checksum in its header.
    pub checksum: Option<u32>,
    /// Time stamp in its header.
    pub timestamp: Option<u32>,
    /// Its name when it was built.
    pub original_name: Option<Arc<str>>,
    /// What a symbol server is asked for.
    pub symbols: Option<Symbols>,
}

/// Which symbols belong to an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbols {
    /// Identifies the build.
    pub guid: Guid,
    /// Counts changes to the symbols after it.
    pub age: u32,
    /// Path of the symbol file where it was built.
    pub pdb_path: Arc<str>,
}

impl Symbols {
    /// Whether they are those of a native image of .NET code, by the name that their writer demands.
    fn are_of_native_image(&self) -> bool {
        self.pdb_path.to_ascii_lowercase().ends_with(".ni.pdb")
    }
}

/// What an event says about which build of a file an image is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// What its header says.
    Build {
        /// [`ImageFacts::timestamp`].
        timestamp: u32,
        /// [`ImageFacts::original_name`].
        original_name: Option<Arc<str>>,
    },
    /// [`ImageFacts::symbols`].
    Symbols(Symbols),
}

impl ImageFacts {
    /// Adds what a later event says about the image's identity.
    pub fn identify(&mut self, identity: Identity) {
        match identity {
            Identity::Build {
                timestamp,
                original_name,
            } => {
                self.timestamp = Some(timestamp);
                replace(&mut self.original_name, original_name);
            }
            // A native image of .NET code has two: its own, and that of the code it was made of, which knows no addresses in it.
            Identity::Symbols(symbols) => match &self.symbols {
                Some(known) if known.are_of_native_image() && !symbols.are_of_native_image() => {}
                _ => self.symbols = Some(symbols),
            },
        }
    }

    /// Address after its last byte.
    pub fn end(&self) -> u64 {
        self.base.saturating_add(self.size_bytes)
    }
}

impl Facts for ImageFacts {
    type Id = (u32, u64);

    fn id(&self) -> (u32, u64) {
        (self.pid, self.base)
    }

    fn may_be_same(&self, other: &Self) -> bool {
        self.size_bytes == other.size_bytes
    }

    fn add(&mut self, later: Self) {
        replace(&mut self.path, later.path);
        replace(&mut self.checksum, later.checksum);
        replace(&mut self.timestamp, later.timestamp);
        replace(&mut self.original_name, later.original_name);
        replace(&mut self.symbols, later.symbols);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(pdb: &str) -> Symbols {
        Symbols {
            guid: Guid::new(1),
            age: 1,
            pdb_path: Arc::from(pdb),
        }
    }

    #[test]
    fn a_native_image_keeps_its_own_symbols_whichever_come_last() {
        let kept = |pdbs: &[&str]| {
            let mut facts = ImageFacts::default();
            for pdb in pdbs {
                facts.identify(Identity::Symbols(symbols(pdb)));
            }
            facts.symbols
        };
        let native = Some(symbols("mscorlib.ni.pdb"));
        assert_eq!(kept(&["mscorlib.pdb", "mscorlib.ni.pdb"]), native);
        assert_eq!(kept(&["mscorlib.ni.pdb", "mscorlib.pdb"]), native);
        assert_eq!(kept(&["a.pdb", "b.pdb"]), Some(symbols("b.pdb")));
    }
}
