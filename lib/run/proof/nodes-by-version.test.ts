import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { nodesByVersion } from './nodes-by-version.ts';

const labels = { 'k8s-app': 'calico-node' };
const createdAt = '2026-11-21T05:00:00Z';
const pinned = 'quay.io/calico/node@sha256:0a';

function daemonSet(image: string): KubeObject {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'calico-node', image }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: 'calico-system', name: 'calico-node' },
    spec: { selector: { matchLabels: labels }, template },
  };
}

/** The state of one node whose agent has this image, while the DaemonSet has that one. */
async function stateOf(image: string, template: string) {
  const agents = daemonSet(template);
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w', creationTimestamp: createdAt } };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'calico-system', name: 'calico-node-w', labels, creationTimestamp: createdAt },
    spec: { nodeName: 'w', containers: [{ name: 'calico-node', image }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
  const kube = createStore({
    name: 'lab',
    source: 'live',
    version: 'v1.34.0',
    kinds: Object.values(resources),
    objects: [node, agents, pod],
  });
  const [state] = await nodesByVersion(agents, 'v3.31.7', { kube, signal: new AbortController().signal });
  return { state: state?.state, version: state?.version };
}

test.each<[what: string, image: string, template: string | null, expected: object]>([
  ['the release', 'quay.io/calico/node:v3.31.7', null, { state: 'proven', version: 'v3.31.7' }],
  ['its FIPS build', 'quay.io/calico/node:v3.31.7-fips', null, { state: 'proven', version: 'v3.31.7-fips' }],
  ['a mirror’s build', 'mirror.example/node:v3.31.7-r2', null, { state: 'proven', version: 'v3.31.7-r2' }],
  ['a build whose tag cannot be compared', 'mirror.example/node:v3.31.7_2', null, { state: 'proven' }],
  ['a digest', pinned, null, { state: 'proven', version: 'v3.31.7' }],
  ['another digest', pinned, 'quay.io/calico/node@sha256:0b', { state: 'waiting', version: undefined }],
  ['an earlier one', 'quay.io/calico/node:v3.31.4', null, { state: 'waiting', version: 'v3.31.4' }],
  ['an earlier FIPS build', 'calico/node:v3.31.4-fips', null, { state: 'waiting', version: 'v3.31.4-fips' }],
])('%s', async (_what, image, template, expected) => {
  expect(await stateOf(image, template ?? image)).toMatchObject(expected);
});
