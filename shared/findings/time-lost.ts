import { formatDuration } from '../model/index.ts';
import type { Finding } from './finding.ts';

/** How long the user lost by a finding, in words. None at all is a time that was not measured, such as that of lost events. */
export function timeLost({ seconds_lost }: Pick<Finding, 'seconds_lost'>): string {
  return seconds_lost === 0 ? 'unknown' : formatDuration(seconds_lost * 1e9);
}
