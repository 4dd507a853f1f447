import { EngineError } from '../../shared/engine/index.ts';
import { outlineAnswers } from '../../shared/sql-file/index.ts';
import { etwNamesIn, includedIn, modulesNamedIn, withIncluded } from '../../shared/sql/modules.ts';

/** What leaves something behind for later SQL. */
const CHANGES = /\b(?:CREATE|DROP|ALTER|INSERT|UPDATE|DELETE|REPLACE|PRAGMA)\b/i;

/** What has keys of calls or of their instructions, which are others in each engine: that of the outline tells them while it can. */
const KEYED =
  /^etw_(?:context_switch|sample|pmc_sample|disk_io|file_io|hard_fault|event_stack|callsite|frame|frame_function|mapping|stack|stack_frame|symbol)$/;

/** Only an outline is given the reasons of ready waits. */
const REASONS = 'etw_ready_wait_reason';
const REFUSED = `${REASONS} needs a whole .etl, and one SELECT that reads tables etw_* alone: no table of Perfetto, no part of a trace`;

/**
 * Which engine of a trace answers SQL: the one of its outline, which reads scheduling in columns and is there at once, or the one that holds the
 * whole trace, which looks rows up faster once its tables are built.
 */
export class SqlRoute {
  /** The modules of `etw` that the whole trace's engine has built. */
  readonly #built = new Set<string>();
  /** SQL has made something in the whole trace's engine. */
  #changed = false;

  /**
   * Whether the outline's engine is to be asked, if there is one. Throws an {@link EngineError} for SQL that the other engine would answer
   * without what it asks for.
   */
  toOutline(sql: string, isThere: boolean): boolean {
    const names = etwNamesIn(sql);
    const isAnswered = isThere && outlineAnswers(sql);
    if (names.includes(REASONS)) {
      if (isAnswered) return true;
      throw new EngineError('sql', REFUSED);
    }
    if (this.#changed || !isAnswered) return false;
    if (names.some((name) => KEYED.test(name))) return true;
    const modules = modulesNamedIn(sql);
    return modules.length === 0 || !modules.every((module) => this.#built.has(module));
  }

  /** Notes SQL that the whole trace's engine has run. */
  ranInWhole(sql: string): void {
    for (const module of withIncluded([...includedIn(sql), ...modulesNamedIn(sql)])) this.#built.add(module);
    this.#changed ||= CHANGES.test(sql);
  }

  /** Notes that the whole trace's engine begins anew. */
  restarted(): void {
    this.#built.clear();
    this.#changed = false;
  }
}
