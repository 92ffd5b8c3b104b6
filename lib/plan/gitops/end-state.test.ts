import { expect, test } from 'vitest';
import { type ObjectRef, resources } from '#lib/spec/index.ts';
import type { Act } from '../schema/act.ts';
import type { PlannedOperation } from '../schema/planned-operation.ts';
import { endStateOf } from './end-state.ts';

const installation: ObjectRef = { resource: resources.installations, name: 'default' };
const felix: ObjectRef = { resource: resources.felixConfigurations, name: 'default' };
const secret: ObjectRef = { resource: resources.secrets, namespace: 'calico-system', name: 'pull' };
const configMap: ObjectRef = { resource: resources.configMaps, namespace: 'kube-system', name: 'kube-proxy' };

const of = (...acts: Act[]) => endStateOf({ operations: acts.map((act) => ({ act }) as PlannedOperation) });
const patch = (target: ObjectRef, spec: Record<string, unknown>): Act => ({
  kind: 'merge-patch',
  target,
  body: { spec },
});
const wholeObject = (target: ObjectRef, body: Record<string, unknown>): Act => ({
  kind: 'apply',
  target,
  body,
  force: false,
});

test('patches of one object become one, the later value counts, and what goes away stays null', () => {
  const { objects } = of(patch(felix, { a: 1, b: { c: 1 } }), patch(felix, { a: null, b: { d: 2 } }));
  expect(objects.map(({ form, object }) => [form, object.spec])).toEqual([['patch', { a: null, b: { c: 1, d: 2 } }]]);
});

test('a patch of an object that the plan makes is part of it', () => {
  const { objects } = of(wholeObject(felix, { spec: { a: 1, b: 2 } }), patch(felix, { a: null }));
  expect(objects).toEqual([
    {
      target: felix,
      form: 'whole',
      object: {
        apiVersion: 'crd.projectcalico.org/v1',
        kind: 'FelixConfiguration',
        metadata: { name: 'default' },
        spec: { b: 2 },
      },
    },
  ]);
});

test('fields that the operator writes back are left out of the end state', () => {
  const { objects } = of(patch(installation, { calicoNetwork: { linuxDataplane: 'BPF', hostPorts: null } }));
  expect(objects[0]?.object.spec).toEqual({ calicoNetwork: { linuxDataplane: 'BPF' } });
});

test('no Secret, no status and nothing that the server keeps for itself', () => {
  const body = {
    metadata: { name: 'x', uid: 'u', resourceVersion: '7', managedFields: [], labels: { app: 'a' } },
    status: { ready: true },
    data: { key: 'value' },
  };
  const { objects } = of(wholeObject(secret, body), wholeObject(configMap, body));
  expect(objects.map(({ object }) => object)).toEqual([
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', namespace: 'kube-system', labels: { app: 'a' } },
      data: { key: 'value' },
    },
  ]);
});

test('deleted objects are left out, and steps by Helm and by people are listed beside the objects', () => {
  const { objects, beside } = of(
    { kind: 'delete', target: configMap, propagation: 'Background' },
    { kind: 'instruct', text: 'disable-kube-proxy: true' },
    {
      kind: 'helm',
      verb: 'upgrade',
      release: 'calico',
      namespace: 'tigera-operator',
      chart: 'projectcalico/tigera-operator',
      version: null,
      set: { 'installation.calicoNetwork.linuxDataplane': 'BPF' },
    },
  );
  expect(objects.map(({ form, object }) => [form, object.$patch])).toEqual([['gone', 'delete']]);
  expect(beside.map(({ kind }) => kind)).toEqual(['instruct', 'helm']);
});
