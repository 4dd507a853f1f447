/** Memory that is used again for each load; it grows to what the largest one needs. */
export class Scratch {
  #memory = new ArrayBuffer(0);

  /** So many bytes, of any content. */
  bytes(length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#for(length), 0, length);
  }

  /** So many numbers of 32 bits, of any content. */
  words(length: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#for(length * 4), 0, length);
  }

  #for(bytes: number): ArrayBuffer {
    if (this.#memory.byteLength < bytes) this.#memory = new ArrayBuffer(Math.ceil(bytes / 4096) * 4096);
    return this.#memory;
  }
}
