//! The registry, group 09 (§4.8). `KeyName` is relative to the key control block `KeyHandle`. What the counters count is not
//! public: the MOF class only numbers them.

super::table::events! {
    0x090A "Create", 0x090B "Open", 0x090C "Delete", 0x090D "Query", 0x090E "SetValue", 0x090F "DeleteValue",
    0x0910 "QueryValue", 0x0911 "EnumerateKey", 0x0912 "EnumerateValueKey", 0x0913 "QueryMultipleValue",
    0x0914 "SetInformation", 0x0915 "Flush", 0x0916 "KCBCreate", 0x0917 "KCBDelete", 0x0918 "KCBRundownBegin",
    0x0919 "KCBRundownEnd", 0x091A "Virtualize", 0x091B "Close", 0x091C "SetSecurity", 0x091D "QuerySecurity" {
        version 1 [Status: Hex32, KeyHandle: Ptr, ElapsedTime: I64, Index: U32, KeyName: Text16]
        version 2 [InitialTime: Ticks, Status: Hex32, Index: U32, KeyHandle: Ptr, KeyName: Text16]
    }
    0x0922 "Counters" {
        version 2 [
            Counter1: U64, Counter2: U64, Counter3: U64, Counter4: U64, Counter5: U64, Counter6: U64, Counter7: U64,
            Counter8: U64, Counter9: U64, Counter10: U64, Counter11: U64,
        ]
    }
    0x0923 "Config" {
        version 2 [CurrentControlSet: U32]
    }
}
