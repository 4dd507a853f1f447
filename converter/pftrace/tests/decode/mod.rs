//! Decodes a written trace by Perfetto's own message definitions, for tests here and in `convert`.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use std::path::Path;
use std::sync::LazyLock;

use prost_reflect::text_format::FormatOptions;
use prost_reflect::{DescriptorPool, DynamicMessage, Value};

static MESSAGES: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pftrace/tests/proto");
    let files =
        protox::compile(["trace.proto"], [folder]).expect("the message definitions compile");
    DescriptorPool::from_file_descriptor_set(files).expect("the message definitions are whole")
});

/// The packets of a trace as protobuf text, one line each.
pub fn packet_lines(trace: &[u8]) -> Vec<String> {
    let descriptor = MESSAGES
        .get_message_by_name("perfetto.protos.Trace")
        .expect("there is a trace message");
    let trace = DynamicMessage::decode(descriptor, trace).expect("the trace is protobuf");
    let packets = trace
        .get_field_by_name("packet")
        .expect("the trace has packets");
    let options = FormatOptions::new()
        .print_message_fields_in_index_order(true)
        .skip_unknown_fields(false);
    packets
        .as_list()
        .expect("packets are a list")
        .iter()
        .filter_map(Value::as_message)
        .map(|packet| packet.to_text_format_with_options(&options))
        .collect()
}
