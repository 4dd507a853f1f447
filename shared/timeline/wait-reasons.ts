/** Kinds of waits that are alike to who looks for a cause; the last one is of reasons that are in no other, or not recorded. */
export const BLOCKED_KINDS = ['request', 'queue', 'delay', 'lock', 'memory', 'suspended', 'other'] as const;
export type BlockedKind = (typeof BLOCKED_KINDS)[number];

/** What a kind is called, in legends and tables. */
export const BLOCKED_LABELS: Readonly<Record<BlockedKind, string>> = {
  request: 'waits for an event or object',
  queue: 'waits for work',
  delay: 'sleeps',
  lock: 'waits for a lock',
  memory: 'waits for memory',
  suspended: 'suspended',
  other: 'blocked for another reason',
};

const KIND_OF: Readonly<Record<string, BlockedKind>> = {
  UserRequest: 'request',
  WrUserRequest: 'request',
  Executive: 'request',
  WrExecutive: 'request',
  WrEventPair: 'request',
  WrLpcReceive: 'request',
  WrLpcReply: 'request',
  WrIoRing: 'request',
  WrQueue: 'queue',
  DelayExecution: 'delay',
  WrDelayExecution: 'delay',
  WrResource: 'lock',
  WrPushLock: 'lock',
  WrMutex: 'lock',
  WrFastMutex: 'lock',
  WrGuardedMutex: 'lock',
  WrKeyedEvent: 'lock',
  WrAlertByThreadId: 'request',
  WrRundown: 'lock',
  FreePage: 'memory',
  PageIn: 'memory',
  PoolAllocation: 'memory',
  WrFreePage: 'memory',
  WrPageIn: 'memory',
  WrPoolAllocation: 'memory',
  WrVirtualMemory: 'memory',
  WrPageOut: 'memory',
  WrProcessInSwap: 'memory',
  WrPhysicalFault: 'memory',
  WrMdlCache: 'memory',
  Suspended: 'suspended',
  WrSuspended: 'suspended',
};

/** The kind of a wait reason, by Windows' own name. */
export function blockedKind(reason: string | null): BlockedKind {
  return KIND_OF[reason ?? ''] ?? 'other';
}
