; What Rust's standard library and its crates want of the C library and Debian's wasi-libc of 2022 lacks: threads, which cannot
; be started (58 is ENOTSUP), whole paths, which nobody can tell, and another way to the number of the last error.
target triple = "wasm32-unknown-wasi"
@errno = external global i32
define ptr @__errno_location() { ret ptr @errno }
define i32 @pthread_attr_init(ptr %attributes) { ret i32 0 }
define i32 @pthread_attr_setstacksize(ptr %attributes, i32 %bytes) { ret i32 0 }
define i32 @pthread_attr_destroy(ptr %attributes) { ret i32 0 }
define i32 @pthread_create(ptr %thread, ptr %attributes, ptr %start, ptr %argument) { ret i32 58 }
define i32 @pthread_join(ptr %thread, ptr %result) { ret i32 58 }
define i32 @pthread_detach(ptr %thread) { ret i32 58 }
define ptr @realpath(ptr %path, ptr %out) { ret ptr null }
