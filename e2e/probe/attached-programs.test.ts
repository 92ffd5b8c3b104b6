import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test as anyTest, expect } from 'vitest';
import { readPrograms } from '#lib/node-state/index.ts';
import { felixDefaults, programsCommand } from '#lib/spec/index.ts';
import { bpfObject, returning } from './testing/bpf-object.ts';
import { canPlayNodes } from './testing/can-play-nodes.ts';

/** The commands with which a run looks for attached programs, against real programs on this kernel, in a network namespace of their own. */

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

type Felix = Parameters<typeof readPrograms>[2];
const usual: Felix = { cgroupFolder: felixDefaults.cgroupV2Path, podInterfaces: [felixDefaults.interfacePrefix] };

/**
 * As the agent's container has it after these commands: the node's network, bpffs, a group in place of cgroup2's root, and some other program, as each
 * container has one.
 */
async function seenAfter(commands: string, felix: Partial<Felix> = {}) {
  const kube = {
    exec: async (_pod: unknown, command: readonly string[]) => {
      const group = '/run/signalbox-cgroup/signalbox-attached';
      const prepare = `set -e; mount -t bpf none /sys/fs/bpf; mount -t tmpfs none /run; mkdir -p /run/signalbox-cgroup; mount -t cgroup2 none /run/signalbox-cgroup; mkdir -p ${group}; trap 'rmdir ${group}' EXIT; mkdir -p /run/calico; ln -s ${group} /run/calico/cgroup; bpftool prog load ${another} /sys/fs/bpf/another type classifier; ${commands}; echo is prepared >&2; set +e; "$@"`;
      const { status, stdout, stderr } = spawnSync(
        'unshare',
        ['--mount', '--net', 'bash', '-c', prepare, 'bash', ...command],
        { encoding: 'utf8', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } },
      );
      if (!stderr.includes('is prepared')) throw new Error(stderr);
      return { exitCode: status ?? -1, stdout, stderr };
    },
  };
  const agent = { namespace: 'calico-system', name: 'calico-node-1' };
  const seen = await readPrograms(kube, agent, { ...usual, ...felix }, new AbortController().signal);
  const services = seen.kind === 'read' && seen.services !== null ? `, ${seen.services}` : '';
  return seen.kind === 'read' ? `${seen.devices.join(' ')}, ${seen.onCgroup}${services}` : seen.kind;
}

const hooked = `${load(hook, 'cgroup/connect4')}; bpftool cgroup attach /run/calico/cgroup connect4 pinned /sys/fs/bpf/it multi`;
/** Felix's map of Services of one address family. */
const services = (family: string) =>
  `bpftool map create /sys/fs/bpf/fe${family} type lpm_trie key 16 value 8 entries 64 name cali_v${family}_nat_fe3 flags 1`;
const aService = (family: string) =>
  `bpftool map update pinned /sys/fs/bpf/fe${family} key 96 0 0 0 10 96 0 1 1 187 6 0 0 0 0 0 value 1 0 0 0 1 0 0 0`;
/** In place of bpftool: it fails for these words. */
const failing = (words: string) =>
  `mount -t tmpfs none /mnt; printf '#!/bin/bash\ncase "$* " in *"${words} "*) exit 255 ;; esac\nexec %s "$@"\n' "$(command -v bpftool)" >/mnt/bpftool; chmod +x /mnt/bpftool; PATH=/mnt:$PATH`;

test.each<[string, string, string, Partial<Felix>?]>([
  ['nothing', ':', ', 0'],
  ['its filter on the network card', `${load(filter, 'classifier')}; ${attach('eth0')}`, 'eth0, 0'],
  ["on a pod's interface alone", `${load(filter, 'classifier')}; ${attach('cali12345')}`, ', 0'],
  ["another product's", `${load(another, 'classifier')}; ${attach('eth0')}`, ', 0'],
  ['a node without cgroup2 there', 'rm /run/calico/cgroup', ', 0'],
  ['a folder that is none of cgroup2', 'rm /run/calico/cgroup; mkdir /run/calico/cgroup', 'unreadable'],
  ['programs that cannot be listed', failing('prog show'), 'unreadable'],
  ['a cgroup that cannot be read', failing('cgroup show'), 'unreadable'],
  [
    "on interfaces of a cloud's pods alone",
    `${load(filter, 'classifier')}; ${attach('eni12345')}`,
    ', 0',
    { podInterfaces: ['cali', 'eni'] },
  ],
  ['load balancing where programs connect', hooked, ', 1'],
  [
    'that in the folder which is set for it',
    `${hooked}; mv /run/calico/cgroup /run/it`,
    ', 1',
    { cgroupFolder: '/run/it' },
  ],
  ['a map of Services that is empty', services('4'), ', 0, false'],
  [
    'one that holds a Service, beside an empty one',
    `${services('4')}; ${services('6')}; ${aService('6')}`,
    ', 0, true',
  ],
  ['maps that cannot be listed', `${services('4')}; ${failing('map show')}`, ', 0'],
  ['a map that cannot be read', `${services('4')}; ${failing('map getnext')}`, ', 0'],
  ['that in another folder than is set', `${hooked}; rm /run/calico/cgroup`, 'unreadable'],
])('attached is %s', async (_what, commands, expected, felix) => {
  expect(await seenAfter(commands, felix)).toBe(expected);
});

test('what is no output of bpftool tells nothing', async () => {
  const kube = { exec: async () => ({ exitCode: 0, stdout: `${programsCommand.join(' ')}\n[{}]\n`, stderr: '' }) };
  const agent = { namespace: 'calico-system', name: 'calico-node-1' };
  expect(await readPrograms(kube, agent, usual, new AbortController().signal)).toEqual({ kind: 'unreadable' });
});
