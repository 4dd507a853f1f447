use super::*;

const PROVIDER: Guid = Guid::new(1);

fn chunk(total: u16, number: u16, text: &str) -> Vec<u8> {
    [
        &[1, 1, 0, 0x5B][..],
        &total.to_le_bytes(),
        &number.to_le_bytes(),
        text.as_bytes(),
    ]
    .concat()
}

#[test]
fn chunks_of_several_processes_are_kept_apart() {
    let mut chunks = ManifestChunks::default();
    assert_eq!(chunks.add(10, PROVIDER, &chunk(2, 1, "one>")), Ok(None));
    assert_eq!(chunks.add(11, PROVIDER, &chunk(2, 0, "<other ")), Ok(None));
    assert_eq!(
        chunks.add(10, PROVIDER, &chunk(2, 0, "<the ")),
        Ok(Some(b"<the one>".to_vec()))
    );
    assert_eq!(chunks.pending(), 1);
}

#[test]
fn repeated_and_contradicting_chunks_are_ignored_until_complete() {
    let mut chunks = ManifestChunks::default();
    assert_eq!(chunks.add(10, PROVIDER, &chunk(2, 0, "first ")), Ok(None));
    assert_eq!(chunks.add(10, PROVIDER, &chunk(2, 0, "again ")), Ok(None));
    assert_eq!(chunks.add(10, PROVIDER, &chunk(3, 1, "of three")), Ok(None));
    assert_eq!(
        chunks.add(10, PROVIDER, &chunk(2, 1, "second")),
        Ok(Some(b"first second".to_vec()))
    );
}

#[test]
fn what_is_no_chunk_is_refused() {
    let mut chunks = ManifestChunks::default();
    let mut refused = |payload: &[u8]| {
        chunks
            .add(10, PROVIDER, payload)
            .expect_err("no chunk")
            .to_string()
    };
    assert_eq!(
        refused(b"\x01\x01\0"),
        "schema, byte 0: expected a chunk header of 8 bytes"
    );
    assert_eq!(
        refused(b"\x01\x01\0\0\x01\0\0\0"),
        "schema, byte 0: expected format 1 and magic 0x5b"
    );
    assert_eq!(
        refused(&chunk(2, 2, "")),
        "schema, byte 6: expected a chunk number less than the number of chunks"
    );
    assert_eq!(
        refused(&chunk(0, 0, "")),
        "schema, byte 6: expected a chunk number less than the number of chunks"
    );
    assert_eq!(
        refused(b"\x01\x01\0\x5B\x01\0"),
        "schema, byte 6: expected the chunk's number"
    );
}

#[test]
fn unfinished_manifests_are_bounded() {
    let mut chunks = ManifestChunks::default();
    for pid in 0..4096 {
        assert_eq!(chunks.add(pid, PROVIDER, &chunk(2, 0, "")), Ok(None));
    }
    let one_more = chunks.add(4096, PROVIDER, &chunk(2, 0, ""));
    assert_eq!(
        one_more,
        Err(SchemaError::new(0, "at most 4096 unfinished manifests"))
    );
    let mut chunks = ManifestChunks::default();
    let text = "x".repeat(60_000);
    let outcomes: Vec<_> = (0..1200)
        .map(|number| chunks.add(1, PROVIDER, &chunk(2000, number, &text)))
        .collect();
    assert_eq!(outcomes.first(), Some(&Ok(None)));
    assert_eq!(
        outcomes.last(),
        Some(&Err(SchemaError::new(
            8,
            "at most 64 MiB of unfinished manifests"
        )))
    );
}

#[test]
fn chunks_met_by_two_readers_are_put_together() {
    let mut first = ManifestChunks::default();
    let mut second = ManifestChunks::default();
    assert_eq!(first.add(10, PROVIDER, &chunk(2, 0, "<the ")), Ok(None));
    assert_eq!(second.add(10, PROVIDER, &chunk(2, 1, "one>")), Ok(None));
    assert_eq!(
        first.absorb(second),
        [Ok((PROVIDER, b"<the one>".to_vec()))]
    );
}
