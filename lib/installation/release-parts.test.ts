import { expect, test } from 'vitest';
import { schemaAt } from './field-schema.ts';
import { customResources, installationSchema } from './release-parts.ts';
import { aRelease } from './testing/installation-facts.ts';

const isHere = Boolean(process.env.SIGNALBOX_CALICO_DIR);
const files = ['custom-resources.yaml', 'operator-crds.yaml'];

test.skipIf(!isHere).each([
  ['v3.31.4', files, ['Installation', 'APIServer', 'Goldmane', 'Whisker']],
  ['v3.30.7', files, ['Installation', 'APIServer', 'Goldmane', 'Whisker']],
  ['v3.27.5', ['custom-resources.yaml', 'tigera-operator.yaml'], ['Installation', 'APIServer']],
])('%s: its objects in their order, the Installation with another spec', (version, names, kinds) => {
  const release = aRelease(version, 'v1', names);
  const published = release.manifests['custom-resources.yaml']?.objects ?? [];
  const objects = customResources(release, { registry: 'a/' });
  expect(objects.map(({ kind }) => kind)).toEqual(kinds);
  expect(objects[0]).toEqual({ ...published[0], spec: { registry: 'a/' } });
  expect(objects.slice(1)).toEqual(published.slice(1));
});

test('a release that publishes no Installation gets one', () => {
  expect(customResources({ manifests: {} }, {})).toEqual([
    { apiVersion: 'operator.tigera.io/v1', kind: 'Installation', metadata: { name: 'default' }, spec: {} },
  ]);
});

test.skipIf(!isHere).each([
  ['v3.31.4', files, true],
  ['v3.30.7', files, false],
  ['v3.27.5', ['tigera-operator.yaml'], false],
])('%s: the definition tells which fields there are', (version, names, hasBootstrap) => {
  const schema = installationSchema(aRelease(version, 'v1', names));
  if (schema === null) throw new Error('there is no schema');
  expect(schemaAt(schema, ['calicoNetwork', 'linuxDataplane'])?.enum).toContain('BPF');
  expect(schemaAt(schema, ['calicoNetwork', 'ipPools', 3, 'cidr'])?.type).toBe('string');
  expect(schemaAt(schema, ['calicoNetwork', 'bpfNetworkBootstrap']) !== null).toBe(hasBootstrap);
  expect(JSON.stringify(schema).length).toBeLessThan(160_000);
});

test('no definition, no schema', () => {
  expect(installationSchema({ manifests: {} })).toBeNull();
});
