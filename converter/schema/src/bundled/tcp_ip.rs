//! TCP, group 06 (§4.8). `daddr` and `dport` are the remote end in both directions.

super::table::events! {
    0x060A "Send" {
        version 2 [
            PID: U32, size: U32, daddr: Ipv4, saddr: Ipv4, dport: Port, sport: Port, startime: U32, endtime: U32,
            seqnum: U32, connid: Ptr,
        ]
    }
    0x061A "SendIPV6" {
        version 2 [
            PID: U32, size: U32, daddr: Ipv6, saddr: Ipv6, dport: Port, sport: Port, startime: U32, endtime: U32,
            seqnum: U32, connid: Ptr,
        ]
    }
    0x060B "Recv", 0x060D "Disconnect", 0x060E "Retransmit", 0x0610 "Reconnect", 0x0612 "TCPCopy" {
        version 2 [
            PID: U32, size: U32, daddr: Ipv4, saddr: Ipv4, dport: Port, sport: Port, seqnum: U32, connid: Ptr,
        ]
    }
    0x061B "RecvIPV6", 0x061D "DisconnectIPV6", 0x061E "RetransmitIPV6", 0x0620 "ReconnectIPV6", 0x0622 "TCPCopyIPV6" {
        version 2 [
            PID: U32, size: U32, daddr: Ipv6, saddr: Ipv6, dport: Port, sport: Port, seqnum: U32, connid: Ptr,
        ]
    }
    0x060C "Connect", 0x060F "Accept" {
        version 2 [
            PID: U32, size: U32, daddr: Ipv4, saddr: Ipv4, dport: Port, sport: Port, mss: U16, sackopt: U16, tsopt: U16,
            wsopt: U16, rcvwin: U32, rcvwinscale: I16, sndwinscale: I16, seqnum: U32, connid: Ptr,
        ]
    }
    0x061C "ConnectIPV6", 0x061F "AcceptIPV6" {
        version 2 [
            PID: U32, size: U32, daddr: Ipv6, saddr: Ipv6, dport: Port, sport: Port, mss: U16, sackopt: U16, tsopt: U16,
            wsopt: U16, rcvwin: U32, rcvwinscale: I16, sndwinscale: I16, seqnum: U32, connid: Ptr,
        ]
    }
    0x0611 "Fail" {
        version 2 [Proto: U16, FailureCode: U16]
    }
}
