/** The only note of a view of waits where no context switches were recorded. */
export const WAITING_UNRECORDED =
  'No context switches were recorded, so nothing is known of waiting. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).';

/** What a view of waits says where context switches were recorded as compact ones. */
export const COMPACT_SWITCHES =
  'Context switches were recorded in their compact form, without ranks, thread states and wait reasons. Record with the kernel flag CSWITCH and without COMPACT_CSWITCH.';
