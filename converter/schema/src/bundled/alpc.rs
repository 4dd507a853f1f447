//! Local procedure calls, group 1A: messages between threads of different processes, which `MessageID` joins.
//!
//! Source: the MOF classes `ALPC_*`. By these the port's name is UTF-16, by PerfView's parser made from them 8-bit text.

super::table::events! {
    0x1A21 "SendMessage", 0x1A22 "ReceiveMessage", 0x1A23 "WaitForReply" {
        version 2 [MessageID: U32]
    }
    0x1A24 "WaitForNewMessage" {
        version 2 [IsServerPort: Bool32, PortName: Text8]
        version 2 [IsServerPort: Bool32, PortName: Text16]
    }
    0x1A25 "Unwait" {
        version 2 [Status: Hex32]
    }
}
