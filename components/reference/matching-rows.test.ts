import { expect, test } from 'vitest';
import { wordsOf } from '#components/ui/filter/words-of.ts';
import { gatesByRelease, referenceTopics } from '#lib/reference/index.ts';
import { countOf, matchingReleases, matchingRows } from './matching-rows.ts';

const tableOf = (topic: string, at = 0) => {
  const part = referenceTopics.find(({ name }) => name === topic)?.tables()[at];
  if (!part) throw new Error(`no such table: ${topic} ${at}`);
  return part;
};

test.each([
  ['platforms', 0, 'bottlerocket', 1],
  ['platforms', 0, 'skip-phases=addon/kube-proxy', 2],
  ['platforms', 0, 'windowsphone', 0],
  ['immutable', 0, 'TALOS  cgroup', 1],
  ['gates', 0, 'v3 change 5.15', 1],
] as const)('%s, table %i: %s finds %i', (topic, at, filter, found) => {
  expect(countOf(matchingRows(tableOf(topic, at), wordsOf(filter)))).toBe(found);
});

test('an unknown cell is found by that word', () => {
  const part = tableOf('immutable');
  const found = countOf(matchingRows(part, wordsOf('unknown')));
  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThanOrEqual(countOf(part));
});

test('a filter of nothing leaves everything', () => {
  const part = tableOf('releases');
  expect(matchingRows(part, wordsOf('  '))).toBe(part);
});

test('a gate finds the releases of which it says something', () => {
  const matrix = gatesByRelease();
  const found = matchingReleases(matrix, wordsOf('V2 block')).map(({ release }) => release);
  expect(found).toContain('v3.31.0');
  expect(found).not.toContain('v3.31.4');
});
