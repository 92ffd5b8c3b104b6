import type { Subject } from '#lib/facts/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { ConditionContext } from '../conditions/context.ts';
import type { NodeState } from '../event.ts';
import { writtenAt } from '../fields.ts';
import type { Progress } from '../progress.ts';
import { type CountedNode, countedNodes } from './counted-nodes.ts';
import { type ProofContext, provenOnBpf, provenOnStandard } from './node-proof.ts';
import { logSeverities } from './severity.ts';

const readersAtOnce = 8;

/**
 * Asks every node for its proof, eight at a time; a node that was proven for this pod since this write is not asked again.
 * The result is met only when every node that counts is proven. One refusal fails it, naming the node and its kernel.
 */
export async function proveNodes(
  wanted: 'bpf' | 'standard',
  daemonSet: KubeObject,
  felix: KubeObject,
  context: ConditionContext,
): Promise<Progress> {
  const { kube, clock, signal, proofs } = context;
  const nodes = await countedNodes(kube, daemonSet, clock.now(), context.runStartedAt, signal);
  const severities = await logSeverities(kube, context.felixResource, daemonSet, signal);
  const proof: ProofContext = {
    kube,
    nowMs: clock.now(),
    bpfWrittenAt: writtenAt(felix, ['spec', 'bpfEnabled']),
    severityOf: severities.of,
    signal,
  };
  const ask = wanted === 'bpf' ? provenOnBpf : provenOnStandard;
  const states = await inParallel(nodes, async (node) => {
    const of = `${wanted}/${node.pod?.object.metadata.uid ?? ''}/${node.pod?.startedAt ?? ''}/${proof.bpfWrittenAt ?? ''}`;
    const known = proofs.get(node.name);
    if (known?.of === of) return known.state;
    const state = await ask(node, proof);
    if (state.state === 'proven') proofs.set(node.name, { of, state });
    return state;
  });
  return summary(wanted, nodes, states);
}

function summary(wanted: 'bpf' | 'standard', nodes: CountedNode[], states: NodeState[]): Progress {
  const counted = states.filter((_, index) => nodes[index]?.counts === null);
  const path = wanted === 'bpf' ? 'eBPF' : 'the standard data plane';
  const refused = states.filter((one) => one.state === 'refused');
  if (refused.length > 0) {
    const names = named(refused.map((one) => one.name));
    return {
      kind: 'failed',
      code: 'node.refuses-bpf',
      because: `${refused.length === 1 ? 'Node' : 'Nodes'} ${names} cannot run eBPF: the agent said so in its log and runs on the standard data plane. Without the service proxy it would have no services.`,
      subjects: refused.map(subjectOf),
      nodes: states,
    };
  }
  const open = counted.filter((one) => one.state === 'waiting' || one.state === 'restarting');
  const proven = counted.filter((one) => one.state === 'proven').length;
  if (open.length > 0) {
    return {
      kind: 'waiting',
      awaiting: `every node to be on ${path}: ${proven} of ${counted.length} are proven`,
      heldUpBy: open.slice(0, 20).map(subjectOf),
      nodes: states,
      done: proven,
      total: counted.length,
    };
  }
  const unknown = counted.filter((one) => one.state === 'unknown');
  if (unknown.length > 0) {
    return {
      kind: 'unknown',
      because: `Whether ${unknown.length === 1 ? 'this node is' : 'these nodes are'} on ${path} cannot be told: ${unknown
        .map((one) => `${one.name} (${one.detail})`)
        .slice(0, 5)
        .join('; ')}${unknown.length > 5 ? ' …' : ''}.`,
      subjects: unknown.map(subjectOf),
      nodes: states,
    };
  }
  return {
    kind: 'met',
    evidence: counted.flatMap((one) => one.evidence),
    note: `${proven} of ${counted.length} nodes are proven on ${path}`,
    nodes: states,
  };
}

function subjectOf(node: NodeState): Subject {
  return { kind: 'Node', namespace: null, name: node.name, detail: node.detail };
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(readersAtOnce, items.length) }, async () => {
      for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T);
    }),
  );
  return results;
}

/** Five names and how many more: a sentence is stored with the run, and must not grow with the cluster. Subjects name all. */
export function named(names: readonly string[]): string {
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
}
