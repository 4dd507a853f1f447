/** The only note of a view of waits where no context switches were recorded. */
export const WAITING_UNRECORDED =
  'No context switches were recorded, so nothing is known of waiting. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).';
