//! The machine: processors, disks, network cards, devices, services, group 0B (§4.12).
//!
//! Optical media (12) and network settings (11) are as in the MOF classes `SystemConfig_*`, checked on real traces.

use super::table::{Column, columns};

const NUMA_NODE: &[Column] = columns![Affinity: Hex64, Group: U16, Reserved: Pad(6)];
const PROCESSOR_NUMBER: &[Column] = columns![Group: U16, Number: U8, Reserved: Pad(1)];

super::table::events! {
    0x0B0A "CPU" {
        version 2 [
            MHz: U32, NumberOfProcessors: U32, MemSize: U32, PageSize: U32, AllocationGranularity: U32,
            ComputerName: Chars16(256), DomainName: Chars16(134), HyperThreadingFlag: Ptr,
        ]
        version 3 [
            MHz: U32, NumberOfProcessors: U32, MemSize: U32, PageSize: U32, AllocationGranularity: U32,
            ComputerName: Chars16(256), DomainName: Chars16(134), HyperThreadingFlag: Ptr, HighestUserAddress: Ptr,
            ProcessorArchitecture: U16 as PROCESSOR_ARCHITECTURE, ProcessorLevel: U16, ProcessorRevision: U16,
            PaeEnabled: Bool8, NxEnabled: Bool8, MemorySpeed: U32,
        ]
    }
    0x0B0B "PhyDisk" {
        version 2 [
            DiskNumber: U32, BytesPerSector: U32, SectorsPerTrack: U32, TracksPerCylinder: U32, Cylinders: U64,
            ScsiPort: U32, ScsiPath: U32, ScsiTarget: U32, ScsiLun: U32, Manufacturer: Chars16(256),
            PartitionCount: U32, WriteCacheEnabled: Bool8, Pad1: Pad(1), BootDriveLetter: Chars16(3), Spare: Pad(4),
        ]
    }
    0x0B0C "LogDisk" {
        version 2 [
            StartOffset: U64, PartitionSize: U64, DiskNumber: U32, Size: U32, DriveType: U32,
            DriveLetterString: Chars16(4), Pad1: Pad(4), PartitionNumber: U32, SectorsPerCluster: U32,
            BytesPerSector: U32, Pad2: Pad(4), NumberOfFreeClusters: I64, TotalNumberOfClusters: I64,
            FileSystem: Chars16(16), VolumeExt: U32, Pad3: Pad(4),
        ]
    }
    0x0B0D "NIC" {
        version 2 [
            PhysicalAddr: Hex64, PhysicalAddrLen: U32, Ipv4Index: U32, Ipv6Index: U32, NICDescription: Text16,
            IpAddresses: Text16, DnsServerAddresses: Text16,
        ]
    }
    0x0B0F "Services" {
        version 2 [
            ProcessId: U32, ServiceState: U32 as SERVICE_STATE, SubProcessTag: U32, ServiceName: Text16,
            DisplayName: Text16, ProcessName: Text16,
        ]
        version 3 [
            ProcessId: U32, ServiceState: U32 as SERVICE_STATE, SubProcessTag: U32, ServiceName: Text16,
            DisplayName: Text16, ProcessName: Text16, LoadOrderGroup: Text16, SvchostGroup: Text16,
        ]
    }
    0x0B10 "Power" {
        version 2 [S1: Bool8, S2: Bool8, S3: Bool8, S4: Bool8, S5: Bool8, Reserved: Pad(3)]
    }
    0x0B11 "Network" {
        version 2 [TcbTablePartitions: U32, MaxHashTableSize: U32, MaxUserPort: U32, TcpTimedWaitDelay: U32]
    }
    0x0B12 "OpticalMedia" {
        version 2 [
            DiskNumber: U16, BusType: U16, DeviceType: U16, MediaType: U16, StartingOffset: U64, Size: U64,
            NumberOfFreeBlocks: U64, TotalNumberOfBlocks: U64, NextWritableAddress: U64, NumberOfSessions: U32,
            NumberOfTracks: U32, BytesPerSector: U32, DiscStatus: U16, LastSessionStatus: U16, DriveLetter: Text16,
            FileSystemName: Text16, DeviceName: Text8, ManufacturerName: Text8,
        ]
    }
    0x0B15 "IRQ" {
        version 3 [
            IRQAffinity: Hex64, IRQGroup: U16, Reserved: Pad(2), IRQNum: U32, DeviceDescriptionLen: U32,
            DeviceDescription: Text16,
        ]
    }
    0x0B16 "PnP" {
        version 3 [
            IDLength: U32, DescriptionLength: U32, FriendlyNameLength: U32, DeviceID: Text16, DeviceDescription: Text16,
            FriendlyName: Text16, PdoName: Text16,
        ]
        version 4 [
            ClassGuid: Guid, UpperFiltersCount: Count32(0), LowerFiltersCount: Count32(1), DeviceID: Text16,
            DeviceDescription: Text16, FriendlyName: Text16, PdoName: Text16, ServiceName: Text16,
            UpperFilters: Texts16(0), LowerFilters: Texts16(1),
        ]
        version 5 [
            ClassGuid: Guid, UpperFiltersCount: Count32(0), LowerFiltersCount: Count32(1), DevStatus: Hex32,
            DevProblem: U32, DeviceID: Text16, DeviceDescription: Text16, FriendlyName: Text16, PdoName: Text16,
            ServiceName: Text16, UpperFilters: Texts16(0), LowerFilters: Texts16(1),
        ]
    }
    0x0B17 "IDEChannel" {
        version 2 [
            TargetId: U32, DeviceType: U32, DeviceTimingMode: Hex32, LocationInformationLen: U32,
            LocationInformation: Text16,
        ]
    }
    0x0B18 "NumaNode" {
        version 2 [NodeCount: Count32(0), Nodes: Each(0, NUMA_NODE)]
    }
    0x0B19 "Platform" {
        version 2 [SystemManufacturer: Text16, SystemProductName: Text16, BiosDate: Text16, BiosVersion: Text16]
    }
    0x0B1A "ProcessorGroup" {
        version 2 [GroupCount: Count32(0), Affinity: Ptrs(0)]
    }
    0x0B1B "ProcessorNumber" {
        version 2 [ProcessorCount: Count32(0), Processors: Each(0, PROCESSOR_NUMBER)]
    }
    0x0B1C "DPI" {
        version 2 [MachineDPI: U32, UserDPI: U32]
    }
    0x0B1D "CodeIntegrity" {
        version 2 [CodeIntegrityInfo: Hex32]
    }
    0x0B1E "MachineId" {
        version 2 [MachineId: Guid]
    }
    0x0B23 "Processor" {
        version 2 [
            ProcessorIndex: U32, FeatureSet: Hex32, ProcessorSpeed: U32, ProcessorName: Chars16(64),
            ProcessorIdentifier: Chars16(128), VendorIdentifier: Chars16(16),
        ]
    }
}
