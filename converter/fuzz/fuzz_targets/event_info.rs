#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = schema::event_map(bytes);
    let _ = schema::manifest_schemas(bytes);
    let Ok(found) = schema::event_info(bytes) else {
        return;
    };
    let mut json = Vec::new();
    match schema::decode_json(&found.schema.layout, bytes, 4, &mut json) {
        Ok(left_over) => assert!(left_over <= bytes.len()),
        Err(error) => assert!(error.offset <= bytes.len()),
    }
    assert!(
        std::str::from_utf8(&json).is_ok_and(|json| json.starts_with('{') && json.ends_with('}'))
    );
});
