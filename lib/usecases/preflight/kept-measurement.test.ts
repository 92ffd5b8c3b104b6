import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { type Kube, KubeError, type NodeMeasurement } from '#lib/kube/index.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import { type NodeTest, names, nodeTestIds, resources } from '#lib/spec/index.ts';
import { keepMeasurement, withKeptMeasurement } from './kept-measurement.ts';

const endpoint = { host: 'api.example.com', port: '6443' };
const passed = Object.fromEntries(nodeTestIds.map((id) => [id, { kind: 'passed' }])) as NodeMeasurement['tests'];

let sandbox: Awaited<ReturnType<typeof openSandbox>>;
afterEach(async () => {
  await sandbox?.close();
});

/** Measures `standard` with Felix' defaults, applies `change`, and returns what still holds a minute later. */
async function heldAfter(
  change: (kube: Kube, node: string) => Promise<unknown>,
  { wanted = endpoint, minutes = 1 }: { wanted?: typeof endpoint | null; minutes?: number } = {},
): Promise<readonly NodeMeasurement[]> {
  sandbox = await openSandbox('standard', { speed: 'instant', operator: 'none' });
  const { kube } = sandbox;
  const stateFolder = testFolder('measured');
  const nodes = [];
  for await (const { items } of kube.list(resources.nodes)) nodes.push(...items);
  const facts = nodes.slice(0, 2).map(({ metadata, status }) => {
    const { nodeInfo, addresses } = status as {
      nodeInfo: { bootID?: string };
      addresses: { type: string; address: string }[];
    };
    return { name: metadata.name ?? '', boot: nodeInfo.bootID ?? '', address: addresses[0]?.address ?? '' };
  });
  const uid = (await kube.get({ resource: resources.namespaces, name: names.systemNamespace }))?.metadata.uid ?? '';
  await keepMeasurement(stateFolder, uid, {
    at: 0,
    endpoint,
    plan: { release: 'v3.31.4', images: [], flexVolumeFolder: null },
    settings: { vxlanPort: 4789, cgroupFolder: '/run/calico/cgroup', interfacePattern: null },
    addresses: Object.fromEntries(facts.map(({ name, address }) => [name, address])),
    boots: Object.fromEntries(facts.map(({ name, boot }) => [name, boot])),
    nodes: facts.map(({ name }) => ({ node: name, ms: 3, tests: passed })),
  });
  await change(kube, facts[0]?.name ?? '');
  const { measureNodes } = withKeptMeasurement(kube, stateFolder, { now: () => minutes * 60_000 });
  return (await measureNodes?.(wanted))?.nodes ?? [];
}

const felix = (spec: Record<string, unknown>) => (kube: Kube) =>
  kube.patch(
    { resource: resources.felixConfigurations, name: names.felixConfiguration },
    { type: 'merge', body: { spec } },
  );

const notRun = (measured: readonly NodeMeasurement[]): NodeTest[] =>
  nodeTestIds.filter((id) => measured.every(({ tests }) => tests[id]?.kind === 'not-run'));

test.each<[string, NodeTest[], Parameters<typeof heldAfter>]>([
  ['nothing changed', [], [async () => {}]],
  ['another address is asked for', ['endpoint-from-host', 'endpoint-from-pod'], [async () => {}, { wanted: null }]],
  ['another port of VXLAN', ['vxlan', 'full-size', 'checksums', 'foreign-source'], [felix({ vxlanPort: 8472 })]],
  ['another cgroup folder', ['mounts'], [felix({ cgroupV2Path: '/sys/fs/cgroup' })]],
  ['another pattern of interfaces', ['interfaces', 'vlan-devices'], [felix({ bpfDataIfacePattern: '^bond' })]],
  [
    'a node with another address',
    ['vxlan', 'full-size', 'checksums', 'foreign-source'],
    [
      (kube, node) =>
        kube.patch(
          { resource: resources.nodes, name: node },
          {
            type: 'merge',
            body: { metadata: { annotations: { [names.nodeAddressAnnotations[0] ?? '']: '10.9.9.9/24' } } },
          },
        ),
    ],
  ],
])('%s: what was tested otherwise was not tested', async (_, tests, given) => {
  const measured = await heldAfter(...given);
  expect(measured).toHaveLength(2);
  expect(notRun(measured)).toEqual(tests);
});

test('after a quarter of an hour, or with a clock that went back, nothing holds', async () => {
  await expect(heldAfter(async () => {}, { minutes: 16 })).rejects.toThrow(/signalbox preflight/);
  await sandbox.close();
  await expect(heldAfter(async () => {}, { minutes: -1 })).rejects.toThrow(/signalbox preflight/);
});

test('where kube-system may not be read, nothing was measured: no result is kept there either', async () => {
  await expect(
    heldAfter(async (kube) => {
      kube.get = async () => {
        throw new KubeError('forbidden', 'You may not.');
      };
    }),
  ).rejects.toMatchObject({ code: 'unsupported' });
});

test('a node that was started again is not among those that were measured', async () => {
  const measured = await heldAfter((kube, node) =>
    kube.patch(
      { resource: resources.nodes, name: node },
      { type: 'merge', body: { status: { nodeInfo: { bootID: 'another' } } } },
      { subresource: 'status' },
    ),
  );
  expect(measured).toHaveLength(1);
});

test('of nodes that were tested one after the other each holds for its own quarter of an hour', async () => {
  sandbox = await openSandbox('standard', { speed: 'instant', operator: 'none' });
  const { kube } = sandbox;
  const stateFolder = testFolder('measured');
  const uid = (await kube.get({ resource: resources.namespaces, name: names.systemNamespace }))?.metadata.uid ?? '';
  const nodes: { name: string; boot: string }[] = [];
  for await (const { items } of kube.list(resources.nodes))
    for (const { metadata, status } of items) {
      const { bootID = '' } = (status as { nodeInfo: { bootID?: string } }).nodeInfo;
      nodes.push({ name: metadata.name ?? '', boot: bootID });
    }
  for (const [index, { name, boot }] of nodes.slice(0, 2).entries())
    await keepMeasurement(stateFolder, uid, {
      at: index * 10 * 60_000,
      endpoint,
      plan: { release: 'v3.31.4', images: [], flexVolumeFolder: null },
      settings: { vxlanPort: 4789, cgroupFolder: '/run/calico/cgroup', interfacePattern: null },
      addresses: { [name]: null },
      boots: { [name]: boot },
      nodes: [{ node: name, ms: 3, tests: passed }],
    });
  const heldAt = async (minutes: number) => {
    const { measureNodes } = withKeptMeasurement(kube, stateFolder, { now: () => minutes * 60_000 });
    return (await measureNodes?.(endpoint))?.nodes.map(({ node }) => node);
  };
  expect(await heldAt(12)).toEqual(nodes.slice(0, 2).map(({ name }) => name));
  expect(await heldAt(16)).toEqual([nodes[1]?.name]);
  await expect(heldAt(26)).rejects.toThrow(/signalbox preflight/);
});
