#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((size, rest)) = bytes.split_first() else {
        return;
    };
    let (item, payload) = rest
        .split_at_checked(usize::from(*size))
        .unwrap_or((rest, &[]));
    let _ = schema::provider(payload);
    let Ok(found) = schema::tracelogging_schema(item, Some(payload)) else {
        return;
    };
    let mut json = Vec::new();
    match schema::decode_json(&found.layout, payload, 8, &mut json) {
        Ok(left_over) => assert!(left_over <= payload.len()),
        Err(error) => assert!(error.offset <= payload.len()),
    }
    assert!(
        std::str::from_utf8(&json).is_ok_and(|json| json.starts_with('{') && json.ends_with('}'))
    );
    let _ = schema::decode_value(&found.layout, payload, 8);
});
