import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { lostRaces } from './races.ts';
import { decideSwitch, type SwitchFacts } from './switch.ts';

const daemonSet = (generation: number, observed: number, updated: number, available = 4): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'calico-node', generation },
  status: {
    observedGeneration: observed,
    desiredNumberScheduled: 4,
    updatedNumberScheduled: updated,
    numberAvailable: available,
  },
});

const settled = daemonSet(1, 1, 4);
const justChanged = daemonSet(2, 1, 4);
const rolling = daemonSet(2, 2, 3);
const newOneSettled = daemonSet(2, 2, 4);

/** FelixConfiguration with this field and annotation. Null: absent. */
const felixWith = (bpfEnabled: boolean | null, annotation: string | null): KubeObject => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'FelixConfiguration',
  metadata: {
    name: 'default',
    ...(annotation === null ? {} : { annotations: { [names.bpfEnabledAnnotation]: annotation } }),
  },
  spec: bpfEnabled === null ? {} : { bpfEnabled },
});
const felix = (bpfEnabled: boolean | null) => felixWith(bpfEnabled, bpfEnabled === null ? null : String(bpfEnabled));

const facts = (more: Partial<SwitchFacts>): SwitchFacts => ({
  wantsBpf: true,
  felix: felix(false),
  before: settled,
  now: justChanged,
  ...more,
});

const lost = lostRaces();
const won = lostRaces({ without: ['switch-reads-old-status'] });

test('switches on by the status of before its own change', () => {
  expect(decideSwitch(facts({}), lost)).toEqual({ kind: 'write', bpfEnabled: true });
});

test.each([
  ['the new generation is not observed', justChanged, 'as-it-is'],
  ['a node still runs the old one', rolling, 'as-it-is'],
  ['a node is not ready', daemonSet(2, 2, 4, 3), 'as-it-is'],
  ['every node runs the new generation', newOneSettled, 'write'],
])('when it meets the newer status, and %s', (_, now, kind) => {
  expect(decideSwitch(facts({ now }), won).kind).toBe(kind);
});

test('switches on before the first agent', () => {
  expect(decideSwitch(facts({ felix: null, before: null, now: null }), lost)).toEqual({
    kind: 'write',
    bpfEnabled: true,
  });
});

test('switches off at once; a fresh standard installation when its agents run', () => {
  const off = { wantsBpf: false, before: rolling };
  expect(decideSwitch(facts({ ...off, felix: felix(true) }), lost)).toEqual({ kind: 'write', bpfEnabled: false });
  expect(decideSwitch(facts({ ...off, felix: felix(null) }), lost)).toEqual({ kind: 'as-it-is' });
  expect(decideSwitch(facts({ ...off, felix: felix(null), before: settled }), lost).kind).toBe('write');
});

/** Cases of calico.md §3.5: annotation and field are both absent or equal. */
test.each([
  ['set by hand', true, null, 'refused'],
  ['changed by hand', true, 'false', 'refused'],
  ['removed by hand', null, 'true', 'refused'],
  ['written by the operator', true, 'true', 'as-it-is'],
] as const)('a field that was %s (%s, annotation %s): %s', (_, field, annotation, kind) => {
  const found = facts({ felix: felixWith(field, annotation), now: newOneSettled });
  expect(decideSwitch(found, lost).kind).toBe(kind);
});
