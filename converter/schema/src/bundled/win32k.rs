//! `Microsoft-Windows-Win32k`: focus, input, messages, the user lock (§6.8).
//!
//! The user lock was waited for during `AcquireQpcCounts` before its acquisition, and held during `HoldQpcCounts` before
//! its release. The names of the booleans of event 88 are not known.

super::table::events! {
    2 "FocusChange" {
        version 0 [OldThreadID: U32, NewThreadID: U32]
    }
    25 "UserActive", 258 "FocusGained", 259 "FocusLost" {
        version 0 [SessionID: U32, ProcessID: U32, ProcessCreateTime: FileTime]
    }
    26 "FocusedProcessChange" {
        version 0 [SessionID: U32, OldProcessID: U32, NewProcessID: U32]
    }
    35 "WaitCursor" {
        version 0 [ThreadID: U32, ProcessID: U32, SessionID: U32, Type: U32, DisplayTimeMs: U32]
    }
    36 "ThreadInfoRundown" {
        version 0 [
            ThreadID: U32, Flags: Hex32, TimeSinceInputCheckMs: U32, TimeSinceInputRemoveMs: U32,
            TimeSinceOldestInputMs: U32,
        ]
    }
    37 "InputProcessDelay" {
        version 0 [
            Flags: Hex32, TimeSinceInputRemoveMs: U32, TimeSinceOldestInputMs: U32, WindowClass: Text16,
            TopLevelWindowClass: Text16, ImageName: Text16, MessageID: Hex32, WParam: Hex64,
        ]
    }
    38 "MessageCheckDelay" {
        version 0 [
            Flags: Hex32, DelayTimeMs: U32, WindowClass: Text16, TopLevelWindowClass: Text16, ImageName: Text16,
            MessageID: Hex32, WParam: Hex64,
        ]
    }
    59 "PostMessage" {
        version 0 [
            Callbacks: I8, QueueMessage: Ptr, Hwnd: Ptr, WParam: Ptr, LParam: Ptr, Message: Hex32, InputReadyTimeMs: U32,
        ]
    }
    60 "SendMessage/Start" {
        version 0 [
            Callbacks: I8, QueueMessage: Ptr, Hwnd: Ptr, WParam: Ptr, LParam: Ptr, Message: Hex32, InputReadyTimeMs: U32,
            Flags: Hex32, ReceiverProcessID: U32, ReceiverThreadID: U32,
        ]
    }
    61 "RetrievePostMessage" {
        version 0 [
            Callbacks: I8, QueueMessage: Ptr, Hwnd: Ptr, WParam: Ptr, LParam: Ptr, Message: Hex32, InputReadyTimeMs: U32,
            Flags: Hex32,
        ]
    }
    62 "RetrieveSendMessage" {
        version 0 [
            Callbacks: I8, QueueMessage: Ptr, Hwnd: Ptr, WParam: Ptr, LParam: Ptr, Message: Hex32, InputReadyTimeMs: U32,
        ]
    }
    63 "RetrieveInputMessage" {
        version 0 [
            Callbacks: I8, Hwnd: Ptr, WParam: Ptr, LParam: Ptr, Message: Hex32, InputReadyTimeMs: U32, Flags: Hex32,
        ]
    }
    68 "UserCallback/Start", 69 "UserCallback/Stop" {
        version 0 [Callbacks: I8, Api: I32]
    }
    70 "SendMessage/Stop" {
        version 0 [Callbacks: I8, QueueMessage: Ptr]
    }
    72 "InputDeviceRead/Start", 73 "InputDeviceRead/Stop" {
        version 0 [DeviceType: I32, Flags: Hex32]
    }
    76 "MessagePump/Start" {
        version 0 [Callbacks: I8, Get: I32, Flags: Hex32, Message: Hex32]
    }
    77 "MessagePump/Stop" {
        version 0 [Callbacks: I8, Get: I32]
    }
    88 "QueueInputMessage" {
        version 0 [
            Callbacks: I8, QueueMessage: Ptr, Bool1: Bool32, Bool2: Bool32, Bool3: Bool32, Bool4: Bool32, Bool5: Bool32,
            Bool6: Bool32, Hwnd: Ptr, WParam: Ptr, LParam: Ptr, Message: Hex32, TimeMs: U32,
        ]
    }
    163 "ExclusiveUserCrit", 164 "ExclusiveUserCrit", 165 "SharedUserCrit", 166 "SharedUserCrit",
    416 "ExclusiveUserCritTelemetry" {
        version 0 [AcquireQpcCounts: U64, AcquireTimeMs: U32, Token: Hex64]
    }
    167 "ReleaseUserCrit", 417 "ReleaseUserCritTelemetry" {
        version 0 [HoldQpcCounts: U64, HoldTimeMs: U32, Token: Hex64]
    }
}
