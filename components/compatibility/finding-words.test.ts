import { expect, test } from 'vitest';
import { runChecks } from '#lib/checks/index.ts';
import { aFacts, someChoices } from '#lib/checks/testing/a-facts.ts';
import { findingsInState } from '#lib/console/wizard/index.ts';
import { findingTitle, findingWords, outcomeOf } from './finding-words.ts';

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

test('what a run verified is a statement and fits its column; once that is old it is a gap again', () => {
  const [open] = findingsInState(runChecks(aFacts(), someChoices(), { now })).filter(
    ({ finding }) => finding.id === 'network.vxlan-between-nodes',
  );
  if (!open) throw new Error('not found');
  const by = (stale: string | null) => {
    const verifiedBy = { run: '20260101-0000-abcd', at: now, because: 'All nodes answered.', stale };
    return { ...open, finding: { ...open.finding, verifiedBy } };
  };
  expect([findingTitle(by(null)), findingWords(by(null)).word]).toEqual([
    'VXLAN between nodes: verified by a run',
    'Verified',
  ]);
  expect([findingTitle(by('A node came since.')), findingWords(by('A node came since.')).word]).toEqual([
    'VXLAN between nodes: not tested',
    'Not tested',
  ]);
});

test('a check whose premise fails says while what it does not apply, in words and not by an id', () => {
  const findings = runChecks(aFacts({ platform: { kind: 'gke' } }), someChoices(), { now });
  const titles = new Map(findings.findings.map(({ id, title }) => [id, title]));
  const [waiting] = findingsInState(findings).filter(({ finding }) => finding.id === 'feature.vlan-devices');
  if (!waiting) throw new Error('not found');
  expect([findingTitle(waiting), findingWords(waiting).word, outcomeOf(waiting, titles)]).toEqual([
    'VLAN-tagged interfaces: does not apply yet',
    'Does not apply yet',
    `Does not apply while: ${titles.get('platform.supported')}`,
  ]);
});
