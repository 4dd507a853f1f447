//! The .NET runtime (CLR): `Microsoft-Windows-DotNETRuntime`, its rundown and its private provider.

pub(super) mod gc;
pub(super) mod heap;
pub(super) mod loader;
pub(super) mod method;
pub(super) mod names;
pub(super) mod private;
pub(super) mod rundown;
mod shared;
pub(super) mod thread;
