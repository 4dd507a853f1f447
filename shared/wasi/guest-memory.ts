/** The memory of a program, which may move whenever it grows. */
export class GuestMemory {
  #memory: WebAssembly.Memory | null = null;
  #view = new DataView(new ArrayBuffer(0));
  #bytes = new Uint8Array(0);

  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  view(): DataView {
    this.#follow();
    return this.#view;
  }

  /** A part of the memory itself, good until the program goes on. */
  part(start: number, lengthBytes: number): Uint8Array<ArrayBuffer> {
    this.#follow();
    return this.#bytes.subarray(start, start + lengthBytes);
  }

  text(start: number, lengthBytes: number): string {
    return new TextDecoder().decode(this.part(start, lengthBytes));
  }

  setUint32(at: number, value: number): void {
    this.view().setUint32(at, value, true);
  }

  setUint64(at: number, value: number): void {
    this.view().setBigUint64(at, BigInt(Math.round(value)), true);
  }

  /** The parts of memory that a list of `count` addresses and lengths names. */
  *parts(list: number, count: number): Generator<Uint8Array<ArrayBuffer>> {
    for (let at = list; at < list + 8 * count; at += 8)
      yield this.part(this.view().getUint32(at, true), this.view().getUint32(at + 4, true));
  }

  #follow(): void {
    const buffer = this.#memory?.buffer;
    if (buffer === undefined || buffer === this.#view.buffer) return;
    this.#view = new DataView(buffer);
    this.#bytes = new Uint8Array(buffer);
  }
}
