//! The .NET runtime (CLR): `Microsoft-Windows-DotNETRuntime`, its rundown and its private provider.
//!
//! Source: `ClrEtwAll.man` of dotnet/runtime; compared with what traces of .NET Framework 4.5.2 say of their events.

pub(super) mod gc;
pub(super) mod heap;
pub(super) mod loader;
pub(super) mod method;
pub(super) mod names;
pub(super) mod private;
pub(super) mod rundown;
mod shared;
pub(super) mod thread;
