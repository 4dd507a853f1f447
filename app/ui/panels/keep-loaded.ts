import { effect, untracked } from '@preact/signals';
import {
  followsRange,
  followsSelection,
  loadPanel,
  panelFault,
  type Panel,
  type PanelFault,
  type PanelModel,
  type PanelScope,
} from '../../../shared/panel/index.ts';
import { withColumnsOf } from '../../../shared/tables/index.ts';
import type { ParamSpecs, ParamValues } from '../../../shared/view/index.ts';
import { TooLongError, withinTime } from '../query/within-time.ts';
import type { Session } from '../session.ts';
import { loaded, range, selection } from '../state.ts';
import { needSql } from '../tables.ts';
import { messageOf } from '../../../shared/model/index.ts';

/** A panel that takes longer is ended, and the trace loaded again. */
const LIMIT_S = 30;
/** The most that texts and blobs of a panel's rows may take: a picture of more is none. */
const MOST_BYTES = 64_000_000;
/** While the range or a text changes, rows are asked for when it has rested for so long, in ms. */
const RESTS_MS = 150;

/** What has become of a panel. */
export interface PanelState {
  /** The rows that came last; they stay in sight until others are there. */
  readonly model: PanelModel | null;
  readonly fault: PanelFault | null;
  readonly busy: boolean;
}

/**
 * Asks for the rows of a panel, and again whenever what it follows changes; the newest wish wins. A panel that exceeds the
 * limit of time is not asked again. Returns what ends that.
 */
export function keepLoaded(
  session: Session,
  panel: Panel,
  values: ParamValues<ParamSpecs>,
  show: (change: Partial<PanelState>) => void,
  limit_s = LIMIT_S,
): () => void {
  const ended = new AbortController();
  let over = false;
  let running = false;
  let wanted: PanelScope | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // A wish may come in while rows are awaited.
  const nextWish = () => {
    const wish = ended.signal.aborted ? null : wanted;
    wanted = null;
    return wish;
  };
  const run = async () => {
    if (running) return;
    running = true;
    for (let wish = nextWish(); wish !== null && !over; wish = nextWish()) {
      const { tookTooLong, ...change } = await load(session, panel, values, wish, limit_s);
      over = tookTooLong;
      if (!ended.signal.aborted) show({ ...change, busy: wanted !== null });
    }
    running = false;
  };
  const stop = effect(() => {
    if (loaded.value === null || over) return;
    const scope = {
      trace: loaded.value.summary,
      range: followsRange(panel) ? range.value : range.peek(),
      selection: followsSelection(panel) ? selection.value : selection.peek(),
    };
    clearTimeout(timer);
    untracked(() => show({ busy: true }));
    timer = setTimeout(() => {
      wanted = scope;
      void run();
    }, RESTS_MS);
  });
  return () => {
    ended.abort();
    over = true;
    clearTimeout(timer);
    stop();
  };
}

interface Loaded extends Partial<PanelState> {
  readonly tookTooLong: boolean;
}

async function load(
  session: Session,
  panel: Panel,
  values: ParamValues<ParamSpecs>,
  scope: PanelScope,
  limit_s: number,
): Promise<Loaded> {
  try {
    await needSql(panel.select);
    const trace = loaded.peek();
    const bounded = session.queryWithin(MOST_BYTES);
    const query = trace === null ? bounded : withColumnsOf(session.traceQuery(trace), bounded);
    const model = await withinTime(session, limit_s, () => loadPanel(query, panel, values, scope));
    return { model, fault: null, tookTooLong: false };
  } catch (error) {
    const message = messageOf(error);
    const known = panelFault(error, panel.text) ?? { line: null, column: null, message };
    const tookTooLong = error instanceof TooLongError;
    const tooLong = `It ran for more than ${limit_s} s and was ended. Narrow the range, or what it asks for.`;
    return { fault: tookTooLong ? { line: null, column: null, message: tooLong } : known, tookTooLong };
  }
}
