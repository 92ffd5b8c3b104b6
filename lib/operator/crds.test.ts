import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { valueAt } from '#lib/base/records.ts';
import { createStore, isKubeError } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { sandboxDefinitions } from './crds.ts';
import { memberAt } from './difference.ts';
import { refs } from './reconcile/refs.ts';

const folder = process.env.SIGNALBOX_CALICO_DIR ?? '';

const store = () => createStore({ name: 't', source: 'sandbox', objects: sandboxDefinitions() });
const installation = (spec: Record<string, unknown>) => ({
  apiVersion: 'operator.tigera.io/v1',
  kind: 'Installation',
  metadata: { name: 'default' },
  spec,
});

test('a sandbox takes an Installation, and keeps fields that we do not read', async () => {
  const made = await store().create(
    resources.installations,
    installation({
      calicoNetwork: { hostPorts: 'Enabled', sysctl: [{ key: 'a', value: 'b' }] },
      typhaMetricsPort: 9093,
    }),
  );
  expect(memberAt(made, 'spec', 'calicoNetwork', 'sysctl')).toEqual([{ key: 'a', value: 'b' }]);
});

test.each([
  [{ calicoNetwork: { hostPorts: 'Yes' } }, 'hostPorts'],
  [{ calicoNetwork: { linuxDataplane: 'bpf' } }, 'linuxDataplane'],
  [{ controlPlaneReplicas: 'two' }, 'controlPlaneReplicas'],
])('%j is refused and names %s', async (spec, field) => {
  const error = await store()
    .create(resources.installations, installation(spec))
    .catch((caught: unknown) => caught);
  expect(isKubeError(error, 'invalid')).toBe(true);
  expect(String(error)).toContain(field);
});

test.each([
  [{ foo: 1 }, 'spec.foo'],
  [{ calicoNetwork: { foo: 1 } }, 'spec.calicoNetwork.foo'],
  [{ calicoNetwork: { ipPools: [{ cidr: '10.0.0.0/16', foo: 1 }] } }, 'spec.calicoNetwork.ipPools[0].foo'],
])('a field that no release has is refused, as by a cluster: %j', async (spec, field) => {
  const made = store().create(resources.installations, installation(spec));
  await expect(made).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(`"${field}"`) });
});

test.skipIf(folder === '')('a sandbox knows the fields of the published definition, and no others', () => {
  const file = parseAllDocuments(readFileSync(join(folder, 'v3.31.7', 'operator-crds.yaml'), 'utf8'));
  const published = file
    .map((document): unknown => document.toJS())
    .find((one) => valueAt(one, ['metadata', 'name']) === 'installations.operator.tigera.io');
  const ours = sandboxDefinitions().find(({ metadata }) => metadata.name === 'installations.operator.tigera.io');
  for (const path of [
    [],
    ['calicoNetwork'],
    ['calicoNetwork', 'ipPools'],
    ['cni'],
    ['logging', 'cni'],
    ['nodeUpdateStrategy'],
  ])
    expect([path, fieldsAt(ours, path)]).toEqual([path, fieldsAt(published, path)]);
});

/** The names of the fields at a path below `spec`, in a definition. */
function fieldsAt(definition: unknown, path: readonly string[]): string[] {
  const versions = Object(valueAt(definition, ['spec', 'versions'])) as readonly unknown[];
  const spec = ['schema', 'openAPIV3Schema', 'properties', 'spec', ...path.flatMap((step) => ['properties', step])];
  const schema = valueAt(versions[0], spec);
  return Object.keys(Object(valueAt(valueAt(schema, ['items']) ?? schema, ['properties']))).sort();
}

test('a status is written through its subresource only', async () => {
  const kube = store();
  await kube.create(resources.installations, { ...installation({}), status: { calicoVersion: 'x' } });
  expect(memberAt(await kube.get(refs.installation), 'status', 'calicoVersion')).toBeUndefined();
  await kube.patch(
    refs.installation,
    { type: 'merge', body: { status: { calicoVersion: 'v3.31.4' } } },
    { subresource: 'status' },
  );
  const found = await kube.get(refs.installation);
  expect([memberAt(found, 'status', 'calicoVersion'), found?.metadata.generation]).toEqual(['v3.31.4', 1]);
});
