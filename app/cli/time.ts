import { readTime } from '../../shared/model/index.ts';
import { UsageError } from './command.ts';

/** Reads the time that an option takes, as {@link readTime} does; throws a {@link UsageError}. */
export function parseTime(option: string, text: string, start_ns: number): number {
  const time_ns = readTime(text, start_ns);
  if (time_ns !== null) return time_ns;
  throw new UsageError(`--${option} takes a time such as 30.3s or 1000000000, not "${text}"`);
}
