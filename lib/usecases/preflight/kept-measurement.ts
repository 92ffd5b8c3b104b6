import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CallOptions,
  type Clock,
  clusterUid,
  type Kube,
  KubeError,
  type NodeMeasurement,
  nodeOf,
  systemClock,
} from '#lib/kube/index.ts';
import { probeScript, watchedServices } from '#lib/probe/index.ts';
import { writeStateFile } from '#lib/run/index.ts';
import { names, resources, testedBetweenNodes } from '#lib/spec/index.ts';
import { joinedMeasurement, timeOf } from './joined-measurement.ts';
import { type KeptMeasurement, keptSchema } from './kept-schema.ts';
import { type ProbedSettings, probedSettings } from './probed-settings.ts';

/** Nodes change: a measurement that is older than this is made again. */
const keptForMs = 15 * 60_000;

/** Keeps a measurement in the state folder, by the cluster's UID, joined with what still holds of other nodes (joined-measurement.ts). */
export async function keepMeasurement(
  stateFolder: string,
  clusterUid: string,
  measurement: Omit<KeptMeasurement, 'script'>,
): Promise<void> {
  await mkdir(join(stateFolder, 'measured'), { recursive: true, mode: 0o700 });
  const [before, now] = [await readFileOf(stateFolder, clusterUid), { ...measurement, script: probeScript }];
  const merged = before === null ? now : joinedMeasurement(before, now, now.at - keptForMs);
  await writeStateFile(pathOf(stateFolder, clusterUid), merged);
}

/** Wraps a cluster so that `measureNodes` answers with the kept measurement while that holds, and its nodes can be asked to watch Services. */
export function withKeptMeasurement<K extends Kube>(kube: K, stateFolder: string, clock: Pick<Clock, 'now'>): K {
  const measureNodes: Kube['measureNodes'] = async (endpoint, options = {}) => {
    const measurement = await readKept(kube, stateFolder, options);
    const since = clock.now() - keptForMs;
    const recent = measurement?.nodes.filter(({ node }) => timeOf(measurement, node) >= since) ?? [];
    // A clock that was set back gives no age.
    if (measurement === null || measurement.at < since || measurement.at > clock.now())
      throw new KubeError('unsupported', 'The nodes were not measured recently: run `signalbox preflight`.');
    const now = await nodesNow(kube, options);
    const isSameEndpoint =
      measurement.endpoint?.host === endpoint?.host && measurement.endpoint?.port === endpoint?.port;
    const outdated = {
      ...(isSameEndpoint ? {} : ofOtherAddress(measurement.endpoint)),
      ...outdatedBy(measurement, probedSettings(await felixOf(kube, options)), now),
    };
    const nodes = recent
      .filter(({ node }) => now.get(node)?.boot === measurement.boots[node])
      .map(({ asked, ...one }) => ({
        ...one,
        ...(isSameEndpoint ? {} : { ms: null }),
        tests: { ...one.tests, ...ofMade(one.tests, outdated) },
        ...(asked === undefined ? {} : { asked }),
      }));
    return { nodes, plan: measurement.plan };
  };
  const testedIn = async (signal: AbortSignal) => (await readKept(kube, stateFolder, { signal }))?.image ?? null;
  return { ...kube, measureNodes, services: watchedServices(kube, systemClock, testedIn) };
}

/** Of tests that are out of date, those that were made: a test that was not made cannot be out of date. */
export const ofMade = (made: NodeMeasurement['tests'], outdated: Partial<NodeMeasurement['tests']>) =>
  Object.fromEntries(Object.entries(outdated).filter(([test]) => test in made));

/** The same value for each test between nodes. */
export const forTestsBetweenNodes = <T>(outcome: T) =>
  Object.fromEntries(testedBetweenNodes.map((test) => [test, outcome])) as Record<
    (typeof testedBetweenNodes)[number],
    T
  >;

/** `then`: the address that was tested, null where there was none, as for an upgrade of a cluster that names none. */
function ofOtherAddress(then: KeptMeasurement['endpoint']): Partial<NodeMeasurement['tests']> {
  const notRun = { kind: 'not-run', because: `${then === null ? 'no' : 'another'} address was tested` } as const;
  return { 'endpoint-from-host': notRun, 'endpoint-from-pod': notRun };
}

async function readKept(kube: Kube, stateFolder: string, options: CallOptions): Promise<KeptMeasurement | null> {
  // Most installations have measured nothing: their clusters are not even asked for their UID.
  const files = await readdir(join(stateFolder, 'measured')).catch(() => []);
  if (files.length === 0) return null;
  const uid = await clusterUid(kube, options);
  const measurement = uid === null ? null : await readFileOf(stateFolder, uid);
  return measurement?.script === probeScript ? measurement : null;
}

async function readFileOf(stateFolder: string, clusterUid: string): Promise<KeptMeasurement | null> {
  const text = await readFile(pathOf(stateFolder, clusterUid), 'utf8').catch(() => null);
  return keptSchema.safeParse(text === null ? null : parsedJson(text)).data ?? null;
}

type NodeNow = { readonly boot: string; readonly addresses: readonly string[] };

async function nodesNow(kube: Kube, options: CallOptions): Promise<Map<string, NodeNow>> {
  const found = new Map<string, NodeNow>();
  for await (const { items } of kube.list(resources.nodes, options))
    for (const item of items) {
      const { nodeInfo, addresses } = nodeOf(item).status;
      const { annotations = {} } = item.metadata;
      const taken = names.nodeAddressAnnotations.flatMap((key) => annotations[key]?.split('/')[0] ?? []);
      found.set(item.metadata.name ?? '', {
        boot: nodeInfo.bootID,
        // VXLAN leaves from the addresses that an agent has taken; the node's other addresses do not count then.
        addresses: taken.length > 0 ? taken : addresses.map(({ address }) => address),
      });
    }
  return found;
}

/** Null if there is none or it may not be read. Felix' defaults are assumed then, as the measurement assumed them. */
function felixOf(kube: Kube, options: CallOptions): Promise<unknown> {
  return kube
    .get({ resource: resources.felixConfigurations, name: names.felixConfiguration }, options)
    .catch(() => null);
}

/** The tests whose premises have changed since they ran, each with the reason. */
function outdatedBy(
  { settings: then, addresses, addressesV6 = {} }: KeptMeasurement,
  now: ProbedSettings,
  nodes: ReadonlyMap<string, NodeNow>,
): Partial<NodeMeasurement['tests']> {
  const notRun = (because: string) => ({ kind: 'not-run', because }) as const;
  const [vxlan, folder, pattern] = [
    notRun(
      then.vxlanPort === now.vxlanPort ? "a node's address has changed since" : `UDP ${then.vxlanPort} was tested`,
    ),
    notRun(`${then.cgroupFolder} was tested`),
    notRun('another pattern of interfaces was tested'),
  ];
  const isMoved = [...Object.entries(addresses), ...Object.entries(addressesV6)].some(
    ([node, address]) => address !== null && nodes.has(node) && !nodes.get(node)?.addresses.includes(address),
  );
  return {
    ...(isMoved || then.vxlanPort !== now.vxlanPort ? forTestsBetweenNodes(vxlan) : {}),
    ...(then.cgroupFolder === now.cgroupFolder ? {} : { mounts: folder }),
    ...(then.interfacePattern === now.interfacePattern ? {} : { interfaces: pattern, 'vlan-devices': pattern }),
  };
}

/** The UID comes from the cluster, so it is checked before it names a file. */
function pathOf(stateFolder: string, clusterUid: string): string {
  return join(stateFolder, 'measured', `${clusterUid.replaceAll(/[^0-9a-zA-Z-]/g, '_').slice(0, 64)}.json`);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
