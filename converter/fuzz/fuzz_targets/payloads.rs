#![no_main]

use etw::{
    ClrMethod, ClrModule, CompactSwitches, ContextSwitch, DebugId, GroupMasks, Image, ImageInfo, PointerWidth,
    Process, ProfileInterval, ReadyThread, SampledProfile, StackKeyDefinition, StackKeyUse,
    StackWalk, Thread, ThreadName,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some(([version, width], payload)) = bytes.split_first_chunk() else {
        return;
    };
    let width = if width & 1 == 0 {
        PointerWidth::Bits64
    } else {
        PointerWidth::Bits32
    };
    let _ = ContextSwitch::decode(*version, payload);
    if let Ok(switches) = CompactSwitches::decode(payload) {
        assert!(switches.iter().count() <= payload.len() / 2);
    }
    let _ = ReadyThread::decode(payload);
    let _ = GroupMasks::decode(payload);
    let _ = ProfileInterval::decode(payload);
    let _ = SampledProfile::decode(*version, width, payload);
    let _ = StackKeyUse::decode(width, payload);
    let _ = ImageInfo::decode(width, payload);
    let _ = DebugId::decode(width, payload);
    let _ = Image::decode(*version, width, payload);
    let _ = ClrMethod::decode(payload);
    let _ = ClrModule::decode(*version & 1 == 1, payload);
    let _ = etw::trace_logging_name(payload);
    if let Ok(process) = Process::decode(*version, width, payload) {
        assert!(format!("{process:?}").is_ascii() || !payload.is_ascii());
    }
    if let Ok(thread) = Thread::decode(*version, width, payload) {
        let _ = format!("{thread:?}");
    }
    if let Ok(name) = ThreadName::decode(payload) {
        let _ = format!("{name:?}");
    }
    if let Ok(stack) = StackWalk::decode(width, payload) {
        assert!(stack.addresses.iter().count() * width.bytes() <= payload.len());
    }
    if let Ok(stack) = StackKeyDefinition::decode(width, payload) {
        assert!(stack.addresses.iter().count() * width.bytes() <= payload.len());
    }
});
