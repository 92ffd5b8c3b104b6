import { expect, test } from 'vitest';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { ipvsGone } from './ipvs-gone.ts';

const target = { resource: resources.daemonSets, namespace: 'kube-system', name: 'kube-proxy' };
const labels = { 'k8s-app': 'kube-proxy' };
const containers = [{ name: 'sidecar' }, { name: 'kube-proxy' }];
const uid = 'of-kube-proxy';

const daemonSet: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { namespace: 'kube-system', name: 'kube-proxy', uid },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
};

const podOn = (node: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace: 'kube-system',
    name: `kube-proxy-${node}`,
    labels,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'kube-proxy', uid, controller: true }],
  },
  spec: { nodeName: node, containers },
  status: { phase: 'Running' },
});

type Answer = Awaited<ReturnType<Kube['exec']>>;
const header = 'IP Virtual Server version 1.2.1\nProt LocalAddress:Port Scheduler Flags\n  -> RemoteAddress:Port\n';
const clean = (command: readonly string[]): Answer =>
  command[0] === 'cat'
    ? { exitCode: 0, stdout: header, stderr: '' }
    : { exitCode: 1, stdout: '', stderr: 'Device "kube-ipvs0" does not exist.' };

/** Looks at nodes of these names; `says` answers a command on one of them. */
function look(nodes: readonly string[], says: (node: string, command: readonly string[]) => Answer) {
  let [now, most] = [0, 0];
  const kube: Pick<Kube, 'get' | 'list' | 'exec'> = {
    get: async () => daemonSet,
    list: async function* () {
      yield { items: nodes.map(podOn), resourceVersion: '1', remaining: null };
    },
    exec: async ({ name, container }, command) => {
      if (container !== 'kube-proxy') return { exitCode: 126, stdout: '', stderr: 'not found' };
      most = Math.max(most, ++now);
      await Promise.resolve();
      now--;
      return says(name.replace('kube-proxy-', ''), command);
    },
  };
  const context = { kube, signal: new AbortController().signal } as unknown as ConditionContext;
  return ipvsGone({ kind: 'ipvs-gone', target }, context).then((progress) => ({ progress, most }));
}

const names = ['a', 'b', 'c'];

test('no node has virtual servers or the interface', async () => {
  expect((await look(names, (_, command) => clean(command))).progress.kind).toBe('met');
});

test('a virtual server on one node is named, also beside a node that could not be asked', async () => {
  const { progress } = await look(names, (node, command) => {
    if (node === 'b' && command[0] === 'cat')
      return { exitCode: 0, stdout: `${header}TCP  0A600001:01BB rr\n`, stderr: '' };
    return node === 'c' ? { exitCode: 126, stdout: '', stderr: 'no such program' } : clean(command);
  });
  expect(progress).toMatchObject({
    kind: 'unknown',
    because: expect.stringContaining('IPVS rules remain on b'),
    subjects: [{ name: 'b', detail: 'TCP  0A600001:01BB rr' }],
  });
});

test('a node that could not be asked is not taken for one without rules', async () => {
  const { progress } = await look(names, (node, command) =>
    node === 'c' ? { exitCode: 126, stdout: '', stderr: 'no such program' } : clean(command),
  );
  expect(progress).toMatchObject({ kind: 'unknown', because: 'IPVS rules: not verified on c.' });
});

test('on a big cluster several nodes are looked at at a time, and not all', async () => {
  const { progress, most } = await look(
    Array.from({ length: 100 }, (_, at) => `n${at}`),
    (_, command) => clean(command),
  );
  expect([progress.kind, most]).toEqual(['met', 16]);
});
