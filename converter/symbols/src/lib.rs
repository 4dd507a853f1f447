//! Names of functions for addresses, from PDBs in folders and on symbol servers.

mod address;
#[cfg(not(target_family = "wasm"))]
mod download;
#[cfg(target_family = "wasm")]
#[path = "no_download.rs"]
mod download;
mod identity;
mod native_image;
mod protocol;
mod resolve;
mod search;
mod source;
mod symbol_path;
mod unpack;

pub use identity::{IdentityError, PdbIdentity};
pub use protocol::{Answer, Named, Outcome, Request};
pub use resolve::{ReadError, resolve};
pub use search::{Search, answer};
pub use symbol_path::{PathError, SymbolPath};
