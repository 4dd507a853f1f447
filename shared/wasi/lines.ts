/** Takes what comes in pieces, and calls `take` with each whole line of it. */
export function lines(take: (line: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  return (bytes) => {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) take(line);
  };
}
