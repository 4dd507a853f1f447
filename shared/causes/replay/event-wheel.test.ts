import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventWheel } from './event-wheel.ts';

test('events come in the order of time, and of equal times as they were added', () => {
  // Some in the same tick, some far beyond one turn of the wheel.
  const after = fc.oneof(fc.nat(3), fc.nat(1000), fc.nat(1_000_000_000));
  const step = fc.record({ adds: fc.array(after, { maxLength: 5 }), takes: fc.nat(4) });
  const tick = fc.constantFrom(0.5, 10, 3000);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), tick, fc.nat(1e15), (steps, tick_ns, start) => {
      const wheel = new EventWheel(tick_ns);
      let left: { readonly ts: number; readonly order: number }[] = [];
      let [now, order] = [start, 0];
      for (const { adds, takes } of steps) {
        for (const more of adds) {
          wheel.add(now + more, order, order);
          left.push({ ts: now + more, order: order++ });
        }
        left.sort((a, b) => a.ts - b.ts || a.order - b.order);
        for (let taken = 0; taken < takes; taken++) {
          const [first, ...rest] = left;
          expect([wheel.next_ts, wheel.next_order]).toEqual([
            first?.ts ?? Infinity,
            first?.order ?? Infinity,
          ]);
          expect(wheel.take()).toBe(first?.order ?? NaN);
          now = first?.ts ?? now;
          left = rest;
        }
      }
    }),
  );
});
