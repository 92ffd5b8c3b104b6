import { expect, test } from 'vitest';
import type { ManifestObject } from '#lib/spec/index.ts';
import type { InstallationSpec, Provider } from './installation-spec.ts';
import { imagePartsOf, mirroredObjects } from './mirrored-images.ts';

const all = ['APIServer', 'Goldmane', 'Whisker'];

test.each<[string, InstallationSpec, string[], Provider | undefined, string[]]>([
  [
    'as published',
    {},
    all,
    undefined,
    ['operator', 'agent', 'cni', 'flexvolume', 'csi', 'apiserver', 'goldmane', 'whisker'],
  ],
  ['before v3.30', {}, ['APIServer'], undefined, ['operator', 'agent', 'cni', 'flexvolume', 'csi', 'apiserver']],
  [
    'no volumes',
    { flexVolumePath: 'None', kubeletVolumePluginPath: 'None' },
    [],
    undefined,
    ['operator', 'agent', 'cni'],
  ],
  [
    'EKS with its own CNI',
    { flexVolumePath: 'None', kubeletVolumePluginPath: 'None' },
    [],
    'EKS',
    ['operator', 'agent'],
  ],
  [
    'OpenShift',
    { flexVolumePath: 'None', kubeletVolumePluginPath: 'None' },
    [],
    'OpenShift',
    ['operator', 'agent', 'cni', 'openshift'],
  ],
])('%s', (_, spec, kinds, provider, parts) => {
  expect(imagePartsOf(spec, kinds, provider ? { provider } : {})).toEqual(parts);
});

const deployment: ManifestObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'tigera-operator' },
  spec: {
    replicas: 1,
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        initContainers: [{ name: 'create', image: 'quay.io/calico/ctl:v3.31.4' }],
        containers: [
          { name: 'tigera-operator', image: 'quay.io/tigera/operator:v1.40.7', args: ['-manage-crds=true'] },
        ],
      },
    },
  },
};
const other: ManifestObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tigera-operator' } };

test('the operator’s own image comes from the mirror too, with its Secrets; all else stays', () => {
  const objects = mirroredObjects([other, deployment], { registry: 'mirror.example/', imagePath: 'net' }, ['pull']);
  expect(objects[0]).toBe(other);
  expect(objects[1]).toEqual({
    ...deployment,
    spec: {
      replicas: 1,
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          initContainers: [{ name: 'create', image: 'mirror.example/net/ctl:v3.31.4' }],
          containers: [
            { name: 'tigera-operator', image: 'mirror.example/net/operator:v1.40.7', args: ['-manage-crds=true'] },
          ],
          imagePullSecrets: [{ name: 'pull' }],
        },
      },
    },
  });
});

test('without a mirror and Secrets nothing changes', () => {
  expect(mirroredObjects([deployment], {}, [])).toEqual([deployment]);
});
