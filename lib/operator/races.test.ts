import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lostRaces, racesNamed, raceTable } from './races.ts';

test('a race ends as it usually does, unless it is named', () => {
  expect([...lostRaces()]).toEqual(['switch-reads-old-status', 'version-flicker']);
  expect([...lostRaces({ without: ['switch-reads-old-status'] })]).toEqual(['version-flicker']);
  expect(lostRaces({ with: ['default-status-conflict'] }).has('default-status-conflict')).toBe(true);
});

test('an unknown race is refused', () => {
  expect(racesNamed('version-flicker,raw-format-verb')).toEqual({ unknown: 'raw-format-verb' });
  expect(racesNamed('version-flicker')).toEqual({ ids: ['version-flicker'] });
});

test('every row is what the code branches on, and nothing else is', () => {
  const sources = globSync('lib/operator/**/*.ts', { exclude: (file) => file.endsWith('.test.ts') })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const used = new Set([...sources.matchAll(/lostRaces\.has\(\s*'([a-z-]+)'/g)].map((match) => match[1]));
  expect([...used].sort()).toEqual(raceTable.map((row) => row.id as string).sort());
});
