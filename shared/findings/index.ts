export type * from './finding.ts';
export { readRule, readRules, type Rule, type RuleFile } from './rule.ts';
export { NO_OWN_RULES, runAllRules, runRules, runShippedRules, SHIPPED_FINDINGS } from './run-rules.ts';
export { shippedRules } from './shipped-rules.ts';
export { timeLost } from './time-lost.ts';
export { inSight } from './tell-stories.ts';
