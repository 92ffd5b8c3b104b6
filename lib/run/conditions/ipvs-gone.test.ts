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
const devices = 'Inter-|   Receive\n face |bytes\n    lo:  0\n  eth0:  0\n';
const noModule = 'cat: /proc/net/ip_vs: No such file or directory\n';
const clean: Answer = { exitCode: 0, stdout: devices + header, stderr: '' };

/** Looks at nodes of these names; `says` answers a command on one of them. */
function look(nodes: readonly string[], says: (node: string) => Answer) {
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
      // All that upstream's image of kube-proxy can run for this.
      if (command[0] !== 'cat') return { exitCode: 126, stdout: '', stderr: 'executable file not found' };
      return says(name.replace('kube-proxy-', ''));
    },
  };
  const context = { kube, signal: new AbortController().signal } as unknown as ConditionContext;
  return ipvsGone({ kind: 'ipvs-gone', target }, context).then((progress) => ({ progress, most }));
}

const names = ['a', 'b', 'c'];

test.each<[string, Answer, string | null]>([
  ['no virtual server', clean, 'gone'],
  ['no kernel module', { exitCode: 1, stdout: devices, stderr: noModule }, 'gone'],
  [
    'no kernel module, in words of busybox',
    { exitCode: 1, stdout: devices, stderr: "cat: can't open '/proc/net/ip_vs': No such file or directory" },
    'gone',
  ],
  ['a virtual server', { ...clean, stdout: `${clean.stdout}TCP  0A600001:01BB rr\n` }, 'TCP  0A600001:01BB rr'],
  [
    'one of IPv6',
    { ...clean, stdout: `${clean.stdout}UDP  [fd000010:0096::000a]:0035 rr\n` },
    'UDP  [fd000010:0096::000a]:0035 rr',
  ],
  ['the interface alone', { ...clean, stdout: `${devices}kube-ipvs0:  0\n${header}` }, 'the interface kube-ipvs0'],
  ['an empty answer', { exitCode: 0, stdout: '', stderr: '' }, null],
  ['another error', { exitCode: 1, stdout: devices, stderr: 'cat: /proc/net/ip_vs: Permission denied' }, null],
  ['no such program', { exitCode: 126, stdout: '', stderr: 'no such program' }, null],
])('one node: %s', async (_, answer, left) => {
  const { progress } = await look(['a'], () => answer);
  if (left === 'gone') expect(progress.kind).toBe('met');
  else if (left === null)
    expect(progress).toMatchObject({ kind: 'unknown', because: 'IPVS rules: not verified on a.' });
  else expect(progress).toMatchObject({ kind: 'unknown', subjects: [{ name: 'a', detail: left }] });
});

test('a virtual server on one node is named, also beside a node that could not be asked', async () => {
  const { progress } = await look(names, (node) => {
    if (node === 'b') return { ...clean, stdout: `${clean.stdout}TCP  0A600001:01BB rr\n` };
    return node === 'c' ? { exitCode: 126, stdout: '', stderr: 'no such program' } : clean;
  });
  expect(progress).toMatchObject({
    kind: 'unknown',
    because: expect.stringContaining('IPVS rules remain on b'),
    subjects: [{ name: 'b', detail: 'TCP  0A600001:01BB rr' }],
  });
});

test('a node that could not be asked is not taken for one without rules', async () => {
  const { progress } = await look(names, (node) =>
    node === 'c' ? { exitCode: 126, stdout: '', stderr: 'no such program' } : clean,
  );
  expect(progress).toMatchObject({ kind: 'unknown', because: 'IPVS rules: not verified on c.' });
});

test('on a big cluster several nodes are looked at at a time, and not all', async () => {
  const { progress, most } = await look(
    Array.from({ length: 100 }, (_, at) => `n${at}`),
    () => clean,
  );
  expect([progress.kind, most]).toEqual(['met', 16]);
});
