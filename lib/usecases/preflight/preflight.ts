import { randomUUID } from 'node:crypto';
import type { Clock, Kube, NodeMeasurement } from '#lib/kube/index.ts';
import {
  type Holder,
  leftProbe as leftOf,
  type Probed,
  probeObjectIds,
  runProbe,
  sweepLeftProbe as sweepOf,
  usualPatienceMs,
} from '#lib/probe/index.ts';
import { holderIdentity, ownIdentity, processState } from '#lib/run/index.ts';

export { leftBy, leftInWords } from '#lib/probe/index.ts';

import { keepMeasurement } from './kept-measurement.ts';
import type { PreparedProbe } from './prepare-probe.ts';

/** Nodes of a sandbox answer at once. They are still shown one by one, over this time. */
const sandboxMs = 2_000;

export type PreflightOptions = {
  kube: Kube;
  clock: Clock;
  /** The cluster's UID, under which the result is kept; null: unknown, so nothing is kept. */
  clusterUid: string | null;
  prepared: PreparedProbe;
  afterwards: 'removed' | 'kept';
  stateFolder: string;
  /** How long nodes may take to report. Default: three minutes, and more for many nodes. */
  patienceMs?: number;
  signal: AbortSignal;
  /** Called with the nodes that have reported, as they come, and the number of all. */
  progress?: (reported: readonly string[], of: number) => void;
};

export type Preflight = Omit<Probed, 'boots'> & { readonly endpoint: PreparedProbe['question']['endpoint'] };

/**
 * Measures on the nodes and keeps the result, so that checks, plans and runs of the next minutes use it. The nodes of a sandbox answer without any
 * pod. Rejects as `runProbe` does.
 */
export async function preflight({
  clusterUid,
  prepared,
  stateFolder,
  patienceMs = usualPatienceMs(prepared.settings),
  ...options
}: PreflightOptions): Promise<Preflight> {
  const { endpoint, interfacePattern, nodes: tested } = prepared.question;
  if (options.kube.source === 'sandbox') return { nodes: await ofSandbox(prepared, options), left: null, endpoint };
  const holder = await ownHolder(stateFolder);
  const { nodes, boots, left } = await runProbe({ ...options, ...prepared, holder, patienceMs });
  if (clusterUid !== null) {
    const { vxlanPort, cgroupFolder } = prepared.settings;
    await keepMeasurement(stateFolder, clusterUid, {
      at: options.clock.now(),
      endpoint,
      settings: { vxlanPort, cgroupFolder, interfacePattern },
      plan: {
        ...prepared.plan,
        objects: probeObjectIds(prepared.settings),
        ended: left === null ? options.afterwards : 'left',
      },
      image: prepared.settings.image,
      addresses: Object.fromEntries(tested.map(({ name, address }) => [name, address])),
      addressesV6: Object.fromEntries(tested.map(({ name, addressV6 = null }) => [name, addressV6])),
      boots,
      nodes: [...nodes],
    });
  }
  return { nodes, left, endpoint };
}

/** Identifies this preflight. It is more than the process, because one process may test the same cluster twice, through two contexts. */
async function ownHolder(stateFolder: string): Promise<Holder> {
  return {
    id: `${holderIdentity(await ownIdentity(stateFolder))}/${randomUUID().slice(0, 8)}`,
    isDead,
  };
}

const isDead: Holder['isDead'] = async (id) => (await processState(id.split('/')[1] ?? '')) === 'dead';

type LeftProbeOptions = Omit<Parameters<typeof leftOf>[0], 'isDead'>;

/** As in lib/probe, with processes of this machine that have ended recognised. */
export const leftProbe = (options: LeftProbeOptions) => leftOf({ ...options, isDead });
/** As in lib/probe, with processes of this machine that have ended recognised. */
export const sweepLeftProbe = (options: LeftProbeOptions) => sweepOf({ ...options, isDead });

async function ofSandbox(
  { question: { endpoint, nodes } }: PreparedProbe,
  { kube, clock, signal, progress }: Pick<PreflightOptions, 'kube' | 'clock' | 'signal' | 'progress'>,
): Promise<NodeMeasurement[]> {
  const chosen = new Set(nodes.map(({ name }) => name));
  const result = await kube.measureNodes?.(endpoint, { signal });
  const measured = (result?.nodes ?? []).filter(({ node }) => chosen.has(node));
  const names = measured.map(({ node }) => node);
  const atOnce = Math.ceil(names.length / 20);
  for (let count = atOnce; count < names.length + atOnce; count += atOnce) {
    await clock.sleep((sandboxMs * atOnce) / names.length, signal);
    progress?.(names.slice(0, count), names.length);
  }
  return measured;
}
