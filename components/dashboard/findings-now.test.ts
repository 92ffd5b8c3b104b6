import { expect, test } from 'vitest';
import { runChecks } from '#lib/checks/index.ts';
import { aFacts, aNode, someChoices, uncover } from '#lib/checks/testing/a-facts.ts';
import { isBlocker, isClear, isRefused, isUpgradeNext } from './findings-now.ts';

function foundOn(facts: ReturnType<typeof aFacts>) {
  const { findings } = runChecks(facts, someChoices(), { now: '2026-01-01T00:00:00.000Z' });
  return { blockers: findings.filter(isBlocker), refused: findings.filter(isRefused) };
}

test.each<[string, ReturnType<typeof aFacts>, boolean]>([
  ['a healthy cluster', aFacts(), true],
  ['a kernel that is too old', aFacts({ nodes: [aNode({ kernel: '4.15.0' })] }), false],
  ['nodes that may not be read', uncover(aFacts(), 'nodes'), false],
  ['a dump that leaves nodes out', withoutRule(uncover(aFacts(), 'nodes')), true],
])('%s: the next step is the primary action only where nothing would refuse it', (_what, facts, expected) => {
  expect(isClear(foundOn(facts))).toBe(expected);
});

test('the upgrade is primary only where eBPF is blocked and nothing known would refuse the upgrade itself', async () => {
  const healthy = { ...foundOn(aFacts()), goal: 'enable' as const, outages: [] };
  const blocked = { ...healthy, ...foundOn(aFacts({ nodes: [aNode({ kernel: '4.15.0' })] })) };
  const withoutRights = foundOn(uncover(aFacts(), 'nodes'));
  const isNext = (found: typeof healthy | null, ofUpgrade: ReturnType<typeof foundOn> | null) =>
    isUpgradeNext(found, async () => ofUpgrade);
  expect(await isNext(blocked, healthy)).toBe(true);
  expect(await isNext(healthy, healthy)).toBe(false);
  expect(await isUpgradeNext({ ...blocked, outages: blocked.blockers }, async () => healthy)).toBe(false);
  expect(await isNext(null, healthy)).toBe(false);
  for (const ofUpgrade of [blocked, withoutRights, null]) expect(await isNext(blocked, ofUpgrade)).toBe(false);
});

test('nothing known is not clear, and a refused check that was accepted, proven or waits for another is no refusal', () => {
  expect(isClear(null)).toBe(false);
  const [one] = foundOn(uncover(aFacts(), 'nodes')).refused;
  if (one === undefined) throw new Error('nothing was refused');
  const verifiedBy = { run: 'r', at: '2026-01-01T00:00:00.000Z', because: 'All nodes answered.', stale: null };
  expect(isRefused({ ...one, verifiedBy: { ...verifiedBy, stale: 'A node came since.' } })).toBe(true);
  for (const settled of [{ acknowledged: 'known' }, { verifiedBy }, { followsFrom: 'node.kernel' }])
    expect(isRefused({ ...one, ...settled })).toBe(false);
});

function withoutRule(facts: ReturnType<typeof aFacts>): ReturnType<typeof aFacts> {
  const missing = facts.coverage.nodes.missing.map(({ rule: _rule, ...rest }) => rest);
  return { ...facts, coverage: { ...facts.coverage, nodes: { covered: false, missing } } };
}
