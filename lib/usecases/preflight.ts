import type { Facts } from '#lib/facts/index.ts';
import type { Clock, Kube } from '#lib/kube/index.ts';
import { clusterUidOf } from '#lib/plan/index.ts';
import { type Probed, runProbe } from '#lib/probe/index.ts';
import { keepMeasurement } from './kept-measurement.ts';
import type { PreparedProbe } from './prepare-probe.ts';

/** How long nodes may take: an image may have to be pulled. */
const patienceMs = 180_000;

export type PreflightOptions = {
  kube: Kube;
  clock: Clock;
  facts: Facts;
  prepared: PreparedProbe;
  afterwards: 'removed' | 'kept';
  stateFolder: string;
  signal: AbortSignal;
  progress?: (reported: number, of: number) => void;
};

export type Preflight = Probed & { readonly endpoint: PreparedProbe['question']['endpoint'] };

/** Measures on the nodes and keeps what was found, so that checks, plans and runs of the next minutes use it. Rejects as `runProbe`. */
export async function preflight({ facts, prepared, stateFolder, ...options }: PreflightOptions): Promise<Preflight> {
  const probed = await runProbe({ ...options, ...prepared, patienceMs });
  const { endpoint, interfacePattern } = prepared.question;
  const uid = clusterUidOf(facts);
  if (uid !== null) {
    const { nodes, boots } = probed;
    const { vxlanPort, cgroupFolder } = prepared.settings;
    await keepMeasurement(stateFolder, uid, {
      at: options.clock.now(),
      endpoint,
      settings: { vxlanPort, cgroupFolder, interfacePattern },
      addresses: Object.fromEntries(prepared.question.nodes.map(({ name, address }) => [name, address])),
      boots,
      nodes: [...nodes],
    });
  }
  return { ...probed, endpoint };
}
