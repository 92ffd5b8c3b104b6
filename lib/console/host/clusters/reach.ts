import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { listRunsToShow, type RunMemory, unfinishedRun } from '#lib/run/index.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { type ClusterStatus, healthOf, readStatus, readVersions } from '#lib/status/index.ts';
import type { ClusterEntry, Reach, Slug } from '../../host.ts';
import { failureOf } from '../failures.ts';
import { Refused } from '../refused.ts';
import type { Catalogue } from './cluster-catalogue.ts';
import type { OpenClusters } from './open-clusters.ts';

/** How long an answer is reused: reloading the list does not ask every cluster again. */
const askedAgainAfterMs = 15_000;
const givenUpAfterMs = 8_000;

type KnownRuns = Pick<RunMemory, 'recall' | 'sealer'>;

export type ReachOptions = {
  catalogue: Catalogue;
  clusters: OpenClusters;
  /** Says which runs are of this installation. */
  memory: KnownRuns;
  monotonic: () => number;
  signal: AbortSignal;
};

export type Reaching = {
  /** Asks whether a cluster answers and what runs there. What is wrong with the cluster or its entry is part of the answer, never a rejection. */
  reach(slug: Slug): Promise<Reach>;
  /** Asks this cluster from now on, although lists do not ask it by themselves. Holds for the entry as it is now. Throws Refused. */
  allow(slug: Slug): Promise<void>;
};

export function reaching({ catalogue, clusters, memory, monotonic, signal }: ReachOptions): Reaching {
  const known = new Map<Slug, { at: number; answer: Promise<Reach> }>();
  const templates = new Map<string, Promise<Reach>>();
  /** Entries that the user asked for by hand. They include server and reason, so that another server under the same name has to be asked for again. */
  const allowed = new Set<string>();
  const template = (entry: ClusterEntry): Promise<Reach> => {
    const looked = templates.get(entry.name) ?? lookAtTemplate(entry, memory, signal);
    templates.set(entry.name, looked);
    looked.catch(() => templates.delete(entry.name));
    return looked;
  };
  const ask = async (slug: Slug): Promise<Reach> => {
    try {
      const entry = await catalogue.find(slug);
      const because = entry.problem === null ? entry.notAsked : null;
      // An open cluster has received its credentials already.
      if (because !== null && !allowed.has(asItIs(entry)) && !clusters.isOpen(slug))
        return { kind: 'not-asked', because };
      if (isUntouched(entry, clusters)) return await template(entry);
      return await dial(slug, clusters, memory, signal);
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      const at = new Date().toISOString();
      return { kind: 'unreachable', code: failure.code, message: failure.message, at };
    }
  };
  return {
    reach: (slug) => {
      const found = known.get(slug);
      if (found && monotonic() - found.at < askedAgainAfterMs) return found.answer;
      const answer = ask(slug);
      known.set(slug, { at: monotonic(), answer });
      answer.catch(() => known.delete(slug));
      return answer;
    },
    allow: async (slug) => {
      const entry = await catalogue.find(slug);
      if (entry.problem !== null) throw new Refused('cluster.broken', entry.problem);
      allowed.add(asItIs(entry));
      known.delete(slug);
    },
  };
}

function asItIs({ slug, server, notAsked }: ClusterEntry): string {
  return JSON.stringify([slug, server, notAsked]);
}

function isUntouched({ slug, kind, kept }: ClusterEntry, clusters: OpenClusters): boolean {
  return kind === 'sandbox' && !kept && !clusters.isOpen(slug);
}

/** Shows a sandbox that was never used without creating it: a copy in memory gives the same answer, once for this process. */
async function lookAtTemplate({ name }: ClusterEntry, memory: KnownRuns, signal: AbortSignal): Promise<Reach> {
  const sandbox = await openSandbox(name, { speed: 'normal', operator: 'none' });
  try {
    return await look(sandbox.kube, memory, signal);
  } finally {
    await sandbox.close();
  }
}

async function dial(slug: Slug, clusters: OpenClusters, memory: KnownRuns, signal: AbortSignal): Promise<Reach> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), givenUpAfterMs);
  const late = new Promise<never>((_, reject) => {
    giveUp.signal.addEventListener('abort', () => reject(new Late()), { once: true });
  });
  try {
    // Opening counts too: an exec plug-in may wait for credentials.
    const looking = clusters.using(slug, ({ kube }) => look(kube, memory, AbortSignal.any([signal, giveUp.signal])));
    return await Promise.race([looking, late]);
  } catch (error) {
    if (error instanceof Late || (giveUp.signal.aborted && isKubeError(error, 'aborted')))
      return {
        kind: 'unreachable',
        code: 'cluster.timeout',
        message: `No answer within ${givenUpAfterMs / 1000} s.`,
        at: new Date().toISOString(),
      };
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

class Late extends Error {}

async function look(kube: Kube, memory: KnownRuns, signal: AbortSignal): Promise<Reach> {
  const began = performance.now();
  await kube.version({ signal });
  const latencyMs = Math.round(performance.now() - began);
  const at = new Date().toISOString();
  const [{ kubernetes, calico }, status, run] = await Promise.all([
    readVersions(kube, signal),
    readStatus(kube, at, signal),
    currentRun(kube, memory),
  ]);
  const dataplane = dataplaneOf(status);
  return { kind: 'reachable', kubernetes, calico, dataplane, health: healthOf(status), latencyMs, run, at };
}

/** The data plane that the Installation names. Without an Installation the agents say whether it is eBPF, but not what else it is. */
function dataplaneOf({ installation, manifest }: ClusterStatus): string | null {
  if (installation !== null) return installation.dataplane;
  return manifest === undefined || manifest.bpf === null ? null : manifest.bpf ? 'BPF' : 'standard';
}

/** The run that has not ended, else the newest; null also without the right to read runs. */
async function currentRun(kube: Kube, memory: KnownRuns) {
  try {
    const runs = await listRunsToShow(kube, journalNamespaces, async () => memory);
    return unfinishedRun(runs) ?? runs[0] ?? null;
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return null;
    throw error;
  }
}
