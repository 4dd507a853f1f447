const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Units of duration, longest first: its length in ns, and its symbol. */
const DURATION_UNITS = [
  { ns: 1e9, symbol: 's' },
  { ns: 1e6, symbol: 'ms' },
  { ns: 1e3, symbol: 'µs' },
] as const;

/**
 * A duration in ns, in its natural unit with three significant digits or more: `850 ns`, `12.3 µs`, `19.493 s`, `1,234 s`.
 * Seconds below 100 keep their milliseconds.
 */
export function formatDuration(duration_ns: number): string {
  // What rounds to nothing has no sign.
  if (Math.abs(duration_ns) < 0.5) return '0 ns';
  if (duration_ns < 0) return `−${formatDuration(-duration_ns)}`;
  const unit = DURATION_UNITS.find(({ ns }) => duration_ns >= ns * 0.9995);
  if (unit === undefined) return `${whole.format(duration_ns)} ns`;
  const value = duration_ns / unit.ns;
  if (value >= 1000) return `${whole.format(value)} ${unit.symbol}`;
  if (unit.symbol === 's') return `${value.toFixed(value < 100 ? 3 : 1)} s`;
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit.symbol}`;
}

/** A duration of CPU use in ns, in seconds with one digit, or as {@link formatDuration} below 0.1 s: `155.9 s`. */
export function formatCpuTime(duration_ns: number): string {
  return duration_ns >= 1e8 && duration_ns < 1e12
    ? `${(duration_ns / 1e9).toFixed(1)} s`
    : formatDuration(duration_ns);
}

/** A time on the trace clock, as seconds from `origin_ns` (the trace's start) to the microsecond: `30.333421 s`. */
export function formatTime(ts: number, origin_ns: number): string {
  return `${marked(((ts - origin_ns) / 1e9).toFixed(6))} s`;
}

/** A tick of a time axis whose ticks stand `step_ns` apart, with just the digits that tell them apart: `30.25 s`. */
export function formatTimeTick(ts: number, origin_ns: number, step_ns: number): string {
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step_ns / 1e9) - 1e-9)));
  return `${marked(((ts - origin_ns) / 1e9).toFixed(digits))} s`;
}

/** A decimal number with thousands marked before its point. */
function marked(number: string): string {
  const [before = '', ...after] = number.split('.');
  // Few times are so late, and every row of a table has one.
  return before.length < 4 ? number : [before.replace(/\B(?=(?:\d{3})+$)/g, ','), ...after].join('.');
}

/**
 * A date and a time on the clock of a machine so many minutes ahead of UTC (null: not known, and UTC is told): `2022-06-18 06:26 UTC+2`.
 * Null where a damaged file gives no date that there is.
 */
export function formatLocalTime(utc_ms: number, offset_minutes: number | null): string | null {
  const local = new Date(utc_ms + (offset_minutes ?? 0) * 60_000);
  if (Number.isNaN(local.getTime())) return null;
  return `${local.toISOString().slice(0, 16).replace('T', ' ')} ${zone(offset_minutes ?? 0)}`;
}

/** A zone as its distance from UTC: `UTC`, `UTC+1`, `UTC−3:30`. */
function zone(offset_minutes: number): string {
  if (offset_minutes === 0) return 'UTC';
  const hours = Math.floor(Math.abs(offset_minutes) / 60);
  const minutes = Math.abs(offset_minutes) % 60;
  const rest = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `UTC${offset_minutes < 0 ? '−' : '+'}${hours}${rest}`;
}

/** A whole number with thousands marked: `1,234,567`. */
export function formatCount(count: number | bigint): string {
  return whole.format(count);
}

/** How many are shown of all: `12`, or `500 of 1,234`; with `which` of them: `the first 500 of 1,234`. */
export function formatShown(shown: number, all: number, which = ''): string {
  return shown < all ? `${which}${formatCount(shown)} of ${formatCount(all)}` : formatCount(all);
}

const fine = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** A number with a fraction, to four significant digits, or whole with thousands marked: `1.234`, `1,234,567`. */
export function formatNumber(number: number): string {
  return Math.abs(number) >= 1000 ? whole.format(number) : fine.format(number);
}

/** A part of 1 as percent: `12.5 %`. */
export function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** A size in bytes in its natural decimal unit: `1.2 GB`. */
export function formatBytes(size_bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size_bytes)) / 3));
  return `${(size_bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ''}`;
}

/** A text without the marks that turn the direction of what follows: with them a name could pass for another. */
export function withoutDirection(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}

/** What a process ended with, in hexadecimal beyond 255: `1`, `0xC0000005`. Null stays null: it has not ended. */
export function formatExitCode(code: number | null): string | null {
  if (code === null) return null;
  return code >= 0 && code <= 255 ? String(code) : `0x${(code >>> 0).toString(16).toUpperCase()}`;
}
