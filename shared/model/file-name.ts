/** The file name of a Windows path: what stands behind its last backslash. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('\\') + 1);
}
