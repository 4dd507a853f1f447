/** Why the SQL of a view does not follow a parameter. */
export type Reason =
  'drawing' | 'grouping' | 'choice' | 'other rows' | 'replay' | 'growth' | 'contrast' | 'chain';

/**
 * What the SQL of views leaves out, with a reason. `drawing`: it changes the picture alone. `grouping`: SQL groups in one way. `choice`: it
 * names what is chosen. `other rows`: it is of rows of the view that are not those of SQL. The others are of what SQL does not reckon.
 */
export const LEFT_OUT: Readonly<Record<string, Readonly<Record<string, Reason>>>> = {
  'ready-latency': { group_by: 'grouping', wait_ts: 'choice', wait_tid: 'choice' },
  timeline: {
    order: 'drawing',
    group: 'drawing',
    color: 'drawing',
    lines: 'drawing',
    events: 'other rows',
    rows: 'drawing',
    pinned: 'drawing',
    open: 'drawing',
    tall: 'drawing',
    order_from: 'drawing',
    order_to: 'drawing',
  },
  'wake-chain': { limit: 'other rows', past_dpc_ms: 'chain', link: 'choice' },
  'what-if': { rank: 'replay', priority: 'replay', more_cpus: 'replay', without: 'replay' },
  episodes: {
    slow_from_ms: 'contrast',
    slow_to_ms: 'contrast',
    ordinary_from_ms: 'contrast',
    ordinary_to_ms: 'contrast',
    limit: 'other rows',
  },
  'blocked-time': { by: 'grouping', frames: 'grouping' },
  blame: { by: 'grouping' },
  'cpu-usage': { by: 'grouping', top: 'drawing' },
  'cpu-sampled': {
    by: 'grouping',
    frames: 'grouping',
    shape: 'drawing',
    search: 'drawing',
    least: 'drawing',
    rows: 'other rows',
    loop_bytes: 'other rows',
    loop_share: 'other rows',
    function: 'choice',
    zoom: 'drawing',
  },
  runaway: { top: 'drawing' },
  'context-switches': { by: 'grouping', top: 'drawing' },
  'rank-history': { lanes: 'drawing', limit: 'other rows' },
  'focus-and-input': { moves: 'other rows', limit: 'other rows' },
  threads: { what: 'growth', pid: 'choice', top: 'drawing' },
  io: { measure: 'drawing' },
  system: { stopped: 'other rows' },
};
