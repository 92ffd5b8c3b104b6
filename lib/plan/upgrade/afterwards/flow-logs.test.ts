import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import { makePlan } from '../../make-plan.ts';
import { parsePlan } from '../../parse-plan.ts';
import { planUndo } from '../../plan-undo.ts';
import { aCluster, someFindings } from '../../testing/a-cluster.ts';
import { aRelease } from '../../testing/a-release.ts';

type Given = {
  choices?: Partial<Choices>;
  installation?: Partial<Facts['installation']>;
  objects?: Record<string, object | null>;
};

function planOf({ choices = { goal: 'flow-logs' }, installation, objects = {} }: Given = {}) {
  const facts = aCluster({ objects: objects as Facts['resources']['objects'] });
  return makePlan({
    facts: { ...facts, installation: { ...facts.installation, version: 'v3.31.4', ...installation } },
    choices: choicesSchema.parse(choices),
    findings: someFindings(),
    now: '2026-11-23T00:00:00.000Z',
    release: choices.goal === 'upgrade' ? aRelease('v3.31.4', 'v1.40.7') : null,
    running: null,
  });
}

const named = (apiKind: string) => ({
  apiVersion: 'operator.tigera.io/v1',
  kind: apiKind,
  metadata: { name: 'default' },
});
const after = { goal: 'upgrade', release: 'v3.31.4', afterwards: ['flow-logs'] } as const;

test('a step of its own: both are made, every agent is awaited, and its way back takes both away', () => {
  const plan = planOf();
  expect(plan.operations.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'snapshot needed',
    'flowlogs.enable needed',
    'verify.pods needed',
  ]);
  const [, enable] = plan.operations;
  expect(enable).toMatchObject({
    why: expect.stringContaining('The agent of all 3 nodes restarts, one node after the other'),
    targets: ['Goldmane/default', 'Whisker/default'],
    done: { kind: 'flow-logs-active' },
  });
  const [back] = planUndo(plan, [1, 2, 3], null);
  expect(back?.act).toMatchObject({ kind: 'delete-all', targets: [{ name: 'default' }, { name: 'default' }] });
  expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(JSON.parse(JSON.stringify(plan)));
});

test('a Whisker that is there already stays, there and back', () => {
  const plan = planOf({ objects: { 'Whisker/default': named('Whisker') } });
  expect(plan.operations[1]?.targets).toEqual(['Goldmane/default']);
  const [back] = planUndo(plan, [1, 2, 3], null);
  expect(JSON.stringify(back?.act)).not.toContain('Whisker');
  expect(() => parsePlan(JSON.parse(JSON.stringify(plan)))).not.toThrow();
});

test('after an upgrade it follows the release, and comes before the checks; nobody who did not ask gets it', () => {
  const ids = ({ choices }: Given) =>
    planOf({ ...(choices && { choices }), installation: { version: 'v3.30.7' } }).operations.map(({ id }) => id);
  const requested = ids({ choices: { ...after, afterwards: [...after.afterwards] } });
  expect(requested.slice(requested.indexOf('release.active'))).toEqual([
    ...['release.active', 'flowlogs.enable', 'verify.pods', 'verify.version', 'verify.services'],
  ]);
  expect(ids({ choices: { goal: 'upgrade', release: 'v3.31.4' } })).not.toContain('flowlogs.enable');
});

test.each<[string, Given, RegExp]>([
  ['a release before v3.30', { installation: { version: 'v3.29.7' } }, /came with Calico v3\.30, and v3\.29\.7 runs/],
  ['a release that is not known', { installation: { version: null } }, /which release runs is not known/],
  ['a manifest', { installation: { method: 'manifest-kdd' } }, /need Calico's operator/],
  ['flow logs that are on', { objects: { 'Goldmane/default': named('Goldmane') } }, /are on already/],
  [
    'Calico Enterprise',
    {
      objects: {
        'Installation/default': { ...named('Installation'), spec: { variant: 'TigeraSecureEnterprise' } },
      },
    },
    /Calico Enterprise has flow logs of its own/,
  ],
])('%s: refused, with the reason', (_what, given, sentence) => {
  expect(() => planOf(given)).toThrow(sentence);
});

test.each([
  ['another object', /"name":"default"/g, '"name":"other"'],
  ['settings that nobody gave', /"spec":\{\}/g, '"spec":{"notifications":"Enabled"}'],
])('a plan that was changed to %s is refused', (_what, from, to) => {
  const text = JSON.stringify(planOf());
  expect(text).toMatch(from);
  expect(() => parsePlan(JSON.parse(text.replaceAll(from, to)))).toThrow();
});
