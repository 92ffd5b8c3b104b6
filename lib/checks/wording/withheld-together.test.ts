import { expect, test } from 'vitest';
import { choicesSchema } from '#lib/spec/index.ts';
import { flagsByProgram } from '#lib/text/index.ts';
import { runChecks } from '../framework/run-checks.ts';
import { aFacts } from '../testing/a-facts.ts';
import { withheldTogether } from './withheld-together.ts';

const flags = flagsByProgram({ context: 'prod' });
const listNodes = { verb: 'list', group: '', resource: 'nodes' };
const refused = { kind: 'Node', because: 'refused', rule: listNodes };

function findingsWith(missing: object, source: 'live' | 'dump' = 'live') {
  const facts = aFacts({ cluster: { source }, coverage: { nodes: { covered: false, missing: [missing] } } } as never);
  const choices = choicesSchema.parse({ goal: 'enable', acceptProposals: true });
  return runChecks(facts, choices, { now: facts.observedAt });
}

test('a permission that many checks lack is named and granted once', () => {
  const together = withheldTogether(findingsWith(refused), flags);
  expect(together?.findings.map(({ id }) => id)).toEqual(expect.arrayContaining(['node.kernel', 'node.distribution']));
  expect(together?.because).toContain('Refused to you: list nodes.');
  expect(together?.command?.match(/kubectl --context prod apply/g)).toHaveLength(1);
  expect(together?.command?.match(/resources: \["nodes"\]/g)).toHaveLength(1);
  expect(together?.command).toContain('name: "signalbox-check-enable"');
});

test('of a dump the kinds that it lacks are named, and nothing is granted', () => {
  const together = withheldTogether(
    findingsWith({ kind: 'Node', because: 'the dump has no Node of them' }, 'dump'),
    flags,
  );
  expect(together?.steps).toEqual(['Add to the dump what it lacks: Node.']);
  expect(together).toMatchObject({ allRules: null, command: null });
});

test('a finding that is accepted, follows from another, was verified, waits for something else or is the only one stands alone', () => {
  const [one, other] = findingsWith(refused).findings.filter(({ withheld }) => withheld);
  if (!one || !other) throw new Error('nothing is withheld');
  const of = (...findings: (typeof one)[]) => withheldTogether({ goal: 'enable', findings }, flags);
  const verifiedBy = { run: '20261123-2021-5a02', at: one.observedAt, because: 'All nodes answered.', stale: null };
  expect(of(one, other)?.findings).toEqual([one, other]);
  expect(of(one, { ...other, verifiedBy: { ...verifiedBy, stale: 'A node came since.' } })?.findings).toHaveLength(2);
  expect(of(one)).toBeNull();
  expect(of(one, { ...other, acknowledged: 'seen' })).toBeNull();
  expect(of(one, { ...other, followsFrom: 'proxy.known' })).toBeNull();
  expect(of(one, { ...other, verifiedBy })).toBeNull();
  expect(withheldTogether(findingsWith({ kind: 'Node', because: 'it did not answer' }), flags)).toBeNull();
});
