//! `Microsoft-Windows-Kernel-Network`: TCP and UDP by process.
//!
//! Source: the manifest as dumped in `jdu2600/Windows10EtwEvents`. `connid` has four bytes there and is a pointer in the
//! MOF classes of the same events (§4.8); the payload's length tells. `daddr` and `dport` are the remote end in both
//! directions.

use super::table::{Column, columns};

const TRANSFER_4: &[Column] = columns![
    PID: U32, size: U32, daddr: Ipv4, saddr: Ipv4, dport: Port, sport: Port, seqnum: U32, connid: U32,
];
const TRANSFER_4_WIDE: &[Column] = columns![
    PID: U32, size: U32, daddr: Ipv4, saddr: Ipv4, dport: Port, sport: Port, seqnum: U32, connid: Ptr,
];
const TRANSFER_6: &[Column] = columns![
    PID: U32, size: U32, daddr: Ipv6, saddr: Ipv6, dport: Port, sport: Port, seqnum: U32, connid: U32,
];
const TRANSFER_6_WIDE: &[Column] = columns![
    PID: U32, size: U32, daddr: Ipv6, saddr: Ipv6, dport: Port, sport: Port, seqnum: U32, connid: Ptr,
];

super::table::events! {
    10 "KERNEL_NETWORK_TASK_TCPIP/Datasent." {
        version 0 [
            PID: U32, size: U32, daddr: Ipv4, saddr: Ipv4, dport: Port, sport: Port, startime: U32, endtime: U32,
            seqnum: U32, connid: U32,
        ]
        version 0 [
            PID: U32, size: U32, daddr: Ipv4, saddr: Ipv4, dport: Port, sport: Port, startime: U32, endtime: U32,
            seqnum: U32, connid: Ptr,
        ]
    }
    26 "KERNEL_NETWORK_TASK_TCPIP/Datasent." {
        version 0 [
            PID: U32, size: U32, daddr: Ipv6, saddr: Ipv6, dport: Port, sport: Port, startime: U32, endtime: U32,
            seqnum: U32, connid: U32,
        ]
        version 0 [
            PID: U32, size: U32, daddr: Ipv6, saddr: Ipv6, dport: Port, sport: Port, startime: U32, endtime: U32,
            seqnum: U32, connid: Ptr,
        ]
    }
    11 "KERNEL_NETWORK_TASK_TCPIP/Datareceived.", 13 "KERNEL_NETWORK_TASK_TCPIP/Disconnectissued.",
    14 "KERNEL_NETWORK_TASK_TCPIP/Dataretransmitted.", 16 "KERNEL_NETWORK_TASK_TCPIP/Reconnectattempted.",
    18 "KERNEL_NETWORK_TASK_TCPIP/Protocolcopieddataonbehalfofuser.",
    42 "KERNEL_NETWORK_TASK_UDPIP/DatasentoverUDPprotocol.",
    43 "KERNEL_NETWORK_TASK_UDPIP/DatareceivedoverUDPprotocol." {
        version 0 TRANSFER_4
        version 0 TRANSFER_4_WIDE
    }
    27 "KERNEL_NETWORK_TASK_TCPIP/Datareceived.", 29 "KERNEL_NETWORK_TASK_TCPIP/Disconnectissued.",
    30 "KERNEL_NETWORK_TASK_TCPIP/Dataretransmitted.", 32 "KERNEL_NETWORK_TASK_TCPIP/Reconnectattempted.",
    34 "KERNEL_NETWORK_TASK_TCPIP/Protocolcopieddataonbehalfofuser.",
    58 "KERNEL_NETWORK_TASK_UDPIP/DatasentoverUDPprotocol.",
    59 "KERNEL_NETWORK_TASK_UDPIP/DatareceivedoverUDPprotocol." {
        version 0 TRANSFER_6
        version 0 TRANSFER_6_WIDE
    }
    12 "KERNEL_NETWORK_TASK_TCPIP/Connectionattempted.", 15 "KERNEL_NETWORK_TASK_TCPIP/Connectionaccepted." {
        version 0 [
            PID: U32, size: U32, daddr: Ipv4, saddr: Ipv4, dport: Port, sport: Port, mss: U16, sackopt: U16, tsopt: U16,
            wsopt: U16, rcvwin: U32, rcvwinscale: U16, sndwinscale: U16, seqnum: U32, connid: U32,
        ]
        version 0 [
            PID: U32, size: U32, daddr: Ipv4, saddr: Ipv4, dport: Port, sport: Port, mss: U16, sackopt: U16, tsopt: U16,
            wsopt: U16, rcvwin: U32, rcvwinscale: U16, sndwinscale: U16, seqnum: U32, connid: Ptr,
        ]
    }
    28 "KERNEL_NETWORK_TASK_TCPIP/Connectionattempted.", 31 "KERNEL_NETWORK_TASK_TCPIP/Connectionaccepted." {
        version 0 [
            PID: U32, size: U32, daddr: Ipv6, saddr: Ipv6, dport: Port, sport: Port, mss: U16, sackopt: U16, tsopt: U16,
            wsopt: U16, rcvwin: U32, rcvwinscale: U16, sndwinscale: U16, seqnum: U32, connid: U32,
        ]
        version 0 [
            PID: U32, size: U32, daddr: Ipv6, saddr: Ipv6, dport: Port, sport: Port, mss: U16, sackopt: U16, tsopt: U16,
            wsopt: U16, rcvwin: U32, rcvwinscale: U16, sndwinscale: U16, seqnum: U32, connid: Ptr,
        ]
    }
    17 "KERNEL_NETWORK_TASK_TCPIP/TCPconnectionattemptfailed.",
    49 "KERNEL_NETWORK_TASK_UDPIP/UDPconnectionattemptfailed." {
        version 0 [Proto: U16, FailureCode: U16]
    }
}
