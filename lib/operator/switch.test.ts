import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { quirksOf } from './quirks.ts';
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

/** Field and annotation; null = absent. */
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
  proxy: null,
  ...more,
});

describe('ours', () => {
  const quirks = quirksOf('signalbox');
  test.each([
    ['the new generation is not observed', justChanged],
    ['a node still runs the old one', rolling],
    ['a node is not ready', daemonSet(2, 2, 4, 3)],
  ])('waits while %s', (_, now) => {
    expect(decideSwitch(facts({ now }), quirks)).toMatchObject({ kind: 'wait' });
  });
  test('switches on when every node runs the new generation', () => {
    expect(decideSwitch(facts({ now: newOneSettled }), quirks)).toEqual({ kind: 'write', bpfEnabled: true });
  });
  test('waits on a fresh installation, too', () => {
    expect(decideSwitch(facts({ felix: felix(null), before: null, now: null }), quirks)).toMatchObject({
      kind: 'wait',
    });
  });
  test('switches off only when kube-proxy serves on every node', () => {
    const back = (proxy: KubeObject | null) =>
      decideSwitch(facts({ wantsBpf: false, felix: felix(true), proxy }), quirks);
    const gone = { ...settled, status: { observedGeneration: 1, desiredNumberScheduled: 0 } };
    expect(back(gone)).toMatchObject({ kind: 'wait' });
    expect(back(daemonSet(3, 3, 4, 3))).toMatchObject({ kind: 'wait' });
    expect(back(settled)).toEqual({ kind: 'write', bpfEnabled: false });
    expect(back(null)).toEqual({ kind: 'write', bpfEnabled: false });
  });
});

describe('the public one', () => {
  const quirks = quirksOf('v3.31.4');
  test('switches on by the status of before its own change', () => {
    expect(decideSwitch(facts({}), quirks)).toEqual({ kind: 'write', bpfEnabled: true });
  });
  test('holds back when it meets the newer status', () => {
    expect(decideSwitch(facts({}), quirksOf('v3.31.4', { without: ['switch-reads-old-status'] }))).toMatchObject({
      kind: 'wait',
    });
  });
  test('switches on before the first agent', () => {
    expect(decideSwitch(facts({ felix: null, before: null, now: null }), quirks)).toEqual({
      kind: 'write',
      bpfEnabled: true,
    });
  });
  test('switches off without looking at kube-proxy', () => {
    expect(decideSwitch(facts({ wantsBpf: false, felix: felix(true), proxy: rolling }), quirks)).toEqual({
      kind: 'write',
      bpfEnabled: false,
    });
  });
});

/** calico.md §3.5: annotation and field are both absent or equal. */
test.each([
  ['set by hand', true, null, 'refused'],
  ['changed by hand', true, 'false', 'refused'],
  ['removed by hand', null, 'true', 'refused'],
  ['written by the operator', true, 'true', 'as-it-is'],
] as const)('a field that was %s (%s, annotation %s): %s', (_, field, annotation, kind) => {
  const found = facts({ felix: felixWith(field, annotation), now: newOneSettled });
  expect(decideSwitch(found, quirksOf('signalbox')).kind).toBe(kind);
});
