/** Whether a trace of this name is a Perfetto trace, which the engine reads as it is. */
export function isConverted(name: string): boolean {
  return /\.(pftrace|perfetto-trace)$/i.test(name);
}
