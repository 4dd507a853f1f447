/** What Vitest runs before each file of tests, be its modules its own or shared by files. */
import { afterAll } from 'vitest';
import { endAll } from './at-end.ts';

afterAll(endAll);
