import { expect, test } from 'vitest';
import type { Finding } from '#lib/checks/index.ts';
import { type FixOffer, findingsInState, fixOffer, openCounts, sharedBefore, undecidedWords } from './open-findings.ts';
import { aWizardContext } from './testing/a-wizard-context.ts';

const [some] = aWizardContext().findings.findings;
const aFinding = (given: Partial<Finding>): Finding => {
  if (some === undefined) throw new Error('No finding.');
  return { ...some, status: 'fail', severity: 'warning', remedy: { steps: [], autofix: 'proxy.disable' }, ...given };
};

const enable = { goal: 'enable', acceptProposals: false } as const;
const proposed = { ...enable, acceptProposals: true };
const fixedBy = 'proxy.disable';

test.each<[string, Parameters<typeof fixOffer>[0], Partial<Finding>, FixOffer]>([
  ['one that was not chosen', enable, {}, 'in'],
  ['one that was chosen', enable, { fixedBy }, 'out'],
  ['one that was chosen and blocks otherwise', enable, { fixedBy, severity: 'blocking' }, 'out'],
  ['one that accepting proposals would choose again', proposed, { fixedBy }, 'leave-out'],
  ['the same, without which there is no plan', proposed, { fixedBy, severity: 'blocking' }, null],
  ['one that was left out', proposed, { acknowledged: 'known' }, null],
  ['the goal itself', { goal: 'restore', acceptProposals: false }, { fixedBy }, null],
  ['nothing that a plan can do', enable, { remedy: { steps: [] } }, null],
  ['nothing to fix', enable, { status: 'pass' }, null],
])('the fix: %s', (_what, answers, finding, expected) => {
  expect(fixOffer(answers, aFinding(finding))).toBe(expected);
});

const before = { reason: 'same nodes', at: '2026-11-01T00:00:00.000Z', run: 'run-1' };

test.each<[string, readonly Finding['acceptedBefore'][], Finding['acceptedBefore']]>([
  ['nothing', [], undefined],
  ['one reason of one run', [before, { ...before, at: '2026-11-01T00:00:01.000Z' }], before],
  ['another reason', [before, { ...before, reason: 'looked there' }], undefined],
  ['another run', [before, { ...before, run: 'run-2' }], undefined],
  ['one without', [before, undefined], undefined],
  ['the first without', [undefined, before], undefined],
])('an earlier reason for several: %s', (_what, reasons, expected) => {
  const findings = reasons.map((one) => aFinding(one === undefined ? {} : { acceptedBefore: one }));
  expect(sharedBefore(findings)).toEqual(expected);
});

const listNodes = { verb: 'list', group: '', resource: 'nodes' } as const;
const open: Partial<Finding> = { status: 'unknown', acknowledged: null, followsFrom: null, fixedBy: null };
const refused: Partial<Finding> = { ...open, withheld: [{ kind: 'Node', rule: listNodes }] };
const leftOut: Partial<Finding> = { ...open, withheld: [{ kind: 'Node' }] };

test.each<[string, readonly Partial<Finding>[], string | null]>([
  ['nothing', [{ status: 'pass' }], null],
  ['decisions', [open, open], '2 findings still need a decision.'],
  ['one that lacks a right is told as one', [refused], '1 finding still needs a decision.'],
  ['rights alone', [refused, refused], '2 checks only lack permissions, which one set of Roles gives.'],
  ['a dump', [leftOut, leftOut], '2 checks only lack kinds that the dump leaves out.'],
  [
    'both',
    [open, refused, refused, refused],
    '1 finding still needs a decision; 3 only lack permissions, which one set of Roles gives.',
  ],
  ['one of them accepted', [refused, { ...refused, acknowledged: 'seen' }], '1 finding still needs a decision.'],
])('what keeps a plan from its start: %s', (_what, given, expected) => {
  const findings = given.map(aFinding);
  expect(undecidedWords(openCounts(findingsInState({ findings } as never)))).toBe(expected);
});
