//! What a real-time session lost, by its kind (§4.13): the count is not told.

super::table::events! {
    0x20 "EventsLost", 0x21 "BuffersLost", 0x22 "FileLost" {
        version 0 []
    }
}
