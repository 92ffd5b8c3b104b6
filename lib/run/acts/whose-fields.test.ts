import { expect, test } from 'vitest';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import { type ObjectRef, resources } from '#lib/spec/index.ts';
import { fieldsHold } from '../conditions/fields-hold.ts';
import { withoutFieldsOfOthers } from './whose-fields.ts';

const installation: ObjectRef = { resource: resources.installations, name: 'default' };
const felix: ObjectRef = { resource: resources.felixConfigurations, name: 'default' };
const felixV3: ObjectRef = { resource: resources.felixConfigurationsV3, name: 'default' };

type Written = readonly [manager: string, spec: Record<string, unknown>];

async function clusterWith(ref: ObjectRef, writes: readonly Written[]): Promise<Kube> {
  const kube = (await openSandbox('calico-3.30', { speed: 'instant', operator: 'none' })).kube;
  for (const [fieldManager, spec] of writes) await kube.patch(ref, { type: 'merge', body: { spec } }, { fieldManager });
  return kube;
}

const folders = { nonPrivileged: 'Disabled', cni: { binDir: '/opt/cni/bin', confDir: '/etc/cni/net.d' } };
const takeOut = { nonPrivileged: null, cni: { binDir: null, confDir: null } };

test.each<[string, ObjectRef, Written[], Record<string, unknown>, Record<string, unknown> | null, string[]]>([
  ['the operator alone', installation, [['operator', folders]], takeOut, takeOut, []],
  [
    'somebody else, one of them',
    installation,
    [
      ['operator', folders],
      ['kubectl-edit', { cni: { binDir: '/usr/libexec/cni' } }],
    ],
    takeOut,
    { nonPrivileged: null, cni: { confDir: null } },
    ['Installation/default: spec.cni.binDir stays as it is, as kubectl-edit wrote it.'],
  ],
  [
    'somebody else, all of them',
    installation,
    [['terraform', folders]],
    { nonPrivileged: null },
    null,
    ['Installation/default: spec.nonPrivileged stays as it is, as terraform wrote it.'],
  ],
  ['nobody, as they are gone', installation, [], { nonPrivileged: null }, { nonPrivileged: null }, []],
  [
    'the operator, by the stored object',
    felix,
    [['operator', { vxlanPort: 4789 }]],
    { vxlanPort: null },
    { vxlanPort: null },
    [],
  ],
  [
    'somebody through Calico’s own API, whose server is recorded',
    felix,
    [
      ['operator', { vxlanPort: 4789 }],
      ['apiserver', { vxlanPort: 4790 }],
    ],
    { vxlanPort: null },
    null,
    ['FelixConfiguration/default: spec.vxlanPort stays as it is, as apiserver wrote it.'],
  ],
])('of fields that were written by %s', async (_who, ref, writes, spec, expected, left) => {
  const stored = await clusterWith(ref, writes);
  // Calico's own API shows the same fields, all written by its server.
  const kube: Kube = {
    ...stored,
    get: (wanted, options) => stored.get(wanted.resource === felixV3.resource ? felix : wanted, options),
  };
  const target = ref === felix ? felixV3 : ref;
  const result = await withoutFieldsOfOthers(kube, { kind: 'merge-patch', target, body: { spec }, whose: 'operators' });
  expect(result.act?.body ?? null).toEqual(expected === null ? null : { spec: expected });
  expect(result.left).toEqual(left);
  // Without `whose` all fields go, as in plans and journals of earlier versions.
  const before = await withoutFieldsOfOthers(kube, { kind: 'merge-patch', target, body: { spec } });
  expect([before.act?.body, before.left]).toEqual([{ spec }, []]);
  await stored.close();
});

test('what somebody else wrote is not awaited to be gone, and the run says whose it is; what the operator wrote is', async () => {
  const kube = await clusterWith(installation, [
    ['operator', { nonPrivileged: 'Disabled' }],
    ['kubectl-edit', { cni: { binDir: '/usr/libexec/cni' } }],
  ]);
  const path = ['spec', 'cni', 'binDir'];
  const look = (fields: { path: string[]; absent: true }[], whose?: 'operators') =>
    fieldsHold({ kind: 'fields', target: installation, fields, ...(whose ? { whose } : {}) }, {
      kube,
      signal: new AbortController().signal,
    } as never);
  expect(await look([{ path, absent: true }], 'operators')).toEqual({
    kind: 'met',
    evidence: [{ object: 'Installation/default', path: 'spec.cni.binDir', value: 'left, as kubectl-edit wrote it' }],
  });
  expect((await look([{ path, absent: true }])).kind).toBe('waiting');
  expect((await look([{ path: ['spec', 'nonPrivileged'], absent: true }], 'operators')).kind).toBe('waiting');
  await kube.close();
});

test('who wrote a field is not known where nothing recorded it, or where the record may not be read: it stays', async () => {
  const kube = await clusterWith(installation, [['operator', { nonPrivileged: 'Disabled' }]]);
  const without: Kube = {
    ...kube,
    get: async (ref, options) => {
      const object = await kube.get(ref, options);
      return object && ({ ...object, metadata: { ...object.metadata, managedFields: [] } } as KubeObject);
    },
  };
  const patch = { kind: 'merge-patch' as const, target: installation, body: { spec: { nonPrivileged: null } } };
  expect(await withoutFieldsOfOthers(without, { ...patch, whose: 'operators' })).toEqual({
    act: null,
    left: ['Installation/default: spec.nonPrivileged stays as it is, as nobody known wrote it.'],
  });
  await kube.close();
});
