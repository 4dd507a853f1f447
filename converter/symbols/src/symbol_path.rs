//! The language of `_NT_SYMBOL_PATH`: folders, symbol stores and servers, one after the other
//! (Microsoft, "Symbol path for Windows debuggers" and "Advanced SymSrv use").

use std::path::PathBuf;

/// A part of a symbol path that cannot be meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("symbol path: {part:?} is no folder, no srv*STORE*SERVER and no cache*FOLDER: {why}")]
pub struct PathError {
    part: String,
    why: &'static str,
}

/// A place where PDBs may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A folder: PDBs in it, or a store of them.
    Folder(PathBuf),
    /// A symbol server; what it sends is kept in the folder.
    Server {
        /// Its address, without a slash at the end.
        url: String,
        /// The store that keeps what it sends.
        cache: PathBuf,
    },
}

/// Where to look for PDBs, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolPath {
    /// The places.
    pub places: Vec<Place>,
}

impl SymbolPath {
    /// Reads a symbol path. What servers send is kept in the nearest store that stands before them in their part
    /// (`srv*STORE*SERVER`), else in that of the last `cache*STORE`, else in `cache`.
    ///
    /// # Errors
    /// Fails if a part cannot be meant.
    pub fn parse(text: &str, cache: PathBuf) -> Result<Self, PathError> {
        let mut places = Vec::new();
        let mut current = cache.clone();
        for part in text
            .split(';')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let fail = |why| PathError {
                part: part.to_owned(),
                why,
            };
            let mut words = part.split('*').map(str::trim);
            let first = words.next().unwrap_or_default();
            let rest: Vec<&str> = words.collect();
            match (first.to_ascii_lowercase().as_str(), rest.as_slice()) {
                ("cache", [""]) => current.clone_from(&cache),
                ("cache", [folder]) if !is_server(folder) => {
                    current = PathBuf::from(folder);
                    places.push(Place::Folder(current.clone()));
                }
                ("cache", _) => return Err(fail("cache* takes one folder")),
                ("srv", stores) => chain(&mut places, stores, &current).map_err(fail)?,
                ("symsrv", [_, stores @ ..]) => {
                    chain(&mut places, stores, &current).map_err(fail)?
                }
                (_, []) => places.push(place(first, &current)),
                _ => return Err(fail("no such kind of part")),
            }
        }
        places.dedup();
        Ok(Self { places })
    }
}

fn is_server(word: &str) -> bool {
    let start = word.get(..8).unwrap_or(word).to_ascii_lowercase();
    start.starts_with("http://") || start.starts_with("https://")
}

fn place(word: &str, cache: &std::path::Path) -> Place {
    if is_server(word) {
        let url = word.trim_end_matches('/').to_owned();
        let cache = cache.to_owned();
        Place::Server { url, cache }
    } else {
        Place::Folder(PathBuf::from(word))
    }
}

/// The stores of a `srv*…`, the nearest first; an empty one is the default cache.
fn chain(
    places: &mut Vec<Place>,
    stores: &[&str],
    cache: &std::path::Path,
) -> Result<(), &'static str> {
    if stores.iter().all(|store| store.is_empty()) {
        return Err("it names no store and no server");
    }
    let mut nearest = cache.to_owned();
    if stores.first().is_some_and(|first| is_server(first)) {
        places.push(Place::Folder(nearest.clone()));
    }
    for (at, store) in stores.iter().enumerate() {
        let next = if store.is_empty() {
            Place::Folder(cache.to_owned())
        } else {
            place(store, &nearest)
        };
        if let (0, Place::Folder(folder)) = (at, &next) {
            nearest.clone_from(folder);
        }
        places.push(next);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(path: &str) -> Place {
        Place::Folder(PathBuf::from(path))
    }

    fn server(url: &str, cache: &str) -> Place {
        Place::Server {
            url: url.to_owned(),
            cache: PathBuf::from(cache),
        }
    }

    fn parse(text: &str) -> Result<Vec<Place>, PathError> {
        SymbolPath::parse(text, PathBuf::from("/default")).map(|path| path.places)
    }

    #[test]
    fn folders_and_servers_in_their_order() {
        assert_eq!(parse(" ; ").unwrap(), []);
        assert_eq!(parse("/a; /b").unwrap(), [folder("/a"), folder("/b")]);
        assert_eq!(
            parse("https://s.example/sym/").unwrap(),
            [server("https://s.example/sym", "/default")]
        );
    }

    #[test]
    fn a_store_keeps_what_the_servers_after_it_send() {
        assert_eq!(
            parse(r"SRV*C:\Symbols*\\share\symbols*https://msdl.example/download/symbols").unwrap(),
            [
                folder(r"C:\Symbols"),
                folder(r"\\share\symbols"),
                server("https://msdl.example/download/symbols", r"C:\Symbols"),
            ]
        );
        let default = [folder("/default"), server("http://s", "/default")];
        assert_eq!(parse("srv*http://s").unwrap(), default);
        assert_eq!(parse("srv**http://s").unwrap(), default);
        assert_eq!(
            parse("symsrv*symsrv.dll*/c*http://s").unwrap(),
            [folder("/c"), server("http://s", "/c")]
        );
    }

    #[test]
    fn cache_holds_for_what_follows() {
        assert_eq!(
            parse("srv*http://a;cache*/mine;srv*http://b;cache*;http://c").unwrap(),
            [
                folder("/default"),
                server("http://a", "/default"),
                folder("/mine"),
                server("http://b", "/mine"),
                server("http://c", "/default"),
            ]
        );
    }

    #[test]
    fn what_cannot_be_meant_is_named() {
        for part in ["srv*", "srv**", "ftp*x", "cache*/a*/b", "symsrv*symsrv.dll"] {
            assert!(
                parse(&format!("/a;{part}"))
                    .unwrap_err()
                    .to_string()
                    .contains(part)
            );
        }
    }
}
