import { expect, test } from 'vitest';
import { instantClock, type Kube, KubeError } from '#lib/kube/index.ts';
import { choosePartners } from '#lib/probe/index.ts';
import type { PreparedProbe } from '#lib/usecases/index.ts';
import type { Invocation } from '../command.ts';
import { preflight } from '../commands/preflight.ts';
import { parseFlags } from '../flags.ts';
import { journalFlags } from '../global-flags.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { testNodes } from './test-nodes.ts';

function preparedFor(count: number): PreparedProbe {
  const nodes = Array.from({ length: count }, (_, index) => ({
    ...{ name: `worker-${index}`, address: `10.0.${index >> 8}.${index & 255}` },
    ...{ distribution: { id: 'ubuntu' }, architecture: 'amd64' },
  }));
  const partners = choosePartners(nodes);
  const common = { partners, endpoint: null };
  return {
    question: { ...common, nodes, interfacePattern: null, release: 'v3.31.4' },
    settings: {
      ...common,
      ...{ run: 300, image: 'quay.io/calico/node:v3.31.4', vxlanPort: 4789, nodeSelector: {}, podNetwork: 'there' },
      ...{ addresses: nodes.map(({ address }) => address), names: nodes.map(({ name }) => name) },
      cgroupFolder: '/run/calico/cgroup',
    },
    plan: {} as PreparedProbe['plan'],
    agentless: [],
  };
}

test.each([
  [5_000, 1, 'removed'],
  [10, 0, 'removed'],
  [10, 0, 'kept'],
] as const)(
  'of %i nodes %i sentences are said of etcd, before it is asked, and before anything is made; all of it is %s',
  async (count, times, afterwards) => {
    const output: string[] = [];
    const sentenceCounts: number[] = [];
    const invocation = {
      env: {},
      flags: parseFlags([], {}).flags,
      signal: new AbortController().signal,
      terminal: {
        canAsk: true,
        verbosity: 'normal',
        err: (text: string) => output.push(text),
        ask: async () => {
          sentenceCounts.push(output.filter((text) => text.includes('in etcd until it compacts')).length);
          return 'no';
        },
      },
    } as unknown as Invocation;
    const refuses = async () => {
      throw new KubeError('forbidden', 'nothing may be made here');
    };
    const kube = { name: 'many', source: 'live', create: refuses, get: refuses } as unknown as Kube;
    const cluster = { kube, clock: instantClock() } as unknown as OpenCluster;
    const prepared = preparedFor(count);
    await expect(testNodes(invocation, cluster, { facts: {} as never, prepared, afterwards })).rejects.toThrow(
      'Nothing was changed.',
    );
    expect(sentenceCounts).toEqual([times]);
    expect(output.join('\n')).toContain(
      afterwards === 'kept' ? 'They stay there.' : 'All of it is removed afterwards.',
    );
  },
);

test('the command that shows the objects takes every flag that it is suggested with', async () => {
  const output: string[] = [];
  const { flags } = parseFlags(['--goal', 'enable', '--context', 'prod', '--journal-namespace', 'ops'], {
    ...preflight.flags,
    ...journalFlags,
  });
  const terminal = { canAsk: true, err: (text: string) => output.push(text), ask: async () => 'no' };
  const invocation = { env: {}, flags, signal: new AbortController().signal, terminal } as unknown as Invocation;
  const cluster = { kube: { name: 'prod', source: 'live' }, clock: instantClock() } as unknown as OpenCluster;
  const test = { facts: {} as never, prepared: preparedFor(2), afterwards: 'removed' } as const;
  await expect(testNodes(invocation, cluster, test)).rejects.toThrow('Nothing was changed.');
  const [, command = ''] = /`(signalbox preflight [^`]+)`/.exec(output.join('\n')) ?? [];
  expect(command).toBe('signalbox preflight --show --goal enable --context prod');
  expect(() => parseFlags(command.split(' ').slice(2), preflight.flags)).not.toThrow();
});
