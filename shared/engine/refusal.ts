import { RANK_CHANGE_TABLE } from '../sql/modules.ts';
import { EngineError } from './engine.ts';

/** Comments, and quoted texts and names, of SQL; each up to the end of the text where it does not end. */
const COMMENT_OR_QUOTED =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)/g;
const ATTACHES = /(?:^|;)\s*(ATTACH|DETACH)\b/i;
/** What makes or removes a table, view, index, function or macro: the word, and the name. */
const DEFINES =
  /(?:^|;)\s*(CREATE|DROP)\s+(?:OR\s+REPLACE\s+)?(?:PERFETTO\s+|TEMP(?:ORARY)?\s+|UNIQUE\s+)*[A-Z]+\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:\w+\s*\.\s*)?(\w+)/gi;
/** Names of Outrank's tables, and of Perfetto's that these are made of. */
const OURS =
  /^(?:_?etw_.*|_*intrinsic_.*|android_logs|args|counter|cpu|perf_sample|process|process_track|sched|sched_slice|slice|stack_profile_.*|thread|thread_state|thread_track|track)$/i;
/** How Outrank itself makes tables by SQL when it knows more: judged ranks, changes of ranks, and symbols. */
const BY_OUTRANK = new RegExp(
  `CREATE (?:OR REPLACE PERFETTO TABLE (?:etw_ready_wait_rank|etw_symbol|${RANK_CHANGE_TABLE})|TEMP VIEW IF NOT EXISTS etw_ready_wait(?:_long)?)$`,
);

/**
 * Why SQL is not asked. It attaches or detaches a database: that would harm nothing, since no file can be opened and what is
 * lent is attached again; but who writes it should know. Or it removes or hides a table that views and findings read: they would
 * fail, or find nothing, until the trace is opened again. This is against accidents: quoted names pass. Null for other SQL.
 */
export function refusalOf(sql: string): EngineError | null {
  // As many characters, so that places stay.
  const bare = sql.replace(COMMENT_OR_QUOTED, (text) => text.replace(/[^\n]/g, ' '));
  const attaches = ATTACHES.exec(bare);
  if (attaches !== null)
    return refused(bare, attaches, 'is not possible: SQL reaches the loaded trace alone');
  for (const found of bare.matchAll(DEFINES)) {
    const [whole, , name = ''] = found;
    if (OURS.test(name) && !BY_OUTRANK.test(whole))
      return refused(
        bare,
        found,
        `of ${name} is not possible: views and findings read it; choose another name`,
      );
  }
  return null;
}

function refused(bare: string, found: RegExpExecArray, why: string): EngineError {
  const [whole, word = ''] = found;
  const before = bare.slice(0, found.index + whole.search(/[A-Z]/i)).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  return new EngineError('sql', `${word.toUpperCase()} ${why}`, place);
}
