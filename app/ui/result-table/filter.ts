import type { Cell } from '../../../shared/engine/index.ts';

const COMPARISON = /^(<=|>=|!=|<>|<|>|=)\s*(.*)$/s;

/**
 * What was typed over a column, as a test of its cells: `> 5`, `<= 5`, `= text`, `!= text`, `null`, `!null`; any other
 * text is looked for within, whatever its case. Null where nothing is typed.
 */
export function parseFilter(typed: string): ((cell: Cell) => boolean) | null {
  const text = typed.trim();
  if (text === '') return null;
  if (/^null$/i.test(text)) return (cell) => cell === null;
  if (/^!\s*null$/i.test(text)) return (cell) => cell !== null;
  const [, operator, operand = ''] = COMPARISON.exec(text) ?? [];
  if (operator === undefined) {
    const part = text.toLowerCase();
    return (cell) => cell !== null && asText(cell).toLowerCase().includes(part);
  }
  const number = operand === '' ? NaN : Number(operand);
  return (cell) => cell !== null && holds(operator, compareTo(cell, operand, number));
}

/** Below, at or above 0 as the cell is below, equal to or above what was typed; NaN where they cannot be compared. */
function compareTo(cell: Exclude<Cell, null>, operand: string, number: number): number {
  if (typeof cell === 'number' || typeof cell === 'bigint') {
    return Number.isNaN(number) ? NaN : Number(cell > number) - Number(cell < number);
  }
  const text = asText(cell);
  return Number(text > operand) - Number(text < operand);
}

function holds(operator: string, difference: number): boolean {
  switch (operator) {
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
    case '=':
      return difference === 0;
    default:
      return difference !== 0;
  }
}

function asText(cell: Exclude<Cell, null>): string {
  return cell instanceof Uint8Array ? `${cell.length} bytes` : String(cell);
}
