//! What is asked and answered: a JSON object on a line each.

use serde::{Deserialize, Serialize};

/// The addresses of one image whose functions are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What answers call it by.
    pub module: u32,
    /// Name of the PDB, with the path where it was built or without.
    pub pdb: String,
    /// GUID of the build, with hyphens or without.
    pub guid: String,
    /// Age of the build.
    pub age: u32,
    /// Length of the image in memory in bytes; absent where it is not known.
    pub image_bytes: Option<u32>,
    /// Addresses of instructions, less that of the image.
    #[serde(default)]
    pub rvas: Vec<u32>,
    /// Addresses that calls return to, likewise. The call is the instruction before, which may be in another function.
    #[serde(default)]
    pub returns: Vec<u32>,
}

/// Something said of a module. `found` or `missing` is the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// As in the request.
    pub module: u32,
    /// What is said.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What is said of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A server sends the PDB.
    Download {
        /// From where.
        url: String,
        /// So much of it is here.
        bytes: u64,
        /// All of it, if the server says so.
        total_bytes: Option<u64>,
    },
    /// The program has no network: whoever runs it fetches a file, and replies on stdin.
    #[cfg(target_family = "wasm")]
    Fetch(Fetch),
    /// Some of the addresses, with their functions. Addresses in no function are left out.
    Symbols(Vec<Named>),
    /// The PDB was found here, and all that it tells was said.
    Found(String),
    /// The PDB was not found: where it was looked for, and what was there instead.
    Missing(Vec<String>),
}

/// A file that shall come from a server.
#[cfg(target_family = "wasm")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fetch {
    /// The server's address, as the symbol path names it.
    pub server: String,
    /// The file's address.
    pub url: String,
    /// Where it shall be written; it is there, and empty.
    pub file: String,
    /// How the server shall know the program.
    pub user_agent: &'static str,
    /// A larger file is not wanted.
    pub bytes_max: u64,
    /// The server may send on so often.
    pub redirects_max: u32,
    /// So long it may take to connect.
    pub connecting_max_ms: u64,
    /// So long from then on until there is an answer.
    pub answering_max_ms: u64,
    /// So long between two pieces of it.
    pub silence_max_ms: u64,
    /// So long all together.
    pub downloading_max_ms: u64,
    /// Least time between two reports of progress.
    pub interval_ms: u64,
}

/// The function at an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The address, as in the request.
    pub rva: u32,
    /// Its name, with namespaces and classes, without parameters. Inlined functions count as part of it.
    pub function: String,
    /// The source file; absent where the PDB names none. Public PDBs name none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in it; likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}
