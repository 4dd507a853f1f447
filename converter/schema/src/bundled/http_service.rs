//! `Microsoft-Windows-HttpService`: requests, connections, the cache and TLS of HTTP.sys.
//!
//! Source: the manifest as dumped in `jdu2600/Windows10EtwEvents` and, for lengths, in `repnz/etw-providers-docs`.
//! Addresses are bytes there and `SOCKADDR` in `http.h`.

super::table::events! {
    1 "HTTPRequestTraceTask/RecvReq" {
        version 0 [
            RequestId: U64, ConnectionId: U64, RemoteAddrLength: Count32(0), RemoteAddr: SocketAddressOf(0),
        ]
    }
    2 "HTTPRequestTraceTask/Parse" {
        version 0 [RequestObj: Ptr, HttpVerb: U32, Url: Text16]
    }
    3 "HTTPRequestTraceTask/Deliver" {
        version 0 [
            RequestObj: Ptr, RequestId: U64, SiteId: U32, RequestQueueName: Text16, Url: Text16, Status: U32,
        ]
    }
    4 "HTTPRequestTraceTask/RecvResp", 8 "HTTPRequestTraceTask/FastResp" {
        version 0 [
            RequestId: U64, ConnectionId: U64, StatusCode: U16, Verb: Text8, HeaderLength: U32, EntityChunkCount: U16,
            CachePolicy: U32,
        ]
    }
    5 "HTTPRequestTraceTask/RecvRespLast", 7 "HTTPRequestTraceTask/RecvBodyLast",
    9 "HTTPRequestTraceTask/FastRespLast", 90 "HTTPRequestTraceTask/InitiateOpaqueMode" {
        version 0 [RequestId: U64]
    }
    6 "HTTPRequestTraceTask/RecvBody" {
        version 0 [RequestId: U64, ConnectionId: U64]
    }
    10 "HTTPRequestTraceTask/SendComplete", 11 "HTTPRequestTraceTask/CachedAndSend",
    12 "HTTPRequestTraceTask/FastSend", 13 "HTTPRequestTraceTask/ZeroSend", 14 "HTTPRequestTraceTask/LastSndError" {
        version 0 [RequestId: U64, HttpStatus: U16]
    }
    15 "HTTPRequestTraceTask/SndError" {
        version 0 [RequestId: U64, Reason: Text8, Status: U32]
    }
    16 "HTTPRequestTraceTask/SrvdFrmCache", 17 "HTTPRequestTraceTask/CachedNotModified" {
        version 0 [RequestObj: Ptr, SiteId: U32, BytesSent: U32]
        version 1 [RequestObj: Ptr, SiteId: U32, BytesSent: U32, RequestId: U64, Encoding: Text8]
    }
    18 "HTTPSetupTraceTask/ResvUrl" {
        version 0 [Url: Text16, ReserveStatus: U32]
    }
    19 "HTTPSetupTraceTask/ReadIpListEntry" {
        version 0 [IpAddrLength: Count32(0), IpAddress: SocketAddressOf(0)]
    }
    20 "HTTPSetupTraceTask/CreatedSslCred" {
        version 0 [
            EndpointConfigObj: Ptr, AddressLength: Count32(0), Address: SocketAddressOf(0), CertHashLength: Count32(1),
            CertHash: BytesOf(1), CertStoreName: Text16, CertCheckMode: U32, RevokeFreshnessTime: U32,
            RevokeRetrievalTime: U32, Flags: U32, CtlId: Text16, CtlStoreName: Text16,
        ]
        version 1 [
            EndpointConfigObj: Ptr, Endpoint: Text16, CertHashLength: Count32(1), CertHash: BytesOf(1),
            CertStoreName: Text16, CertCheckMode: U32, RevokeFreshnessTime: U32, RevokeRetrievalTime: U32, Flags: U32,
            CtlId: Text16, CtlStoreName: Text16, CertificateLoadTimems: U32,
        ]
    }
    21 "HTTPConnectionTraceTask/ConnConnect" {
        version 0 [
            ConnectionObj: Ptr, LocalAddrLength: Count32(0), LocalAddr: SocketAddressOf(0),
            RemoteAddrLength: Count32(1), RemoteAddr: SocketAddressOf(1),
        ]
    }
    22 "HTTPConnectionTraceTask/ConnIdAssgn" {
        version 0 [RequestId: U64, ConnectionId: U64, ConnectionObj: Ptr]
    }
    23 "HTTPConnectionTraceTask/ConnClose" {
        version 0 [ConnectionObj: Ptr, Abortive: U32]
    }
    24 "HTTPConnectionTraceTask/ConnCleanup", 34 "HTTPSSLTraceTask/SslConnEvent",
    35 "HTTPSSLTraceTask/SslInitiateHandshake", 37 "HTTPSSLTraceTask/SslInititateSslRcvClientCert",
    57 "HTTPSSLTraceTask/SslDisconnEvent" {
        version 0 [ConnectionObj: Ptr]
    }
    25 "HTTPCacheTraceTask/AddedCacheEntry" {
        version 0 [
            Uri: Text16, StatusCode: U16, Verb: Text8, HeaderLength: U32, ContentLength: U32, ExpirationTime: U64,
        ]
        version 1 [
            Uri: Text16, StatusCode: U16, Verb: Text8, HeaderLength: U32, ContentLength: U32, ExpirationTime: U64,
            Encoding: Text8,
        ]
    }
    26 "HTTPCacheTraceTask/AddCacheEntryFailed" {
        version 0 [UrlBuffer: Text16, ErrorStatus: U32]
        version 1 [UrlBuffer: Text16, ErrorStatus: U32, Encoding: Text8]
    }
    27 "HTTPCacheTraceTask/FlushedCache" {
        version 0 [
            Uri: Text16, StatusCode: U16, Verb: Text8, HeaderLength: U32, ContentLength: U32, ExpirationTime: U64,
        ]
    }
    28 "HTTPConfigurationPropertyTraceTask/ChgUrlGrpProp", 29 "HTTPConfigurationPropertyTraceTask/ChgSrvSesProp",
    30 "HTTPConfigurationPropertyTraceTask/ChgReqQueueProp" {
        version 0 [Property: U32, Status: U32]
    }
    31 "HTTPConfigurationPropertyTraceTask/AddUrl" {
        version 0 [UrlGroupId: U64, Url: Text16, Status: U32]
    }
    32 "HTTPConfigurationPropertyTraceTask/RemUrl" {
        version 0 [UrlGroupId: U64, Url: Text16]
    }
    33 "HTTPConfigurationPropertyTraceTask/RemAllUrls" {
        version 0 [UrlGroupId: U64]
    }
    36 "HTTPSSLTraceTask/SslHandshakeComplete", 38 "HTTPSSLTraceTask/SslRcvClientCertFailed" {
        version 0 [Status: U32, ConnectionObj: Ptr]
    }
    39 "HTTPSSLTraceTask/SslRcvdRawData", 40 "HTTPSSLTraceTask/SslDlvrdStreamData",
    41 "HTTPSSLTraceTask/SslAcceptStreamData" {
        version 0 [DataLength: U32, ConnectionObj: Ptr]
    }
    43 "HTTPAuthenticationTraceTask/SspiCall" {
        version 0 [ConnectionId: U64, AuthType: Text8, SecStatus: U32, AuthStatus: U32]
        version 1 [ConnectionId: U64, AuthType: Text8, SecStatus: U32, AuthStatus: U32, ContextAttributes: U32]
    }
    44 "HTTPAuthenticationTraceTask/AuthCacheEntryAdded" {
        version 0 [ConnectionId: U64, AuthCacheType: Text8, AccessTokenOrHandle: Ptr, Status: U32]
    }
    45 "HTTPAuthenticationTraceTask/AuthCacheEntryFreed" {
        version 0 [AccessTokenOrHandle: Ptr, Status: U32]
    }
    46 "HTTPConnectionTraceTask/QosFlowSetReset" {
        version 0 [ConnectionId: U64, Bandwidth: U32, Status: U32]
    }
    47 "HTTPLoggingTraceTask/LoggingConfigFailed" {
        version 0 [Status: U32, Type: U32, Group: U32, Directory: Text16, Software: Text16, SiteId: U32]
    }
    48 "HTTPLoggingTraceTask/LoggingConfig" {
        version 0 [
            Present: U32, Type: U32, Group: U32, Format: U32, Directory: Text16, Software: Text16, SiteId: U32,
        ]
    }
    49 "HTTPLoggingTraceTask/LogFileCreateFailed" {
        version 0 [Status: U32, Type: U32, Group: U32, Format: U32, Filename: Text16, SiteId: U32]
    }
    50 "HTTPLoggingTraceTask/LogFileCreate" {
        version 0 [Handle: Ptr, Type: U32, Group: U32, Format: U32, Filename: Text16, SiteId: U32]
    }
    51 "HTTPLoggingTraceTask/LogFileWrite" {
        version 0 [Status: U32, Handle: Ptr, Type: U32, Group: U32, Format: U32, ResType: Text8, SiteId: U32]
    }
    52 "HTTPRequestTraceTask/ParseRequestFailed" {
        version 0 [
            Status: U32, RequestId: U64, Reason: Text8, ErrorCode: U32, HintLength: Count32(0), HintData: BytesOf(0),
        ]
    }
    53 "HTTPTimeoutTraceTask/ConnTimedOut" {
        version 0 [ConnectionId: U64, ConnectionObj: Ptr, Timer: Text8]
    }
    56 "HTTPSSLTraceTask/SslEndpointCreationFailed" {
        version 0 [EndpointConfigObj: Ptr, SecStatus: U32, Detail: Text8]
    }
    58 "HTTPSSLTraceTask/SslDisconnReq" {
        version 0 [ConnectionObj: Ptr, Status: U32]
    }
    59 "HTTPSSLTraceTask/SslUnsealMsg", 62 "HTTPSSLTraceTask/SslAsc", 63 "HTTPSSLTraceTask/SslSealMsg" {
        version 0 [ConnectionObj: Ptr, SecStatus: U32]
    }
    60 "HTTPSSLTraceTask/SslQueryConnInfoFailed" {
        version 0 [ConnectionObj: Ptr, SecStatus: U32, Detail: Text8]
    }
    61 "HTTPSSLTraceTask/SslEndpointConfigNotFound" {
        version 0 [ConnectionObj: Ptr, AddressLength: Count32(0), Address: SocketAddressOf(0)]
    }
    64 "HTTPRequestTraceTask/RequestRejected", 65 "HTTPRequestTraceTask/RequestCancelled" {
        version 0 [RequestId: U64, Reason: Text8, RequestQueueName: Text16]
    }
    66 "HTTPDriverGlobalSettingsTask/HotAddProcFailed" {
        version 0 [NewProcNumber: U8, ReasonString: Text8, Status: U32]
    }
    67 "HTTPDriverGlobalSettingsTask/HotAddProcSucceeded" {
        version 0 [NewProcNumber: U8, Comment: Text8]
    }
    68 "HTTPRequestTraceTask/UserResponseFlowInit", 69 "HTTPRequestTraceTask/CachedResponseFlowInit" {
        version 0 [FlowHandle: Ptr, Bandwidth: U32, PeakBandwidth: U32, BurstSize: U32]
    }
    70 "HTTPRequestTraceTask/FlowInitFailed" {
        version 0 [Bandwidth: U32, PeakBandwidth: U32, BurstSize: U32, Status: U32]
    }
    71 "HTTPConnectionTraceTask/SetConnectionFlow", 84 "HTTPConnectionTraceTask/UsePolicyBasedQoSFlow" {
        version 0 [Connection: Ptr, FlowHandle: Ptr]
    }
    72 "HTTPConnectionTraceTask/RequestAssociatedToConfigurationFlow" {
        version 0 [FlowHandle: Ptr]
    }
    73 "HTTPConnectionTraceTask/ConnectionFlowFailed" {
        version 0 [Connection: Ptr, FlowHandle: Ptr, Status: U32]
    }
    74 "HTTPRequestTraceTask/ResponseRangeProcessingOK" {
        version 0 [
            RequestId: U64, ContentBytes: U64, NumberOfRanges: U32, Range1Start: U64, Range1End: U64, Range2Start: U64,
            Range2End: U64,
        ]
    }
    75 "HTTPCacheTraceTask/BeginBuildingSlices" {
        version 0 [
            RequestId: U64, NumberOfSlices: U32, SliceIndex1: U32, SliceIndex2: U32, NumberOfRanges: U32,
            Range1Start: U64, Range1End: U64, Range2Start: U64, Range2End: U64,
        ]
    }
    76 "HTTPCacheTraceTask/SendSliceCacheContent", 77 "HTTPCacheTraceTask/CachedSlicesMatchContent" {
        version 0 [
            RequestId: U64, CacheEntryPtr: Ptr, NumberOfSlices: U32, SliceIndex1: U32, SliceIndex2: U32,
            NumberOfRanges: U32, Range1Start: U64, Range1End: U64, Range2Start: U64, Range2End: U64,
        ]
    }
    78 "HTTPCacheTraceTask/MergeSlicesToCache" {
        version 0 [CacheEntryPtr: Ptr, NofSlicesToMerge: U32, NofSlicesInCache: U32]
    }
    79 "HTTPCacheTraceTask/FlatCacheRangeSend" {
        version 0 [CacheEntryPtr: Ptr, Range1Start: U64, Range1End: U64]
    }
    80 "HTTPAuthenticationTraceTask/ChannelBindAscParams" {
        version 0 [ConnectionId: U64, NoBindBuffers: U32, SecFlags: U32]
    }
    81 "HTTPAuthenticationTraceTask/ServiceBindCheckComplete" {
        version 0 [ConnectionId: U64, SecContextL: Ptr, SecContextH: Ptr, SecStatus: U32, Target: Text16]
    }
    82 "HTTPAuthenticationTraceTask/ChannelBindConfigCapture" {
        version 0 [Hardening: U8, Flags: U32, ServiceNameCount: U32]
    }
    83 "HTTPAuthenticationTraceTask/ChannelBindPerResponseConfig" {
        version 0 [ReplaceConfigOf: Text8]
    }
    85 "HTTPThreadPool/ThreadPoolExtension", 87 "HTTPThreadPool/ThreadPoolTrim" {
        version 0 [PoolType: Text8, ActivePools: U16]
    }
    86 "HTTPThreadPool/ThreadReady", 88 "HTTPThreadPool/ThreadGone" {
        version 0 [PoolType: Text8, ActivePools: U16, ThreadCount: U8]
    }
    89 "HTTPSSLTraceTask/SniParsed" {
        version 0 [
            ConnectionObj: Ptr, Status: U32, SniLength: Count32(0), SniHost: BytesOf(0), NormalizedHost: Text16,
        ]
    }
    91 "HTTPSSLTraceTask/EndpointAutoGenerated", 92 "HTTPSSLTraceTask/AutoGeneratedEndpointDeleted" {
        version 0 [EndpointConfigObj: Ptr, EndpointName: Text16]
    }
    93 "HTTPSSLTraceTask/SslEndpointConfigFound" {
        version 0 [
            EndpointConfigObj: Ptr, IpAddrLength: Count32(0), IpAddress: SocketAddressOf(0), SniHostname: Text16,
            MatchingEndpointName: Text16, AutoGeneratedEndpoint: Bool32,
        ]
    }
    94 "HTTPSSLTraceTask/SslEndpointConfigRejected" {
        version 0 [AddressLength: Count32(0), Address: SocketAddressOf(0)]
    }
    95 "HTTPResponseTraceTask/ParseRequestFailed" {
        version 0 [
            Status: U32, ResponseId: U64, Reason: Text8, ErrorCode: U32, HintLength: Count32(0), HintData: BytesOf(0),
        ]
    }
}
