//! UDP, group 08 (§4.8). `daddr` and `dport` are the remote end in both directions.

super::table::events! {
    0x080A "Send", 0x080B "Recv" {
        version 2 [
            PID: U32, size: U32, daddr: Ipv4, saddr: Ipv4, dport: Port, sport: Port, seqnum: U32, connid: Ptr,
        ]
    }
    0x081A "SendIPV6", 0x081B "RecvIPV6" {
        version 2 [
            PID: U32, size: U32, daddr: Ipv6, saddr: Ipv6, dport: Port, sport: Port, seqnum: U32, connid: Ptr,
        ]
    }
    0x0811 "Fail" {
        version 2 [Proto: U16, FailureCode: U16]
    }
}
