import { inParallel } from '#lib/base/async/in-parallel.ts';
import { type Kube, podState, type TestOutcome } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { parseLines } from './line.ts';
import type { PodKind } from './objects/pod-kinds.ts';
import { probeNames } from './objects/probe-names.ts';
import type { ProbeSettings } from './objects/settings.ts';
import { isComplete, type PodOutput } from './outcomes/pod-output.ts';
import { pulledImages } from './outcomes/pulled-images.ts';
import type { Question } from './outcomes/report.ts';
import { logOrNull } from './own-namespace.ts';

const logsAtOnce = 16;
/** Far more than the script writes. */
const logLimitBytes = 1024 * 1024;

/** A DaemonSet of the probe: the kind of its pods, and the names of its nodes. */
export type Owner = { readonly podKind: PodKind; readonly nodes: readonly string[] };

export type OwnPod = Pick<ReturnType<typeof podState>, 'name' | 'fault' | 'words'> & {
  /** The UID of its DaemonSet. */
  readonly owner: string;
  readonly podKind: PodKind;
  /** Null: it is on no tested node, or on none yet. */
  readonly node: string | null;
  readonly pulled: TestOutcome | null;
  /** Ms since the epoch; NaN if missing. */
  readonly madeAt: number;
};

/** Reads the pods. A pod of this probe's own DaemonSets speaks for the node on which the API has it, whatever it prints. Returns the pods. */
export async function readPods(
  {
    kube,
    signal,
    question,
    settings,
  }: { kube: Kube; signal: AbortSignal; question: Question; settings: ProbeSettings },
  owners: ReadonlyMap<string, Owner>,
  into: Record<'host' | 'pod', Map<string, PodOutput>>,
  images: Map<string, TestOutcome>,
): Promise<readonly OwnPod[]> {
  const known = new Set(question.nodes.map(({ name }) => name));
  // Only the needed fields are kept, because a pod's spec contains the script.
  const pods: OwnPod[] = [];
  for await (const { items } of kube.list(resources.pods, { namespace: probeNames.namespace, signal }))
    for (const object of items) {
      const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? '';
      const podKind = owners.get(owner)?.podKind;
      if (podKind === undefined || object.metadata.deletionTimestamp) continue;
      const { node, ...state } = podState(object, podKind === 'images' ? undefined : probeNames.containers[podKind]);
      const pulled = pulledImages(object, podKind === 'images' ? (settings.images ?? []) : [settings.image]);
      const madeAt = Date.parse(String(object.metadata.creationTimestamp));
      pods.push({ owner, podKind, node: node !== null && known.has(node) ? node : null, pulled, ...state, madeAt });
    }
  const podsByNode = [...Map.groupBy(pods, ({ podKind, node }) => `${podKind} ${node}`).values()];
  await inParallel(podsByNode, logsAtOnce, async ([one, another]) => {
    if (one === undefined || one.node === null) return;
    const { podKind, node, name, fault, words, pulled } = one;
    if (pulled !== null && (podKind === 'images' || pulled.kind === 'failed') && images.get(node)?.kind !== 'failed')
      images.set(node, pulled);
    if (podKind === 'images') return;
    const container = probeNames.containers[podKind];
    if (another !== undefined) {
      into[podKind].set(node, { because: 'it has two test pods, and one of them is not a test pod' });
      return;
    }
    if (fault !== null) {
      into[podKind].set(node, { because: `its test pod does not start: ${words}` });
      return;
    }
    // Packets of another node with a foreign address may arrive at any time.
    if (settings.dsr !== true && isComplete(podKind, into[podKind].get(node))) return;
    const pod = { namespace: probeNames.namespace, name };
    const log = await logOrNull(kube, pod, { container, limitBytes: logLimitBytes, signal });
    if (log !== null) into[podKind].set(node, parseLines(log));
  });
  return pods;
}
