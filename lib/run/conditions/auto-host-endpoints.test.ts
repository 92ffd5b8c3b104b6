import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { createStore } from '#lib/kube/store/index.ts';
import { resources } from '#lib/spec/index.ts';
import { autoHostEndpoints } from './auto-host-endpoints.ts';

const ofControllers = { 'projectcalico.org/created-by': 'calico-kube-controllers' };

function endpoint(name: string, labels: Record<string, string>): KubeObject {
  const annotations = { 'projectcalico.org/metadata': JSON.stringify({ labels }) };
  const apiVersion = 'crd.projectcalico.org/v1';
  return { apiVersion, kind: 'HostEndpoint', metadata: { name, annotations }, spec: { node: 'n1' } };
}

const own = { role: 'db', zone: 'a' };

test.each<[string, KubeObject[], string | null]>([
  ['every label of the node', [endpoint('n1-auto-hep', { ...own, ...ofControllers })], null],
  ['none', [], 'has none yet'],
  ['made by a person', [endpoint('n1-auto-hep', own)], 'has none yet'],
  ['that of a template alone', [endpoint('n1-lan-auto-hep', { ...own, ...ofControllers })], 'has none yet'],
  ['without a label that was copied', [endpoint('n1-auto-hep', { zone: 'a', ...ofControllers })], 'its label role yet'],
  ['with its earlier value', [endpoint('n1-auto-hep', { ...own, role: 'x', ...ofControllers })], 'its label role yet'],
])('%s', async (_name, endpoints, lack) => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels: own } };
  const kube = createStore({
    name: 'lab',
    source: 'live',
    kinds: [resources.hostEndpoints],
    objects: [node, ...endpoints],
  });
  const { signal } = new AbortController();
  const found = await autoHostEndpoints({ kind: 'auto-host-endpoints' }, { kube, signal });
  if (lack === null) expect(found).toMatchObject({ kind: 'met' });
  else expect(found).toMatchObject({ heldUpBy: [{ name: 'n1', detail: expect.stringContaining(lack) }] });
});
