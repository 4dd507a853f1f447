/** The modules of the package `etw` whose tables the model of the scheduler asks. */
export const WHY_LATE_MODULES: readonly string[] = [
  'etw.affinity',
  'etw.cpu',
  'etw.freeze',
  'etw.interrupt',
  'etw.power',
];
