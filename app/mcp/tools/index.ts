import type { AnyTool } from '../tool.ts';
import { chain } from './chain.ts';
import { compare } from './compare.ts';
import { explain } from './explain.ts';
import { lake } from './lake.ts';
import { link } from './link.ts';
import { open } from './open.ts';
import { sql } from './sql.ts';
import { view } from './view.ts';

/** All tools, in the order in which they mostly are of use. */
export const tools: readonly AnyTool[] = [open, explain, chain, view, sql, compare, lake, link];
