//! etl
