//! The registry, group 09 (§4.8). `KeyName` is relative to the key control block `KeyHandle`.

super::table::events! {
    0x090A "Create", 0x090B "Open", 0x090C "Delete", 0x090D "Query", 0x090E "SetValue", 0x090F "DeleteValue",
    0x0910 "QueryValue", 0x0911 "EnumerateKey", 0x0912 "EnumerateValueKey", 0x0913 "QueryMultipleValue",
    0x0914 "SetInformation", 0x0915 "Flush", 0x0916 "KCBCreate", 0x0917 "KCBDelete", 0x0918 "KCBRundownBegin",
    0x0919 "KCBRundownEnd", 0x091A "Virtualize", 0x091B "Close", 0x091C "SetSecurity", 0x091D "QuerySecurity" {
        version 2 [InitialTime: Ticks, Status: Hex32, Index: U32, KeyHandle: Ptr, KeyName: Text16]
    }
}
