import { setFlagsFromString } from 'node:v8';

/**
 * How much of a WebAssembly function runs before V8 optimises it, about in bytes of code. By default V8 optimises the engine's largest
 * functions at once: a second of processor, while the quick code that is there starts an engine and loads an outline in a third of that.
 * An engine that works for long is optimised all the same.
 */
const TIERING_BUDGET_BYTES = 2_000_000_000;

/** Lets V8 start with the quick code of WebAssembly that this process compiles from now on. */
export function startWithQuickCode(): void {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET_BYTES}`);
}
