/** Gives a worker of the tests its display. */
import { inject } from 'vitest';

const display = inject('displays')[Number(process.env.VITEST_POOL_ID) - 1];
if (display !== undefined) process.env.DISPLAY = display;
