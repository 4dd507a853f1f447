/** Sets of CPUs by number, a bit each: as many sets as places. */
export class CpuBits {
  /** How many numbers of 32 bits a set takes. */
  readonly words: number;
  readonly bits: Uint32Array;

  constructor(places: number, cpuCount: number) {
    this.words = Math.ceil(cpuCount / 32);
    this.bits = new Uint32Array(places * this.words);
  }

  /** Puts a CPU into a set; one that is not among the CPUs of the machine is left out. */
  add(place: number, cpu: number): void {
    const word = cpu >> 5;
    if (word >= this.words) return;
    const at = place * this.words + word;
    this.bits[at] = (this.bits[at] ?? 0) | (1 << (cpu & 31));
  }

  /** Puts a CPU into the sets of places from `first` up to `last`. */
  addTo(first: number, last: number, cpu: number): void {
    const { words, bits } = this;
    const word = cpu >> 5;
    if (word >= words) return;
    const bit = 1 << (cpu & 31);
    for (let at = first * words + word; at < last * words; at += words) bits[at] = (bits[at] ?? 0) | bit;
  }

  delete(place: number, cpu: number): void {
    const word = cpu >> 5;
    if (word >= this.words) return;
    const at = place * this.words + word;
    this.bits[at] = (this.bits[at] ?? 0) & ~(1 << (cpu & 31));
  }

  has(place: number, cpu: number): boolean {
    const word = cpu >> 5;
    return word < this.words && (((this.bits[place * this.words + word] ?? 0) >>> (cpu & 31)) & 1) === 1;
  }
}
