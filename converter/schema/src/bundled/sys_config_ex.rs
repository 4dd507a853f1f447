//! What the merge adds about the machine (§4.12).

super::table::events! {
    0x20 "BuildInfo" {
        version 0 [InstallDate: FileTime, BuildLab: Text16, ProductName: Text16]
    }
    0x21 "SystemPaths" {
        version 0 [SystemDirectory: Text16, SystemWindowsDirectory: Text16]
    }
    0x22 "UnknownVolume" {
        version 0 [VolumePath: Text16]
    }
    0x23 "VolumeMapping" {
        version 0 [NtPath: Text16, DosPath: Text16]
    }
}
