// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { views } from '../../views/index.ts';
import { commandFor, commands } from './commands.ts';

const press = (fields: Partial<KeyboardEvent>) =>
  commandFor({ code: '', key: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...fields })
    ?.id;

test('WASD go by the place of the key, whatever the layout; signs go by their character', () => {
  expect([
    press({ code: 'KeyW', key: 'z' }),
    press({ code: 'KeyA', key: 'q' }),
    press({ code: 'Digit7', key: '/' }),
    press({ code: 'Minus', key: '?' }),
    press({ code: 'KeyO', key: 'o', metaKey: true }),
  ]).toEqual(['zoom-in', 'pan-left', 'search', 'keys', 'open']);
});

test('keys of the browser and the system stay theirs: Ctrl W, Alt D; O alone means nothing', () => {
  expect([
    press({ code: 'KeyW', key: 'w', ctrlKey: true }),
    press({ code: 'KeyD', key: 'd', altKey: true }),
    press({ code: 'KeyO', key: 'o' }),
  ]).toEqual([undefined, undefined, undefined]);
});

test('M marks, Shift M removes all marks; other keys do the same with Shift', () => {
  expect([
    press({ code: 'KeyM', key: 'm' }),
    press({ code: 'KeyM', key: 'M', shiftKey: true }),
    press({ code: 'KeyW', key: 'W', shiftKey: true }),
  ]).toEqual(['mark', 'clear-marks', 'zoom-in']);
});

test('T shows tables, Shift T the timeline', () => {
  expect([press({ code: 'KeyT', key: 't' }), press({ code: 'KeyT', key: 'T', shiftKey: true })]).toEqual([
    'tables',
    'show-in-timeline',
  ]);
});

test('Ctrl or Command with Shift P opens the palette; Alt ← goes back; digits open views', () => {
  expect([
    press({ code: 'KeyP', key: 'P', ctrlKey: true, shiftKey: true }),
    press({ code: 'KeyP', key: 'P', metaKey: true, shiftKey: true }),
    press({ code: 'KeyP', key: 'p', ctrlKey: true }),
    press({ key: 'ArrowLeft', altKey: true }),
    press({ key: '1' }),
  ]).toEqual(['palette', 'palette', undefined, 'back', `view-${views[0]?.id ?? ''}`]);
});

test('no key means two things', () => {
  const chords = commands.flatMap(({ keys }) =>
    keys.map(({ code, key, mod, shift, alt }) => [mod, shift, alt, code ?? key].join(' ')),
  );
  expect(chords).toEqual([...new Set(chords)]);
});
