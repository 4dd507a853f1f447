//! Names of functions for addresses, from PDBs in folders and on symbol servers.

mod address;
mod bounds;
#[cfg(not(target_family = "wasm"))]
mod download;
#[cfg(target_family = "wasm")]
#[path = "asked_download.rs"]
mod download;
mod download_error;
mod identity;
mod native_image;
mod protocol;
mod resolve;
mod search;
mod source;
mod symbol_path;
mod unpack;

pub use identity::{IdentityError, PdbIdentity};
#[cfg(target_family = "wasm")]
pub use protocol::Fetch;
pub use protocol::{Answer, Named, Outcome, Request};
pub use resolve::{ReadError, resolve};
pub use search::{Search, answer};
pub use symbol_path::{PathError, SymbolPath};
