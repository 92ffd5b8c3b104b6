import { expect, test } from 'vitest';
import type { Finding } from '#lib/checks/index.ts';
import type { FindingInState, FindingState } from '../open-findings.ts';
import { aWizardContext } from '../testing/a-wizard-context.ts';
import { type Proof, proofOf } from './row-proof.ts';

const [some] = aWizardContext().findings.findings;
const found = (state: FindingState, given: Partial<Finding> = {}): FindingInState => {
  if (some === undefined) throw new Error('No finding.');
  return { state, finding: { ...some, status: 'fail', fixedBy: null, subjects: [], because: 'short.', ...given } };
};
const good = { words: 'all well', shownBy: 'node.kernel' };
const passed = found('pass', { id: 'node.kernel', status: 'pass' });
const node = (name: string) => ({ kind: 'Node', namespace: null, name, detail: '' });

test.each<[string, FindingInState[], Proof]>([
  ['nothing', [], null],
  ['what was shown', [passed], { state: 'ok', words: 'all well' }],
  ['another check that passed', [found('pass', { id: 'node.mounts', status: 'pass' })], null],
  ['a question before what passed', [passed, found('decide')], { state: 'warn', words: 'needs your answer' }],
  [
    'what nobody verified before a question',
    [found('decide'), found('unknown', { status: 'unknown' })],
    { state: 'unknown', words: 'not verified' },
  ],
  [
    'what blocks before all others',
    [found('unknown', { status: 'unknown' }), found('blocking')],
    { state: 'bad', words: 'short.' },
  ],
  [
    'what the nodes were not tested for',
    [found('unknown', { notMeasured: 'nobody tested' })],
    { state: 'unknown', words: 'not tested on the nodes' },
  ],
  ['one node', [found('blocking', { subjects: [node('a')] })], { state: 'bad', words: 'fails on a' }],
  [
    'two nodes',
    [found('blocking', { subjects: [node('a'), node('b')] })],
    { state: 'bad', words: 'fails on 2 nodes, a first' },
  ],
  [
    'a node and another object',
    [found('blocking', { subjects: [node('a'), { ...node('b'), kind: 'Pod' }] })],
    { state: 'bad', words: 'short.' },
  ],
  ['a long reason', [found('blocking', { because: 'x'.repeat(65) })], { state: 'bad', words: 'blocks: see above' }],
  [
    'accepted without a reading',
    [passed, found('answered', { status: 'unknown' })],
    { state: 'unknown', words: 'accepted, not verified' },
  ],
  ['an accepted warning beside what passed', [passed, found('answered')], null],
  ['one that waits for another', [passed, found('waiting')], null],
  [
    'one that the plan fixes',
    [passed, found('answered', { fixedBy: 'proxy.disable' })],
    { state: 'ok', words: 'all well' },
  ],
])('%s', (_what, findings, proof) => {
  expect(proofOf(findings, good)).toEqual(proof);
});
