import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TreeShape, type TreePlace } from './tree-shape.ts';

/** The leaves below a place, by way of children alone. */
function leavesBelow(shape: TreeShape, place: TreePlace): number[] {
  if (place.level === 0) return [place.index];
  const { first, end } = shape.children(place);
  expect(end - first).toBeGreaterThanOrEqual(2);
  return Array.from({ length: end - first }, (_, i) =>
    leavesBelow(shape, { level: place.level - 1, index: first + i }),
  ).flat();
}

test('each tree leads from its root to each leaf once, in order, and no page has a single child', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 3, max: 12 }), (leafCount, fanout) => {
      const shape = new TreeShape(leafCount, fanout);
      const root = shape.placeOf(shape.pageCount - 1);
      expect(leavesBelow(shape, root)).toEqual(Array.from({ length: leafCount }, (_, i) => i));
      expect(shape.lastLeaf(root)).toBe(leafCount - 1);
      for (let page = 0; page < shape.pageCount; page++) expect(shape.pageAt(shape.placeOf(page))).toBe(page);
    }),
    { numRuns: 50 },
  );
});
