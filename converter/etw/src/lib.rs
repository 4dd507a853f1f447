//! etw
