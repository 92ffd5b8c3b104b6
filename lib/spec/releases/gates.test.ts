import { expect, test } from 'vitest';
import { gates, gatesOfRelease, inRange } from './gates.ts';
import { parseRelease } from './versions.ts';

test('the 22 gates, each with its source and the date it was read', () => {
  expect(gates.map(({ id }) => id)).toEqual(Array.from({ length: 22 }, (_, index) => `V${index + 1}`));
  for (const gate of gates) {
    expect(gate.source, gate.id).toMatch(/^(?:RN v3\.\d+|projectcalico\/calico#\d+|tigera\/operator )/);
    expect(gate.read, gate.id).toMatch(/^2026-\d\d-\d\d$/);
    expect(gate.condition.length * gate.advice.length, gate.id).toBeGreaterThan(0);
  }
});

test('every version in a gate can be compared, and no range is empty', () => {
  for (const { id, fromRelease, toRelease, kernel, kubernetes, crosses } of gates) {
    if (crosses !== undefined) expect(parseRelease(crosses), id).not.toBeNull();
    for (const range of [fromRelease, toRelease, kernel, kubernetes].flatMap((ranges) => ranges ?? [])) {
      expect(range.from ?? range.before, id).toBeDefined();
      for (const end of [range.from, range.before]) if (end) expect(parseRelease(end), `${id} ${end}`).not.toBeNull();
      if (range.from && range.before) expect(inRange(range.from, range), id).toBe('yes');
    }
  }
});

test.each([
  ['v3.30.6', { from: 'v3.30.0', before: 'v3.30.7' }, 'yes'],
  ['v3.30.7', { from: 'v3.30.0', before: 'v3.30.7' }, 'no'],
  ['6.12.53-1.amzn2023', { from: '6.12.53', before: '6.13' }, 'yes'],
  ['6.12.9', { from: '6.12.53', before: '6.13' }, 'no'],
  ['6.12', { from: '6.12.53', before: '6.13' }, 'undecided'],
  ['master', { before: 'v3.27.0' }, 'undecided'],
] as const)('%s in %o: %s', (version, range, expected) => {
  expect(inRange(version, range)).toBe(expected);
});

test.each([
  ['v3.31.0', 'V1 V2 V8 V9 V10 V11 V12 V13 V22'],
  ['v3.31.7', 'V1 V8 V9 V10'],
  ['v3.32.1', 'V10 V19 V20 V21'],
])('to know before %s: %s', (version, ids) => {
  expect(
    gatesOfRelease(version)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(ids);
});

test('V8 names the value as the chart and the Installation call it', () => {
  expect(gates.find(({ id }) => id === 'V8')?.advice).toContain(' kubeletVolumePluginPath moved under installation;');
});
