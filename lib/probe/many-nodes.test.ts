import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { instantClock, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { usualPatienceMs } from './objects/durations.ts';
import { podKindOf } from './objects/pod-kinds.ts';
import { probeNames } from './objects/probe-names.ts';
import type { ProbeSettings } from './objects/settings.ts';
import { choosePartners, partnersOf } from './partners/partners.ts';
import { runProbe } from './run-probe.ts';

/** Every one of 5,000 nodes prints what the script prints on a real one, with as many links and partners. */

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const heapMb = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

const nodes = Array.from({ length: 5_000 }, (_, index) => ({
  ...{ name: `worker-${index}.eu-central-1.compute.internal`, distribution: { id: 'ubuntu' }, architecture: 'amd64' },
  ...{ address: `10.${index >> 8}.${index & 255}.7`, zone: `zone-${index % 3}`, subnet: `10.${index >> 8}.0.0/16` },
}));
const indexes = new Map(nodes.map(({ name }, index) => [name, index]));
const partners = choosePartners(nodes);
const peers = partnersOf(partners);
const line = (probe: string, fields: object) => JSON.stringify({ v: 1, probe, ...fields });
const features = Array.from({ length: 60 }, (_, index) => `program_type_of_some_name_${index}`);

function logOf(index: number, way: ReturnType<typeof podKindOf>): string {
  return [
    line('node', { boot: `0000-${index}`, kernel: '6.8.0-45-generic' }),
    ...['service-api', 'service-dns-udp', 'endpoint', 'api-server'].map((probe) =>
      line(probe, { host: '10.0.0.100', port: '6443', ok: true, ms: 3 }),
    ),
    ...(way === 'pod' ? [line('measured', {})] : hostLines(index)),
  ].join('\n');
}

function hostLines(index: number): string[] {
  const own = nodes[index]?.address;
  const links = ['eth0', 'docker0', 'vxlan.calico', 'tunl0', ...Array.from({ length: 12 }, (_, one) => `veth${one}`)];
  return [
    ...links.map((ifname, index) =>
      line('link', {
        driver: 'virtio_net',
        data: [{ ifname, mtu: 1500, flags: Array(8).fill('SOME_FLAG'), addr_info: index > 0 ? [] : [{ local: own }] }],
      }),
    ),
    line('routes', { data: [{ dst: 'default', dev: 'eth0' }] }),
    line('features', { exit: 0, jit: 1, btf: true, available: features, missing: [] }),
    line('proxy', { processes: [], rules: true, ipvs: false, healthPort: 'kube-proxy' }),
    line('measured', {}),
    line('vxlan-sending', { tunnels: peers[index]?.length }),
    ...(peers[index] ?? []).flatMap((peer) => [
      line('vxlan', { peer: nodes[peer]?.address, arrives: 'full' }),
      line('vxlan-answer', { peer: nodes[peer]?.address, sums: 'offloaded' }),
    ]),
  ];
}

test('5,000 nodes are read sixteen at once, take no more than 100 MB, and the one that hears nobody is named', async () => {
  const deaf = nodes[4_321]?.name ?? '';
  const made: KubeObject[] = [];
  let [reading, most] = [0, 0];
  const clock = instantClock();
  let madeAt = 0;
  const pods = async function* () {
    // At the rate of kube-controller-manager.
    let left = Math.floor(((clock.monotonic() - madeAt) / 1_000) * 20);
    for (const daemonSet of made.filter(({ kind }) => kind === 'DaemonSet')) {
      const { name: of = '', uid = '' } = daemonSet.metadata;
      const affinity = JSON.stringify(daemonSet.spec).match(/(?<="values":\[")[^"]+/g) ?? nodes.map(({ name }) => name);
      const container = podKindOf(of) === 'pod' ? probeNames.containers.pod : probeNames.containers.host;
      const isThere = affinity.slice(0, left);
      left -= isThere.length;
      yield {
        items: isThere.map((node) => ({
          ...{ apiVersion: 'v1', kind: 'Pod' },
          metadata: { name: `${of}.${node}`, ownerReferences: [{ uid, controller: true }] },
          spec: { nodeName: node, containers: [{ name: container }] },
          status: { phase: 'Running', containerStatuses: [{ name: container, ready: true, state: { running: {} } }] },
        })),
      };
    }
  };
  const kube = {
    ...{ name: 'many', source: 'live' },
    allowed: async (rules: object[]) => rules.map((rule) => ({ ...rule, allowed: true })),
    create: async (_resource: unknown, object: KubeObject) => {
      const created = { ...object, metadata: { ...object.metadata, uid: `uid-${made.length}` } };
      made.push(created);
      madeAt = clock.monotonic();
      return created;
    },
    get: async () => made.find(({ kind }) => kind === 'Namespace') ?? null,
    delete: async () => void made.splice(0),
    apply: async () => ({}),
    patch: async () => ({}),
    list: () => pods(),
    logs: async ({ name }: { name: string }) => {
      most = Math.max(most, ++reading);
      // Not a turn of the event loop, in which this clock would advance.
      await null;
      reading--;
      const [of = '', ...rest] = name.split('.');
      const node = rest.join('.');
      const log = logOf(indexes.get(node) ?? 0, podKindOf(of));
      return node === deaf ? log.replaceAll(/^.*"vxlan","peer".*$/gm, '') : log;
    },
  } as unknown as Kube;
  let held = 0;
  const before = heapMb();
  const settings: ProbeSettings = {
    ...{ run: 300, image: 'quay.io/calico/node:v3.31.4', endpoint: null, vxlanPort: 4789, nodeSelector: {} },
    ...{ addresses: nodes.map(({ address }) => address), names: nodes.map(({ name }) => name), partners },
    ...{ cgroupFolder: '/run/calico/cgroup', podNetwork: 'there' },
  };
  const { nodes: measured } = await runProbe({
    ...{ kube, clock, settings, holder: { id: 'here/1@1/a', isDead: async () => false }, afterwards: 'removed' },
    question: { nodes, partners, endpoint: null, interfacePattern: null, release: 'v3.31.4' },
    patienceMs: usualPatienceMs(settings),
    signal: new AbortController().signal,
    progress: (reported, of) => {
      if (reported.length === of && held === 0) held = heapMb() - before;
    },
  });
  const after = heapMb() - before;
  console.log(`5,000 nodes: ${Math.round(held)} MB while they report, ${Math.round(after)} MB with what was judged`);
  expect(measured.filter(({ tests }) => tests.vxlan.kind === 'failed').map(({ node }) => node)).toEqual([deaf]);
  expect(most).toBe(16);
  expect(held).toBeGreaterThan(0);
  expect(Math.max(held, after)).toBeLessThan(100);
});
