//! Decoding of events whose payload is described in the trace itself (TraceLogging, the schemas that the merge embeds,
//! EventSource manifests) or, for kernel events and well-known providers, here.
//!
//! ```no_run
//! # fn events() -> Vec<etl::Event<'static>> { Vec::new() }
//! let mut collector = schema::SchemaCollector::new();
//! for event in events() {
//!     collector.add_event(&event);
//! }
//! let schemas = collector.finish();
//! let mut json = Vec::new();
//! for event in events() {
//!     json.clear();
//!     match schemas.find(&event) {
//!         // An error still leaves a JSON object: what fitted, and the rest as bytes.
//!         Some(schema) => drop(schema::decode_json(&schema.layout, event.payload, event.pointer_bytes, &mut json)),
//!         None => schema::raw_json(event.payload, None, &mut json),
//!     }
//!     println!("{}", String::from_utf8_lossy(&json));
//! }
//! ```

mod bundled;
mod collector;
mod error;
mod event_info;
mod event_schema;
mod event_source;
mod filter;
mod json;
mod json_text;
mod json_time;
mod layout;
mod manifest;
mod manifest_provider;
mod manifest_template;
mod property;
mod registry;
mod scalar;
mod text;
mod trace_clock;
mod tracelogging;
mod value;
mod value_map;
mod walk;

pub use collector::SchemaCollector;
pub use error::{PayloadError, SchemaError};
pub use event_info::{NamedMap, VersionedSchema, event_info, event_map};
pub use event_schema::{EventSchema, SchemaKey};
pub use event_source::{MANIFEST_EVENT_ID, ManifestChunks};
pub use filter::{Filter, Shown};
pub use json::{decode_json, decode_json_timed, header_json, raw_json, scalar_text};
pub use layout::{Field, Layout, MOST_FIELDS, MOST_NESTING};
pub use manifest::manifest_schemas;
pub use registry::Schemas;
pub use trace_clock::TraceClock;
pub use tracelogging::{provider, tracelogging_schema};
pub use value::{Scalar, Value, decode_fitting, decode_value};
pub use value_map::ValueMap;
