#![no_main]

use etl::Guid;
use libfuzzer_sys::fuzz_target;
use schema::{ManifestChunks, manifest_schemas};

fuzz_target!(|bytes: &[u8]| {
    for found in manifest_schemas(bytes).unwrap_or_default() {
        let mut json = Vec::new();
        let _ = schema::decode_json(&found.schema.layout, bytes, 8, &mut json);
        assert!(
            std::str::from_utf8(&json)
                .is_ok_and(|json| json.starts_with('{') && json.ends_with('}'))
        );
    }
    let mut chunks = ManifestChunks::default();
    for chunk in bytes.chunks(64) {
        let whole = chunks.add(4, Guid::new(1), chunk);
        assert!(
            whole.is_err() || whole.is_ok_and(|xml| xml.is_none_or(|xml| xml.len() <= bytes.len()))
        );
    }
});
