import { expect, test } from 'vitest';
import { runChecks } from '#lib/checks/index.ts';
import { aFacts, someChoices } from '#lib/checks/testing/a-facts.ts';
import { findingsInState } from '#lib/console/wizard/index.ts';
import { findingWords } from './finding-words.ts';

const now = '2026-01-01T00:00:00.000Z';

test('an accepted unknown is violet and not verified; what was accepted is never green', () => {
  const acknowledge = { 'network.vxlan-between-nodes': 'the ports are open' };
  const found = findingsInState(runChecks(aFacts(), someChoices({ acknowledge }), { now }));
  const accepted = found.find(({ finding }) => finding.id === 'network.vxlan-between-nodes');
  if (!accepted) throw new Error('not found');
  expect(findingWords(accepted)).toEqual({ state: 'unknown', word: 'Accepted, not verified' });
  const risk = { ...accepted, finding: { ...accepted.finding, status: 'fail' as const } };
  expect(findingWords(risk)).toEqual({ state: 'idle', word: 'Accepted' });
  const fixed = { ...risk, finding: { ...risk.finding, acknowledged: null, fixedBy: 'operator.dns' } };
  expect(findingWords(fixed)).toEqual({ state: 'ok', word: 'In the plan' });
});
