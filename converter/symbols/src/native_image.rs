//! PDBs of native images of .NET code (`*.ni.pdb`): public symbols, and lengths of sections without their addresses.
//!
//! Source: `PdbWriter.cs` of dotnet/runtime and its predecessor `ngen`, which give a PDB writer the sections with offset 0.

use std::collections::BTreeMap;

use pdb_addr2line::pdb::{FallibleIterator, PDB, Source, SymbolData};

use crate::resolve::ReadError;

/// Multiples that tools give sections in memory, in bytes; the first is the rule.
const ALIGNMENTS_BYTES: [u32; 3] = [0x1000, 0x2000, 0x10000];
/// What the writer marks a section by; another kind is its end mark.
const IS_SECTION: u8 = 1;

/// The methods of a native image, by address.
#[derive(Debug)]
pub struct NativeImage {
    methods: BTreeMap<u32, String>,
    /// First address after each section, by the section's own.
    ends: BTreeMap<u32, u32>,
}

impl NativeImage {
    /// Whether the PDB of this name is one of a native image: their writer takes no other name.
    pub fn is_meant(pdb_name: &str) -> bool {
        pdb_name.to_ascii_lowercase().ends_with(".ni.pdb")
    }

    /// Reads a PDB. Sections lie in memory one after another; `image_bytes`, the length of the image in memory, tells how far apart.
    ///
    /// # Errors
    /// Fails if the PDB is damaged, or its sections do not make an image of that length.
    pub fn read<'s>(
        pdb: &mut PDB<'s, impl Source<'s> + 's>,
        image_bytes: Option<u32>,
    ) -> Result<Self, ReadError> {
        let lengths: Vec<u32> = pdb
            .debug_information()?
            .section_map()?
            .filter(|section| Ok(section.section_type == IS_SECTION))
            .map(|section| Ok(section.section_length))
            .collect()?;
        let sections = place(&lengths, image_bytes).ok_or_else(|| {
            let image_bytes = image_bytes.map_or("any".to_owned(), |bytes| bytes.to_string());
            ReadError::Format(format!(
                "its sections of {lengths:?} bytes do not make an image of {image_bytes} bytes"
            ))
        })?;
        let mut methods = BTreeMap::new();
        let symbols = pdb.global_symbols()?;
        let mut symbols = symbols.iter();
        while let Some(symbol) = symbols.next()? {
            let Ok(SymbolData::Public(public)) = symbol.parse() else {
                continue;
            };
            let section = usize::from(public.offset.section).checked_sub(1);
            let Some(&(start, bytes)) = section.and_then(|section| sections.get(section)) else {
                continue;
            };
            if public.offset.offset < bytes {
                let name = method_name(&public.name.to_string());
                methods.insert(start + public.offset.offset, name);
            }
        }
        let ends = sections
            .into_iter()
            .map(|(start, bytes)| (start, start + bytes))
            .collect();
        Ok(Self { methods, ends })
    }

    /// The method whose code is at an address: the last that begins at or before it in the same section.
    pub fn method_at(&self, rva: u32) -> Option<&str> {
        let (section, end) = self.ends.range(..=rva).next_back()?;
        let (_, method) = self.methods.range(section..=&rva).next_back()?;
        (rva < *end).then_some(method)
    }
}

/// Address and length in bytes of each section, at the first alignment that makes an image of `image_bytes`.
fn place(lengths: &[u32], image_bytes: Option<u32>) -> Option<Vec<(u32, u32)>> {
    ALIGNMENTS_BYTES.into_iter().find_map(|alignment| {
        let mut end = alignment;
        let mut sections = Vec::with_capacity(lengths.len());
        for &bytes in lengths {
            sections.push((end, bytes));
            end = end
                .checked_add(bytes)?
                .checked_next_multiple_of(alignment)?;
        }
        let fits = image_bytes.is_none_or(|bytes| bytes == end);
        fits.then_some(sections)
    })
}

/// A method's name without its parameters, assembly and token: `[COLD] A.B(C)$#assembly#6000001` is of `A.B`.
fn method_name(public: &str) -> String {
    let name = public.strip_prefix("[COLD] ").unwrap_or(public);
    let name = name.split_once("$#").map_or(name, |(name, _)| name);
    // Arguments of generic types stand in square brackets: the first parenthesis begins the parameters.
    name.split_once('(')
        .map_or(name, |(name, _)| name)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_follow_one_another_at_the_alignment_that_fills_the_image() {
        let place = |image_bytes| place(&[0x200, 0x3400], image_bytes);
        assert_eq!(
            place(Some(0x6000)),
            Some(vec![(0x1000, 0x200), (0x2000, 0x3400)])
        );
        assert_eq!(
            place(Some(0x8000)),
            Some(vec![(0x2000, 0x200), (0x4000, 0x3400)])
        );
        assert_eq!(place(None), place(Some(0x6000)));
        assert_eq!(place(Some(0x7000)), None);
    }

    #[test]
    fn names_are_those_of_methods() {
        let names = [
            "System.String.Concat(System.String, System.String)$##60004F3",
            "[COLD] Page.Layout()$#page#6000001",
            "System.Collections.Generic.List`1[[System.__Canon, mscorlib]]..ctor()$##6000002",
            "JIT_WriteBarrier",
        ];
        assert_eq!(
            names.map(method_name),
            [
                "System.String.Concat",
                "Page.Layout",
                "System.Collections.Generic.List`1[[System.__Canon, mscorlib]]..ctor",
                "JIT_WriteBarrier",
            ]
        );
    }
}
