/** What is counted, each with what it means. */
const COUNTERS = {
  outrank_http_requests_total: 'Requests answered.',
  outrank_http_failures_total: 'Requests answered with a status of 500 or more.',
  outrank_refused_total: 'Requests and connections refused: no token, another origin, too many.',
  outrank_upload_bytes_total: 'Bytes of traces taken.',
  outrank_uploads_finished_total: 'Uploads that became a stored trace.',
  outrank_traces_expired_total: 'Traces removed because they expired.',
  outrank_open_failures_total: 'Stored traces that could not be opened.',
  outrank_engines_started_total: 'Engines started for a trace, again after it died too.',
  outrank_engines_evicted_total: 'Open traces closed because they were unused or others needed the room.',
  outrank_engine_deaths_total: 'Engines that died or were ended while a query ran.',
  outrank_answers_kept_total: 'Queries answered from kept answers.',
  outrank_answers_computed_total: 'Queries that were given to an engine.',
} as const;

/** What is measured when it is asked for. */
export interface Gauges {
  /** 1 while the store answers, else 0. */
  readonly outrank_store_usable: number;
  /** Traces in the store; NaN while it does not answer. */
  readonly outrank_traces: number;
  /** Bytes of traces in the store; NaN while it does not answer. */
  readonly outrank_stored_bytes: number;
  /** Traces whose bytes were found changed or gone, and not uploaded again since. */
  readonly outrank_traces_damaged: number;
  /** Uploads under way. */
  readonly outrank_uploads_under_way: number;
  /** Traces that are open, each in an engine of its own. */
  readonly outrank_engines: number;
  /** Resident memory of all engines, where the system tells. */
  readonly outrank_engine_memory_bytes: number;
  /** Resident memory of the server itself. */
  readonly outrank_server_memory_bytes: number;
  /** Connections of pages that show a trace. */
  readonly outrank_viewers: number;
  /** Traces that are still to be added to the lake, or forgotten there; NaN without a lake. */
  readonly outrank_lake_waiting: number;
  /** Traces that the lake lacks, since adding them failed; NaN without a lake. */
  readonly outrank_lake_failed: number;
}

const BOUNDS_S = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/** Counts what the server does, and tells it in the text format of Prometheus. */
export class Metrics {
  readonly #counts = new Map<keyof typeof COUNTERS, number>();
  readonly #inBucket = BOUNDS_S.map(() => 0);
  #queries = 0;
  #query_s = 0;

  count(name: keyof typeof COUNTERS, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  /** One run of a query in an engine. */
  observeQuery(seconds: number): void {
    this.#queries += 1;
    this.#query_s += seconds;
    const at = BOUNDS_S.findIndex((bound) => seconds <= bound);
    if (at >= 0) this.#inBucket[at] = (this.#inBucket[at] ?? 0) + 1;
  }

  /** All of it, in the text format of Prometheus 0.0.4. */
  text(gauges: Gauges): string {
    const lines: string[] = [];
    for (const [name, help] of Object.entries(COUNTERS)) {
      const value = this.#counts.get(name as keyof typeof COUNTERS) ?? 0;
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`, `${name} ${value}`);
    }
    for (const [name, value] of Object.entries(gauges))
      lines.push(`# TYPE ${name} gauge`, `${name} ${value}`);
    const query = 'outrank_query_seconds';
    lines.push(`# HELP ${query} Time that queries took in engines.`, `# TYPE ${query} histogram`);
    let below = 0;
    for (const [at, bound] of BOUNDS_S.entries()) {
      below += this.#inBucket[at] ?? 0;
      lines.push(`${query}_bucket{le="${bound}"} ${below}`);
    }
    lines.push(
      `${query}_bucket{le="+Inf"} ${this.#queries}`,
      `${query}_sum ${this.#query_s}`,
      `${query}_count ${this.#queries}`,
    );
    return `${lines.join('\n')}\n`;
  }
}
