//! `Microsoft-Windows-PowerShell`: the engine, script blocks, runspaces, remoting, the console.
//!
//! Source: the manifest as dumped in `jdu2600/Windows10EtwEvents`, which leaves blanks out of the names of events. Not
//! here: workflows and their jobs (45057 to 46358), which only Windows PowerShell had.

use super::table::{Column, columns};

const CONTEXT: &[Column] = columns![ContextInfo: Text16, UserData: Text16, Payload: Text16];
const PARAMETER: &[Column] = columns![param1: Text16];
const PARAMETERS_2: &[Column] = columns![param1: Text16, param2: Text16];
const PARAMETERS_3: &[Column] = columns![param1: Text16, param2: Text16, param3: Text16];
const PIPELINE: &[Column] = columns![SessionId: Text16, PipelineId: Text16];
const PIPELINE_ERROR: &[Column] = columns![
    SessionId: Text16, PipelineId: Text16, ErrorCode: Text16, ErrorMessage: Text16, StackTrace: Text16,
];
const FRAGMENT: &[Column] = columns![
    ObjectId: I64, FragmentId: I64, sFlag: I32, eFlag: I32, FragmentLength: U32, FragmentPayload: Text16,
];

super::table::events! {
    4097 "Connect/Tobeusedwhenoperationisjustexecutingamethod",
    4098 "Connect/Tobeusedwhenoperationisjustexecutingamethod",
    4099 "Connect/Tobeusedwhenoperationisjustexecutingamethod",
    12037 "Connect/Tobeusedwhenoperationisjustexecutingamethod", 8195 "Connect/Open(async)", 8196 "Connect/Open(async)",
    12039 "Connect/Open(async)", 24579 "PowerShellISEOperation", 24580 "PowerShellISEOperation",
    24581 "PowerShellISEOperation", 24582 "PowerShellISEOperation", 24583 "PowerShellISEOperation",
    24584 "PowerShellISEOperation", 24592 "PowerShellISEOperation", 24593 "None", 24594 "PowerShellISEOperation",
    32869 "Shuttingdown", 40961 "PowerShellConsoleStartup/Start", 40962 "PowerShellConsoleStartup/Stop" {
        version 1 []
    }
    4100 "None/Tobeusedwhenanexceptionisraised", 4101 "None/Tobeusedwhenanexceptionisraised",
    4102 "None/Tobeusedwhenanexceptionisraised", 4103 "None/Tobeusedwhenanexceptionisraised",
    7937 "None/Tobeusedwhenoperationisjustexecutingamethod", 7938 "None/Tobeusedwhenoperationisjustexecutingamethod",
    7939 "None/Tobeusedwhenoperationisjustexecutingamethod", 7940 "None/Tobeusedwhenoperationisjustexecutingamethod" {
        version 1 CONTEXT
    }
    4104 "StartingCommand/Oncreatecalls" {
        version 1 [
            MessageNumber: I32, MessageTotal: I32, ScriptBlockText: Text16, ScriptBlockId: Text16, Path: Text16,
        ]
    }
    4105 "StartingCommand/Open(async)", 4106 "StoppingCommand/Close(Async)" {
        version 1 [ScriptBlockId: Text16, RunspaceId: Text16]
    }
    7941 "Tobeusedwhenoperationisjustexecutingamethod" {
        version 1 [currentActivityId: Guid, parentActivityId: Guid]
    }
    7942 "None/Tobeusedwhenoperationisjustexecutingamethod" {
        version 1 [
            ClassName: Text16, MethodName: Text16, WorkflowGuid: Text16, Message: Text16, JobData: Text16,
            ActivityName: Text16, ActivityGuid: Text16, Parameters: Text16,
        ]
    }
    8193 "Connect/tobeusedwhenanobjectisconstructed", 8197 "Connect/Open(async)",
    12033 "Connect/Tobeusedwhenoperationisjustexecutingamethod",
    12034 "Connect/Tobeusedwhenoperationisjustexecutingamethod",
    12035 "Connect/Tobeusedwhenoperationisjustexecutingamethod",
    12036 "Connect/Tobeusedwhenoperationisjustexecutingamethod", 32785 "connect", 32786 "connect", 32787 "Disconnect",
    32788 "Disconnect" {
        version 1 PARAMETER
    }
    8194 "Connect/tobeusedwhenanobjectisconstructed" {
        version 1 [InstanceId: Text16, MaxRunspaces: Text16, MinRunspaces: Text16]
    }
    8198 "Connect/Open(async)", 32775 "Open(async)", 32777 "Open(async)", 32850 "connect", 32854 "Disconnect",
    32855 "Open(async)", 32856 "Open(async)", 32857 "Disconnect",
    53506 "PowerShellNamedPipeIPC/Tobeusedwhenanexceptionisraised", 53507 "PowerShellNamedPipeIPC/connect",
    53508 "PowerShellNamedPipeIPC/Close(Async)" {
        version 1 PARAMETERS_3
    }
    12038 "Connect/Tobeusedwhenoperationisjustexecutingamethod" {
        version 1 [
            uri: Text16, shell: Text16, userName: Text16, opentimeout: Text16, idletimeout: Text16,
            canceltimeout: Text16, auth: U32, thumbPrint: Text16, redircount: Text16, recvdDataSize: Text16,
            recvdObjSize: Text16,
        ]
    }
    16385 "AmsiState/Tobeusedwhenoperationisjustexecutingamethod" {
        version 1 [Action: Text16, AmsiContext: Text16]
    }
    24577 "PowerShellISEOperation", 24578 "PowerShellISEOperation" {
        version 1 [FileName: Text16]
    }
    24595 "PowerShellISEOperation", 24596 "PowerShellISEOperation", 24597 "PowerShellISEOperation",
    24598 "PowerShellISEOperation", 24599 "PowerShellISEOperation" {
        version 1 [CurrentLine: I32, FileName: Text16]
    }
    28673 "Serializeordeserializeremotingpayload/Rehydration" {
        version 1 [DeserializedType: Text16, CastedToType: Text16, RehydratedType: Text16]
    }
    28674 "Serializeordeserializeremotingpayload/Rehydration" {
        version 1 [
            DeserializedType: Text16, CastedToType: Text16, TypeCastException: Text16, TypeCastInnerException: Text16,
        ]
    }
    28675 "Serializeordeserializeremotingpayload/Serializationsettings" {
        version 1 [SerializedType: Text16, OriginalDepth: I32, OverridenDepth: I32, CurrentDepthBelowTopLevel: I32]
    }
    28676 "Serializeordeserializeremotingpayload/Serializationsettings" {
        version 1 [SerializedType: Text16, OverridenMode: U32]
    }
    28677 "Serializeordeserializeremotingpayload/Tobeusedwhenanexceptionisraised" {
        version 1 [PropertyName: Text16, PropertyOwnerType: Text16, GetterScript: Text16]
    }
    28678 "Serializeordeserializeremotingpayload/Tobeusedwhenanexceptionisraised" {
        version 1 [PropertyName: Text16, PropertyOwnerType: Text16, Exception: Text16, InnerException: Text16]
    }
    28679 "Serializeordeserializeremotingpayload/Tobeusedwhenanexceptionisraised" {
        version 1 [TypeBeingEnumerated: Text16, Exception: Text16]
    }
    28680 "Serializeordeserializeremotingpayload/Tobeusedwhenanexceptionisraised" {
        version 1 [Type: Text16, Exception: Text16]
    }
    28682 "Serializeordeserializeremotingpayload/Tobeusedwhenanexceptionisraised" {
        version 1 [TypeOfObjectAtMaxDepth: Text16, PropertyNameAtMaxDepth: Text16, Depth: I32]
    }
    28683 "Serializeordeserializeremotingpayload/Tobeusedwhenanexceptionisraised" {
        version 1 [LineNumber: I32, LinePosition: I32, Exception: Text16]
    }
    28684 "Serializeordeserializeremotingpayload/Tobeusedwhenanexceptionisraised" {
        version 1 [TypeOfObjectWithMissingProperty: Text16, PropertyName: Text16]
    }
    32769 "Receive(Async)" {
        version 1 [
            Runspace_InstanceId: Text16, PowerShell_InstanceId: Text16, Destination: U32, DataType: U32,
            TargetInterface: U32,
        ]
    }
    32776 "Open(async)", 32784 "Open(async)" {
        version 1 PIPELINE_ERROR
    }
    32789 "Send(Async)", 32792 "Receive(Async)" {
        version 1 [SessionId: Text16, PipelineId: Text16, DataSize: Text16]
    }
    32790 "Send(Async)", 32791 "Receive(Async)", 32793 "connect", 32800 "connect", 32801 "Disconnect",
    32802 "Disconnect", 32804 "Disconnect" {
        version 1 PIPELINE
    }
    32803 "Disconnect" {
        version 1 [SessionId: Text16, PipelineId: Text16, SignalCode: Text16]
    }
    32805 "connect" {
        version 1 [SessionId: Text16, Uri: Text16]
    }
    32849 "Send(Async)" {
        version 1 [
            Runspace_InstanceId: Text16, PowerShell_InstanceId: Text16, DataSize: Text16, DataType: U32,
            TargetInterface: U32,
        ]
    }
    32851 "connect", 32853 "connect", 32865 "connect", 32866 "connect", 53504 "PowerShellNamedPipeIPC/Open(async)",
    53505 "PowerShellNamedPipeIPC/Close(Async)" {
        version 1 PARAMETERS_2
    }
    32852 "connect" {
        version 1 [param1: Text16, param2: Text16, param3: Text16, param4: Text16]
    }
    32867 "Receive(Async)", 32868 "Send(Async)" {
        version 1 FRAGMENT
    }
    53249 "PowerShellScheduledJobs/Tobeusedwhenoperationisjustexecutingamethod" {
        version 1 [ScheduledJobDefName: Text16, StartTime: Text16]
    }
    53250 "PowerShellScheduledJobs/Tobeusedwhenoperationisjustexecutingamethod" {
        version 1 [ScheduledJobDefName: Text16, StopTime: Text16, State: Text16]
    }
    53251 "PowerShellScheduledJobs/Tobeusedwhenanexceptionisraised" {
        version 1 [Name: Text16, Message: Text16, StackTrace: Text16, InnerException: Text16]
    }
}
