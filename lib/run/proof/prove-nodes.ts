import { inParallel } from '#lib/base/async/in-parallel.ts';
import { agreeing, inList, thousands } from '#lib/base/words.ts';
import type { Subject } from '#lib/facts/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import {
  agentsAtOnce,
  type Plane,
  readAgent,
  readMaps,
  readPrograms,
  toProve,
  verdict,
} from '#lib/node-state/index.ts';
import type { ConditionContext } from '../conditions/context.ts';
import type { Progress } from '../conditions/progress.ts';
import type { NodeState } from '../model/event.ts';
import { type CountedNode, countedNodes } from './counted-nodes.ts';
import { nodeOfRun } from './node-of-run.ts';

/**
 * Asks every node for its proof, some at a time; a node that was proven for this pod since this write is not asked again. Met only if every node
 * that counts is proven. One refusal fails it, with the node and its kernel.
 */
export async function proveNodes(
  wanted: Plane,
  daemonSet: KubeObject,
  felix: KubeObject,
  context: ConditionContext,
): Promise<Progress> {
  const { kube, clock, signal, proofs, felixResource, runStartedAt } = context;
  const nowMs = clock.now();
  const nodes = await countedNodes({
    kube,
    daemonSet,
    felixResource,
    felix,
    toward: wanted,
    runStartedAt,
    nowMs,
    signal,
  });
  const states = await inParallel(nodes, agentsAtOnce, async (node) => {
    const { agent, felix } = node.observation;
    const of = `${wanted}/${agent?.uid ?? ''}/${agent?.startedAt ?? ''}/${felix.wanted}/${felix.since ?? ''}`;
    const known = proofs.get(node.name);
    if (known?.of === of) return known.state;
    const state = await proofOf(node, wanted, context);
    if (state.state === 'proven') proofs.set(node.name, { of, state });
    return state;
  });
  return summary(wanted, nodes, states);
}

/**
 * Whether this node is proven: by its agent's log or, if that says nothing, by its eBPF maps. Either counts only if the programs attached in the
 * kernel do not contradict it. A signalbox agent could answer `/readyz` instead; none exists yet.
 */
async function proofOf(
  { name, counts, observation }: CountedNode,
  wanted: Plane,
  { kube, clock, signal }: ConditionContext,
): Promise<NodeState> {
  const { agent, apart, felix } = observation;
  const nowMs = clock.now();
  const stateFrom = (node: typeof observation) => nodeOfRun(name, verdict(node, nowMs), wanted);
  if (!agent?.ready || apart !== null) return counted(stateFrom(observation), counts);
  const log = await readAgent(kube, agent, felix.since, toProve, signal);
  const byLog = stateFrom({ ...observation, log });
  // A node that is still changing, or cannot run eBPF, is not asked for more.
  if (byLog.state !== 'proven' && byLog.state !== 'unknown') return counted(byLog, counts);
  const programs = await readPrograms(kube, agent, felix, signal);
  const maps = byLog.state === 'unknown' && wanted === 'bpf' ? await readMaps(kube, agent, signal) : null;
  return counted(stateFrom({ ...observation, log, maps, programs }), counts);
}

/** A refusal is reported also for nodes that do not count: a node that has just joined has no Services either. */
function counted(node: NodeState, counts: CountedNode['counts']): NodeState {
  if (counts === null || node.state === 'proven' || node.state === 'refused' || node.state === 'not-counted')
    return node;
  return { ...node, state: 'not-counted', detail: `${counts.because}; ${node.detail}` };
}

function summary(wanted: Plane, nodes: CountedNode[], states: NodeState[]): Progress {
  const counted = states.filter((_, index) => nodes[index]?.counts === null);
  const path = wanted === 'bpf' ? 'eBPF' : 'the standard data plane';
  const refused = states.filter((one) => one.state === 'refused');
  if (refused.length > 0) {
    const names = firstNames(refused.map((one) => one.name));
    return {
      kind: 'failed',
      code: 'node.refuses-bpf',
      because: `${refused.length === 1 ? 'Node' : 'Nodes'} ${names} cannot run eBPF: the agent said so in its log and runs on the standard data plane. Without the service proxy it would have no Services.`,
      subjects: refused.map(subjectOf),
      nodes: states,
    };
  }
  const open = counted.filter((one) => one.state === 'waiting' || one.state === 'restarting');
  const proven = counted.filter((one) => one.state === 'proven').length;
  if (open.length > 0) {
    return {
      kind: 'waiting',
      awaiting: `every node to be on ${path}: ${thousands(proven)} of ${thousands(counted.length)} ${agreeing(counted.length, 'is', 'are')} proven`,
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
      because: `Not verified to be on ${path}: ${unknown
        .map((one) => `${one.name} (${one.detail})`)
        .slice(0, 5)
        .join('; ')}${unknown.length > 5 ? ' …' : ''}.`,
      subjects: unknown.map(subjectOf),
      nodes: states,
    };
  }
  // Nothing proven is no proof: a step that turns kube-proxy off follows.
  if (wanted === 'bpf' && counted.length === 0) {
    return {
      kind: 'unknown',
      because: `Not verified to be on ${path}: the cluster has no node on which the agent is expected.`,
      subjects: states.map(subjectOf),
      nodes: states,
    };
  }
  return {
    kind: 'met',
    evidence: counted.flatMap((one) => one.evidence),
    note: `${thousands(proven)} of ${thousands(counted.length)} ${agreeing(counted.length, 'node is', 'nodes are')} proven on ${path}`,
    nodes: states,
  };
}

function subjectOf(node: NodeState): Subject {
  return { kind: 'Node', namespace: null, name: node.name, detail: node.detail };
}

/** Five names and how many more: a sentence is stored with the run, and must not grow with the cluster. Subjects name all. */
export function firstNames(names: readonly string[]): string {
  return inList(names, 5);
}
