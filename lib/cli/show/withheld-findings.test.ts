import { expect, test } from 'vitest';
import { runChecks } from '#lib/checks/index.ts';
import { aFacts } from '#lib/checks/testing/a-facts.ts';
import { choicesSchema } from '#lib/spec/index.ts';
import { plain } from '../terminal/terminal.ts';
import { withheldFindings, withheldLines } from './withheld-findings.ts';

const listNodes = { verb: 'list', group: '', resource: 'nodes' };
const refused = { kind: 'Node', because: 'refused', rule: listNodes };

function openFindings(missing: object, source: 'live' | 'dump' = 'live') {
  const facts = aFacts({ cluster: { source }, coverage: { nodes: { covered: false, missing: [missing] } } } as never);
  const choices = choicesSchema.parse({ goal: 'enable', acceptProposals: true });
  return runChecks(facts, choices, { now: facts.observedAt }).findings.filter(({ status }) => status === 'unknown');
}

const linesOf = (found: Parameters<typeof withheldLines>[0]) =>
  withheldLines(found, 'enable', { paint: plain, columns: 100 }).join('\n');

test('what one permission keeps from many checks is told and granted once', () => {
  const found = withheldFindings(openFindings(refused));
  expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(['node.kernel', 'node.distribution']));
  const text = linesOf(found);
  for (const { id } of found) expect(text).toContain(id);
  expect(text).toContain('Refused to you: list nodes.');
  expect(text.match(/kubectl apply/g)).toHaveLength(1);
  expect(text.match(/resources: \["nodes"\]/g)).toHaveLength(1);
  expect(text).toContain('name: "signalbox-check-enable"');
});

test('of a dump the kinds that it lacks are named, and nothing is granted', () => {
  const found = withheldFindings(openFindings({ kind: 'Node', because: 'the dump has no Node of them' }, 'dump'));
  const text = linesOf(found);
  expect(text).toContain('Add to the dump what it lacks: Node.');
  expect(text).not.toContain('kubectl apply');
});

test('a finding that is accepted, that waits for something else, or that is the only one keeps its own lines', () => {
  const [one, other] = openFindings(refused).filter(({ withheld }) => withheld);
  if (!one || !other) throw new Error('nothing is withheld');
  expect(withheldFindings([one])).toEqual([]);
  expect(withheldFindings([one, { ...other, acknowledged: 'seen' }])).toEqual([]);
  expect(withheldFindings(openFindings({ kind: 'Node', because: 'it did not answer' }))).toEqual([]);
});
