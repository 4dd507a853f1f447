//! Manifests that an EventSource writes into the trace, in chunks (§6.4).

use std::collections::{BTreeMap, HashMap};

use etl::Guid;
use etl::bytes::{array_at, u16_at};

use crate::error::SchemaError;

/// Id of the events that hold the chunks of a manifest.
pub const MANIFEST_EVENT_ID: u16 = 0xFFFE;

const MAGIC: u8 = 0x5B;
const SIMPLE_XML_FORMAT: u8 = 1;
const CHUNK_AT: usize = 8;
const MOST_MANIFEST_BYTES: usize = 8 << 20;
const MOST_PENDING_BYTES: usize = 64 << 20;
const MOST_PENDING: usize = 4096;

/// Puts manifests together from chunks that come in any order; a set for each process and provider, as several
/// processes write the same provider's manifest at the same time.
#[derive(Debug, Default)]
pub struct ManifestChunks {
    pending: HashMap<(u32, Guid), Chunks>,
    pending_bytes: usize,
}

#[derive(Debug)]
struct Chunks {
    total: u16,
    parts: BTreeMap<u16, Box<[u8]>>,
}

impl ManifestChunks {
    /// Takes the payload of one event with id [`MANIFEST_EVENT_ID`]; answers the manifest that it completes.
    ///
    /// # Errors
    /// Where this is no chunk of a manifest, or there are more unfinished ones than can be kept.
    pub fn add(
        &mut self,
        pid: u32,
        provider: Guid,
        payload: &[u8],
    ) -> Result<Option<Vec<u8>>, SchemaError> {
        let [format, _, _, magic] =
            array_at(payload, 0).ok_or(SchemaError::new(0, "a chunk header of 8 bytes"))?;
        if (format, magic) != (SIMPLE_XML_FORMAT, MAGIC) {
            return Err(SchemaError::new(0, "format 1 and magic 0x5b"));
        }
        let total = u16_at(payload, 4).ok_or(SchemaError::new(4, "the number of chunks"))?;
        let number = u16_at(payload, 6).ok_or(SchemaError::new(6, "the chunk's number"))?;
        if number >= total {
            return Err(SchemaError::new(
                6,
                "a chunk number less than the number of chunks",
            ));
        }
        self.add_part(
            pid,
            provider,
            total,
            number,
            payload.get(CHUNK_AT..).unwrap_or_default(),
        )
    }

    fn add_part(
        &mut self,
        pid: u32,
        provider: Guid,
        total: u16,
        number: u16,
        part: &[u8],
    ) -> Result<Option<Vec<u8>>, SchemaError> {
        let key = (pid, provider);
        if self.pending.len() >= MOST_PENDING && !self.pending.contains_key(&key) {
            return Err(SchemaError::new(0, "at most 4096 unfinished manifests"));
        }
        let chunks = self.pending.entry(key).or_insert_with(|| Chunks {
            total,
            parts: BTreeMap::new(),
        });
        if chunks.total != total || chunks.parts.contains_key(&number) {
            return Ok(None);
        }
        if self.pending_bytes + part.len() > MOST_PENDING_BYTES {
            return Err(SchemaError::new(
                CHUNK_AT,
                "at most 64 MiB of unfinished manifests",
            ));
        }
        self.pending_bytes += part.len();
        chunks.parts.insert(number, part.into());
        if chunks.parts.len() < usize::from(total) {
            return Ok(None);
        }
        let parts = self
            .pending
            .remove(&key)
            .map(|chunks| chunks.parts)
            .unwrap_or_default();
        let manifest: Vec<u8> = parts.into_values().flatten().collect();
        self.pending_bytes -= manifest.len();
        if manifest.len() > MOST_MANIFEST_BYTES {
            return Err(SchemaError::new(CHUNK_AT, "a manifest of at most 8 MiB"));
        }
        Ok(Some(manifest))
    }

    /// Adds the chunks that another reader of the same trace has met; answers the manifests that they complete.
    pub(crate) fn absorb(&mut self, other: Self) -> Vec<Result<(Guid, Vec<u8>), SchemaError>> {
        let mut complete = Vec::new();
        for ((pid, provider), chunks) in other.pending {
            for (number, part) in chunks.parts {
                match self.add_part(pid, provider, chunks.total, number, &part) {
                    Ok(Some(manifest)) => complete.push(Ok((provider, manifest))),
                    Ok(None) => {}
                    Err(error) => complete.push(Err(error)),
                }
            }
        }
        complete
    }

    /// How many manifests have some but not all of their chunks.
    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }
}

#[cfg(test)]
#[path = "event_source_tests.rs"]
mod tests;
