//! Looks for PDBs where a symbol path says, and tells why one was not found.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::address::address;
use crate::download::Client;
use crate::download_error::DownloadError;
use crate::identity::PdbIdentity;
use crate::protocol::{Answer, Named, Outcome, Request};
use crate::resolve::{ReadError, check, resolve};
use crate::symbol_path::{Place, SymbolPath};
use crate::unpack::unpack;

/// Functions in one answer.
const NAMED_MAX: usize = 4096;

/// Looks along one symbol path.
#[derive(Debug)]
pub struct Search {
    path: SymbolPath,
    client: Client,
}

impl Search {
    /// Along this path.
    pub fn new(path: SymbolPath) -> Self {
        Self {
            path,
            client: Client::default(),
        }
    }

    /// The first PDB of that build that can be read, and what `read` makes of it; otherwise why there is none, place by place.
    fn find<T>(
        &self,
        identity: &PdbIdentity,
        tell: &mut dyn FnMut(Outcome),
        mut read: impl FnMut(&Path) -> Result<T, ReadError>,
    ) -> Result<(PathBuf, T), Vec<String>> {
        let mut reasons = Vec::new();
        for place in &self.path.places {
            let candidates = match place {
                Place::Folder(folder) => candidates(folder, identity, &mut reasons),
                Place::Server { url, cache } => match self.fetch(url, cache, identity, tell) {
                    Ok(path) => vec![path],
                    Err(reason) => {
                        reasons.push(reason);
                        continue;
                    }
                },
            };
            for path in candidates {
                match read(&path) {
                    Ok(result) => return Ok((path, result)),
                    Err(error) => reasons.push(format!("{}: {error}", path.display())),
                }
            }
        }
        if self.path.places.is_empty() {
            reasons.push("the symbol path names no place".to_owned());
        }
        Err(reasons)
    }

    /// Has a server send the PDB, as it is or as a cabinet, and keeps it; otherwise why not.
    fn fetch(
        &self,
        server: &str,
        cache: &Path,
        identity: &PdbIdentity,
        tell: &mut dyn FnMut(Outcome),
    ) -> Result<PathBuf, String> {
        let name = identity.name();
        let key = identity.key();
        let plain = address(server, [name, &key, name]);
        let kept = store_path(cache, identity);
        let no_room =
            |error: std::io::Error| format!("{}: cannot be kept: {error}", kept.display());
        fs::create_dir_all(cache).map_err(no_room)?;
        let mut file = NamedTempFile::new_in(cache).map_err(no_room)?;
        let mut get =
            |url: &str, file: &mut NamedTempFile| self.client.get(server, url, file, tell);
        let got = match get(&plain, &mut file) {
            Err(DownloadError::NotThere(_)) if name.is_ascii() => {
                let packed_name = packed(name);
                let url = address(server, [name, &key, &packed_name]);
                let mut cabinet = NamedTempFile::new_in(cache).map_err(no_room)?;
                get(&url, &mut cabinet).and_then(|()| {
                    unpack(cabinet.path(), &mut file)
                        .map_err(|error| DownloadError::Other(error.to_string()))
                })
            }
            got => got,
        };
        got.map_err(|error| format!("{plain}: {error}"))?;
        check(file.path(), identity).map_err(|error| format!("{plain}: {error}"))?;
        fs::create_dir_all(kept.parent().unwrap_or(cache)).map_err(no_room)?;
        file.persist(&kept).map_err(|error| no_room(error.error))?;
        Ok(kept)
    }
}

/// Answers one request, by what `tell` is given.
pub fn answer(search: &Search, request: Request, mut tell: impl FnMut(Answer)) {
    let module = request.module;
    let mut say = |outcome| tell(Answer { module, outcome });
    let identity = match PdbIdentity::new(&request.pdb, &request.guid, request.age) {
        Ok(identity) => identity,
        Err(error) => return say(Outcome::Missing(vec![error.to_string()])),
    };
    let read = |path: &Path| resolve(path, &identity, &request);
    match search.find(&identity, &mut say, read) {
        Ok((path, named)) => {
            let mut named: Vec<Named> = named;
            while !named.is_empty() {
                let rest = named.split_off(named.len().min(NAMED_MAX));
                say(Outcome::Symbols(std::mem::replace(&mut named, rest)));
            }
            say(Outcome::Found(path.display().to_string()));
        }
        Err(reasons) => say(Outcome::Missing(reasons)),
    }
}

/// Where a PDB may lie in a folder: in the folder itself, or in a store of one or of two tiers.
fn candidates(folder: &Path, identity: &PdbIdentity, reasons: &mut Vec<String>) -> Vec<PathBuf> {
    let (name, key) = (identity.name(), identity.key());
    if !folder.is_dir() {
        reasons.push(format!("{}: no such folder", folder.display()));
        return Vec::new();
    }
    let store = |parent: &Path| beneath(parent, &[name, &key, name]);
    let first_tier = name.get(..2).and_then(|start| beneath(folder, &[start]));
    let two_tiers = first_tier.and_then(|tier| store(&tier));
    let there: Vec<PathBuf> = [store(folder), two_tiers, beneath(folder, &[name])]
        .into_iter()
        .flatten()
        .filter(|path| path.is_file())
        .collect();
    if there.is_empty() {
        reasons.push(format!(
            "{}: has no {name}, nor {name}/{key}",
            folder.display()
        ));
    }
    there
}

/// The path in a folder, whatever the case of its letters: stores are made on Windows, and by tools that write a GUID in lower case.
fn beneath(folder: &Path, parts: &[&str]) -> Option<PathBuf> {
    parts.iter().try_fold(folder.to_owned(), |at, part| {
        let exact = at.join(part);
        if exact.exists() {
            return Some(exact);
        }
        let names = fs::read_dir(&at)
            .ok()?
            .flatten()
            .map(|entry| entry.file_name());
        let same = names.filter(|name| name.eq_ignore_ascii_case(part));
        same.min().map(|name| at.join(name))
    })
}

fn store_path(store: &Path, identity: &PdbIdentity) -> PathBuf {
    store
        .join(identity.name())
        .join(identity.key())
        .join(identity.name())
}

/// `ntdll.pdb` is `ntdll.pd_` where it is packed.
fn packed(name: &str) -> String {
    let mut packed: String = name.to_owned();
    packed.pop();
    packed.push('_');
    packed
}
