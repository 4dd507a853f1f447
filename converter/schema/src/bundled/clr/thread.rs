//! Threads, the thread pool, locks, exceptions, stacks.

use super::shared::{STACK, THREAD};
use crate::bundled::table::{Column, columns};

const IO_THREADS_0: &[Column] = columns![IOThreadCount: U32, RetiredIOThreads: U32];
const IO_THREADS_1: &[Column] =
    columns![IOThreadCount: U32, RetiredIOThreads: U32, ClrInstanceID: U16];

crate::bundled::table::events! {
    40 "WorkerThreadCreation/Start", 41 "WorkerThreadCreation/Stop", 42 "WorkerThreadRetirement/Start",
    43 "WorkerThreadRetirement/Stop" {
        version 0 [WorkerThreadCount: U32, RetiredWorkerThreads: U32]
    }
    44 "IOThreadCreation/Start", 45 "IOThreadCreation/Stop", 46 "IOThreadRetirement/Start",
    47 "IOThreadRetirement/Stop" {
        version 0 IO_THREADS_0
        version 1 IO_THREADS_1
    }
    48 "ThreadpoolSuspension/Start", 49 "ThreadpoolSuspension/Stop" {
        version 0 [ClrThreadID: U32, CpuUtilization: U32]
    }
    50 "ThreadPoolWorkerThread/Start", 51 "ThreadPoolWorkerThread/Stop", 52 "ThreadPoolWorkerThreadRetirement/Start",
    53 "ThreadPoolWorkerThreadRetirement/Stop", 57 "ThreadPoolWorkerThread/Wait" {
        version 0 [ActiveWorkerThreadCount: U32, RetiredWorkerThreadCount: U32, ClrInstanceID: U16]
    }
    54 "ThreadPoolWorkerThreadAdjustment/Sample" {
        version 0 [Throughput: F64, ClrInstanceID: U16]
    }
    55 "ThreadPoolWorkerThreadAdjustment/Adjustment" {
        version 0 [
            AverageThroughput: F64, NewWorkerThreadCount: U32, Reason: U32 as THREAD_ADJUSTMENT_REASON,
            ClrInstanceID: U16,
        ]
    }
    56 "ThreadPoolWorkerThreadAdjustment/Stats" {
        version 0 [
            Duration: F64, Throughput: F64, ThreadWave: F64, ThroughputWave: F64, ThroughputErrorEstimate: F64,
            AverageThroughputErrorEstimate: F64, ThroughputRatio: F64, Confidence: F64, NewControlSetting: F64,
            NewThreadWaveMagnitude: U16, ClrInstanceID: U16,
        ]
    }
    58 "YieldProcessorMeasurement" {
        version 0 [ClrInstanceID: U16, NsPerYield: F64, EstablishedNsPerYield: F64]
    }
    59 "ThreadPoolMinMaxThreads" {
        version 0 [
            MinWorkerThreads: U16, MaxWorkerThreads: U16, MinIOCompletionThreads: U16, MaxIOCompletionThreads: U16,
            ClrInstanceID: U16,
        ]
    }
    60 "ThreadPoolWorkingThreadCount/Start" {
        version 0 [Count: U32, ClrInstanceID: U16]
    }
    61 "ThreadPool/Enqueue", 62 "ThreadPool/Dequeue" {
        version 0 [WorkID: Ptr, ClrInstanceID: U16]
    }
    63 "ThreadPool/IOEnqueue" {
        version 0 [NativeOverlapped: Ptr, Overlapped: Ptr, MultiDequeues: Bool32, ClrInstanceID: U16]
    }
    64 "ThreadPool/IODequeue", 65 "ThreadPool/IOPack" {
        version 0 [NativeOverlapped: Ptr, Overlapped: Ptr, ClrInstanceID: U16]
    }
    70 "Thread/Creating", 71 "Thread/Running" {
        version 0 [ID: Ptr, ClrInstanceID: U16]
    }
    80 "Exception/Start" {
        version 0 []
        version 1 [
            ExceptionType: Text16, ExceptionMessage: Text16, ExceptionEIP: Ptr, ExceptionHRESULT: Hex32,
            ExceptionFlags: U16 as EXCEPTION_FLAGS, ClrInstanceID: U16,
        ]
    }
    250 "ExceptionCatch/Start", 252 "ExceptionFinally/Start", 254 "ExceptionFilter/Start" {
        version 0 [EntryEIP: Hex64, MethodID: Hex64, MethodName: Text16, ClrInstanceID: U16]
    }
    251 "ExceptionCatch/Stop", 253 "ExceptionFinally/Stop", 255 "ExceptionFilter/Stop", 256 "Exception/Stop",
    240 "DebugIPCEvent/Start", 241 "DebugIPCEvent/Stop", 242 "DebugExceptionProcessing/Start",
    243 "DebugExceptionProcessing/Stop" {
        version 0 []
    }
    81 "Contention/Start" {
        version 0 []
        version 1 [ContentionFlags: U8 as CONTENTION_FLAGS, ClrInstanceID: U16]
        version 2 [
            ContentionFlags: U8 as CONTENTION_FLAGS, ClrInstanceID: U16, LockID: Ptr, AssociatedObjectID: Ptr,
            LockOwnerThreadID: U64,
        ]
    }
    90 "Contention" {
        version 0 [LockID: Ptr, AssociatedObjectID: Ptr, ClrInstanceID: U16]
    }
    91 "Contention/Stop" {
        version 0 [ContentionFlags: U8 as CONTENTION_FLAGS, ClrInstanceID: U16]
        version 1 [ContentionFlags: U8 as CONTENTION_FLAGS, ClrInstanceID: U16, DurationNs: F64]
    }
    82 "CLRStack/CLRStackWalk" {
        version 0 STACK
    }
    83 "AppDomainResourceManagement/AppDomainMemAllocated" {
        version 0 [AppDomainID: Hex64, Allocated: Hex64, ClrInstanceID: U16]
    }
    84 "AppDomainResourceManagement/AppDomainMemSurvived" {
        version 0 [AppDomainID: Hex64, Survived: Hex64, ProcessSurvived: Hex64, ClrInstanceID: U16]
    }
    85 "AppDomainResourceManagement/ThreadCreated" {
        version 0 THREAD
    }
    86 "AppDomainResourceManagement/ThreadTerminated", 87 "AppDomainResourceManagement/ThreadDomainEnter" {
        version 0 [ManagedThreadID: Hex64, AppDomainID: Hex64, ClrInstanceID: U16]
    }
}
