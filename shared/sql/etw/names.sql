-- Windows' own names for the numbers in scheduling events.

-- Name of a thread state (`KTHREAD_STATE`); null for null and for a run that was still open.
-- Source: the values of `ThreadState` in Microsoft's documentation of the event CSwitch.
CREATE PERFETTO MACRO _etw_state_name(
  -- The number.
  state Expr
)
RETURNS Expr AS
(
  CASE $state
    WHEN 0 THEN 'Initialized'
    WHEN 1 THEN 'Ready'
    WHEN 2 THEN 'Running'
    WHEN 3 THEN 'Standby'
    WHEN 4 THEN 'Terminated'
    WHEN 5 THEN 'Waiting'
    WHEN 6 THEN 'Transition'
    WHEN 7 THEN 'DeferredReady'
    WHEN 8 THEN 'GateWaitObsolete'
    WHEN 9 THEN 'WaitingForProcessInSwap'
  END
);

-- Name of a wait reason (`KWAIT_REASON`); null for null and for none.
-- Source: Microsoft's documentation of `KernelWaitReason`, and symbol dumps of `_KWAIT_REASON` for the last ones.
CREATE PERFETTO MACRO _etw_wait_reason_name(
  -- The number.
  reason Expr
)
RETURNS Expr AS
(
  CASE $reason
    WHEN 0 THEN 'Executive'
    WHEN 1 THEN 'FreePage'
    WHEN 2 THEN 'PageIn'
    WHEN 3 THEN 'PoolAllocation'
    WHEN 4 THEN 'DelayExecution'
    WHEN 5 THEN 'Suspended'
    WHEN 6 THEN 'UserRequest'
    WHEN 7 THEN 'WrExecutive'
    WHEN 8 THEN 'WrFreePage'
    WHEN 9 THEN 'WrPageIn'
    WHEN 10 THEN 'WrPoolAllocation'
    WHEN 11 THEN 'WrDelayExecution'
    WHEN 12 THEN 'WrSuspended'
    WHEN 13 THEN 'WrUserRequest'
    WHEN 14 THEN 'WrEventPair'
    WHEN 15 THEN 'WrQueue'
    WHEN 16 THEN 'WrLpcReceive'
    WHEN 17 THEN 'WrLpcReply'
    WHEN 18 THEN 'WrVirtualMemory'
    WHEN 19 THEN 'WrPageOut'
    WHEN 20 THEN 'WrRendezvous'
    WHEN 21 THEN 'WrKeyedEvent'
    WHEN 22 THEN 'WrTerminated'
    WHEN 23 THEN 'WrProcessInSwap'
    WHEN 24 THEN 'WrCpuRateControl'
    WHEN 25 THEN 'WrCalloutStack'
    WHEN 26 THEN 'WrKernel'
    WHEN 27 THEN 'WrResource'
    WHEN 28 THEN 'WrPushLock'
    WHEN 29 THEN 'WrMutex'
    WHEN 30 THEN 'WrQuantumEnd'
    WHEN 31 THEN 'WrDispatchInt'
    WHEN 32 THEN 'WrPreempted'
    WHEN 33 THEN 'WrYieldExecution'
    WHEN 34 THEN 'WrFastMutex'
    WHEN 35 THEN 'WrGuardedMutex'
    WHEN 36 THEN 'WrRundown'
    WHEN 37 THEN 'WrAlertByThreadId'
    WHEN 38 THEN 'WrDeferredPreempt'
    WHEN 39 THEN 'WrPhysicalFault'
    WHEN 40 THEN 'WrIoRing'
    WHEN 41 THEN 'WrMdlCache'
  END
);
