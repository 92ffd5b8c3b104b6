import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { countedNodes } from './counted-nodes.ts';

const labels = { 'k8s-app': 'calico-node' };
const daemonSet: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { namespace: 'calico-system', name: 'calico-node' },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [] } } },
};
const runStartedAt = Date.parse('2026-11-21T05:00:00Z');
const minute = 60_000;

/** For each node, made so many minutes after the run began, whether it counts after an hour. */
async function counts(made: readonly number[]): Promise<boolean[]> {
  const nodes = made.map((minutes, index) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `w${index}`, creationTimestamp: new Date(runStartedAt + minutes * minute).toISOString() },
  }));
  const kube = createStore({
    name: 'lab',
    source: 'live',
    version: 'v1.34.0',
    kinds: Object.values(resources),
    objects: [...nodes, daemonSet],
  });
  const counted = await countedNodes({
    kube,
    daemonSet,
    felixResource: resources.felixConfigurations,
    felix: null,
    toward: 'bpf',
    runStartedAt,
    nowMs: runStartedAt + 60 * minute,
    signal: new AbortController().signal,
  });
  return counted.map((node) => node.counts === null);
}

test.each<[string, readonly number[], readonly boolean[]]>([
  ['before the run, and during it', [-5, 40, 55], [true, true, false]],
  ['by a clock that is ahead of this machine’s', [-5, 90], [true, true]],
  ['all a while ago: nothing would be proven without them', [52, 55], [true, true]],
])('nodes made %s', async (_what, made, expected) => {
  expect(await counts(made)).toEqual(expected);
});
