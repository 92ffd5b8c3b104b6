import { expect, test } from 'vitest';
import { createStore, isKubeError } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { sandboxDefinitions } from './crds.ts';
import { memberAt } from './difference.ts';
import { refs } from './reconcile/refs.ts';

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
