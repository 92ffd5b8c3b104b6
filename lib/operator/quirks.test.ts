import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { quirksOf, quirkTable, racesNamed } from './quirks.ts';

test('ours has no quirk', () => {
  expect(quirksOf('signalbox').ids).toEqual([]);
});

test('v3.31.4 has every row but the rare races', () => {
  const rare = quirkTable.filter((row) => 'race' in row && row.race === 'rare').map((row) => row.id);
  expect(quirksOf('v3.31.4').ids).toEqual(
    quirkTable.map((row) => row.id).filter((id) => !rare.some((one) => one === id)),
  );
});

test('an older operator lacks what came later', () => {
  const older = quirksOf('v3.30.7');
  expect(older.has('nftables-first')).toBe(false);
  expect(older.has('proxy-off-before-first-agent')).toBe(false);
  expect(older.has('switch-reads-old-status')).toBe(true);
});

test('races can be decided either way', () => {
  expect(quirksOf('v3.31.4', { without: ['switch-reads-old-status'] }).has('switch-reads-old-status')).toBe(false);
  expect(quirksOf('v3.31.4', { with: ['default-status-conflict'] }).has('default-status-conflict')).toBe(true);
});

test('what is no race cannot be taken away', () => {
  expect(() => quirksOf('v3.31.4', { without: ['raw-format-verb'] })).toThrow('raw-format-verb is not a race');
  expect(racesNamed('version-flicker,raw-format-verb')).toEqual({ unknown: 'raw-format-verb' });
  expect(racesNamed('version-flicker')).toEqual({ ids: ['version-flicker'] });
});

test('every row is what the code branches on, and nothing else is', () => {
  const sources = globSync('lib/operator/**/*.ts', { exclude: (file) => file.endsWith('.test.ts') })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const asked = new Set([...sources.matchAll(/quirks\.has\(\s*'([a-z-]+)'/g)].map((match) => match[1]));
  expect([...asked].sort()).toEqual(quirkTable.map((row) => row.id as string).sort());
});
