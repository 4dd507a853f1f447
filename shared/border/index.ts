export type { Call, Calls, CheckedCalls, Checks } from './calls.ts';
export * from './connect.ts';
export { errorForm, type ErrorForm } from './failure.ts';
export * from './port.ts';
export * from './serve.ts';
