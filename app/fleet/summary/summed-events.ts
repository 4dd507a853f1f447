/**
 * Providers whose events a summary reads: what the machine is, where processes begin to end, and who uses the lock of windows. Conversions
 * for a lake need say nothing of others.
 */
export const SUMMED_EVENTS = ['SysConfig', 'Process', 'Microsoft-Windows-Win32k'] as const;
