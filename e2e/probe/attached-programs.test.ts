import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test as anyTest, expect } from 'vitest';
import { readPrograms } from '#lib/node-state/index.ts';
import { programsCommand } from '#lib/spec/index.ts';
import { bpfObject, returning } from './testing/bpf-object.ts';
import { canPlayNodes } from './testing/can-play-nodes.ts';

/** What a run asks a node's kernel in its agent, with real programs in a network of its own on this kernel. */

const test = anyTest.runIf(canPlayNodes);
const folder = mkdtempSync(join(tmpdir(), 'signalbox-attached-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filter = join(folder, 'filter.o');
const hook = join(folder, 'hook.o');
writeFileSync(filter, bpfObject({ name: 'cali_tc_preamble', section: 'classifier', instructions: returning(-1) }));
writeFileSync(hook, bpfObject({ name: 'calico_connect_v4', section: 'cgroup/connect4', instructions: returning(1) }));
const another = join(folder, 'another.o');
writeFileSync(another, bpfObject({ name: 'cil_from_netdev', section: 'classifier', instructions: returning(-1) }));

const load = (object: string, type: string) => `bpftool prog load ${object} /sys/fs/bpf/it type ${type}`;
const attach = (device: string) =>
  `ip link add ${device} type veth peer name p && tc qdisc add dev ${device} clsact && tc filter add dev ${device} ingress bpf da pinned /sys/fs/bpf/it`;

/** As the agent's container has it after these commands: the node's network, bpffs, and a group in place of cgroup2's root. */
async function seenAfter(commands: string) {
  const kube = {
    exec: async (_pod: unknown, command: readonly string[]) => {
      const group = '/run/signalbox-cgroup/signalbox-attached';
      const prepare = `set -e; mount -t bpf none /sys/fs/bpf; mount -t tmpfs none /run; mkdir -p /run/signalbox-cgroup; mount -t cgroup2 none /run/signalbox-cgroup; mkdir -p ${group}; trap 'rmdir ${group}' EXIT; mkdir -p /run/calico; ln -s ${group} /run/calico/cgroup; ${commands}; set +e; "$@"`;
      const stdout = execFileSync('unshare', ['--mount', '--net', 'bash', '-c', prepare, 'bash', ...command], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      });
      return { exitCode: 0, stdout, stderr: '' };
    },
  };
  const agent = { namespace: 'calico-system', name: 'calico-node-1' };
  const seen = await readPrograms(kube, agent, new AbortController().signal);
  return seen.kind === 'told' ? `${seen.devices.join(' ')}, ${seen.onCgroup}` : seen.kind;
}

test.each([
  ['nothing', ':', ', 0'],
  ['its filter on the network card', `${load(filter, 'classifier')}; ${attach('eth0')}`, 'eth0, 0'],
  ["on a pod's interface alone", `${load(filter, 'classifier')}; ${attach('cali12345')}`, ', 0'],
  ["another product's", `${load(another, 'classifier')}; ${attach('eth0')}`, ', 0'],
  [
    'load balancing where programs connect',
    `${load(hook, 'cgroup/connect4')}; bpftool cgroup attach /run/calico/cgroup connect4 pinned /sys/fs/bpf/it multi`,
    ', 1',
  ],
  ['a node without cgroup2 there', 'rm /run/calico/cgroup', ', 0'],
])('attached is %s', async (_what, commands, expected) => {
  expect(await seenAfter(commands)).toBe(expected);
});

test('what is no output of bpftool tells nothing', async () => {
  const kube = { exec: async () => ({ exitCode: 0, stdout: `${programsCommand.join(' ')}\n[{}]\n`, stderr: '' }) };
  const agent = { namespace: 'calico-system', name: 'calico-node-1' };
  expect(await readPrograms(kube, agent, new AbortController().signal)).toEqual({ kind: 'not-told' });
});
