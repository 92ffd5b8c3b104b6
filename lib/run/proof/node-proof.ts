import type { Evidence } from '#lib/facts/index.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { NodeState } from '../event.ts';
import { writesInfo } from './agent-log.ts';
import { type LogReading, readLogSince } from './agent-log-reader.ts';
import type { CountedNode } from './counted-nodes.ts';

/** What all nodes of one tick share. Times in ms. */
export type ProofContext = {
  kube: Kube;
  nowMs: number;
  bpfWrittenAt: number | null;
  severityOf(node: string): string | null;
  signal: AbortSignal;
};

/** An agent says within seconds whether eBPF is on. After this long its clock may be wrong: the other evidence is asked. */
const patientMs = 120_000;

/** Clocks of nodes and API server differ a little, and managedFields has whole seconds. */
const slackMs = 5_000;

/**
 * Whether this node is proven to be on eBPF: strongest evidence first (operations.md › Proof of a node).
 * A signalbox agent would answer `/readyz`; until one exists Calico's log and its own dump of the service maps are what there is.
 */
export async function provenOnBpf(node: CountedNode, context: ProofContext): Promise<NodeState> {
  const pod = node.pod;
  if (!pod?.ready)
    return state(node, 'waiting', null, pod ? `its agent ${pod.words}` : 'its agent pod does not exist yet');
  const reading = await agentLog(node, context);
  if (reading.kind === 'read' && reading.log.decision === 'enabled') {
    return state(node, 'proven', 'bpf', 'its agent says that eBPF is on', logEvidence(node, reading));
  }
  if (reading.kind === 'read' && reading.log.decision === 'refused') {
    return state(
      node,
      'refused',
      'standard',
      `its agent refuses eBPF: kernel ${node.kernel} does not support it`,
      logEvidence(node, reading),
    );
  }
  const doubt = silenceSaysNothing(node, reading, context);
  const silentMs = context.nowMs - Math.max(context.bpfWrittenAt ?? 0, pod.createdAt);
  if (doubt === null && silentMs < patientMs)
    return state(node, 'waiting', null, 'its agent has not said yet whether eBPF is on');
  const dump = await natDump(pod, context);
  if (dump.kind === 'entries') return state(node, 'proven', 'bpf', 'services are in its eBPF maps', [dump.evidence]);
  return state(
    node,
    'unknown',
    null,
    `${doubt ?? `its agent has said nothing for ${Math.round(silentMs / 1000)} s`}; ${dump.because}`,
  );
}

/** How long an agent that has started is given to say that eBPF is on, before its silence means that it is not. */
const silenceMs = 5_000;

/** The same sources read the other way: a newer start of the agent, whose readable log since then lacks the *enabled* line. */
export async function provenOnStandard(node: CountedNode, context: ProofContext): Promise<NodeState> {
  const pod = node.pod;
  if (!pod?.ready)
    return state(node, 'waiting', null, pod ? `its agent ${pod.words}` : 'its agent pod does not exist yet');
  const reading = await agentLog(node, context);
  if (reading.kind === 'read' && reading.log.decision === 'enabled') {
    return state(node, 'waiting', 'bpf', 'its agent still says that eBPF is on', logEvidence(node, reading));
  }
  const doubt = silenceSaysNothing(node, reading, context);
  if (doubt !== null || reading.kind !== 'read') return state(node, 'unknown', null, doubt ?? 'its log cannot be read');
  const startedAt = Math.max(reading.log.startedAt ?? 0, pod.startedAt ?? 0);
  if (startedAt < (context.bpfWrittenAt ?? 0) - slackMs)
    return state(node, 'restarting', null, 'its agent has not started again yet');
  if (context.nowMs - startedAt < silenceMs) return state(node, 'restarting', null, 'its agent has just started again');
  return state(node, 'proven', 'standard', 'its agent started again without eBPF', logEvidence(node, reading));
}

async function agentLog(node: CountedNode, context: ProofContext): Promise<LogReading> {
  const pod = node.pod;
  if (!pod) return { kind: 'unreadable', because: 'there is no agent pod' };
  // A pod made after the write has only its own node's clock to be compared with; an older one must be asked from the write on.
  const madeSince = context.bpfWrittenAt !== null && pod.createdAt >= context.bpfWrittenAt && pod.startedAt !== null;
  const since = (madeSince ? (pod.startedAt ?? 0) : Math.max(pod.startedAt ?? 0, context.bpfWrittenAt ?? 0)) - slackMs;
  return readLogSince(context.kube, pod, since, pod.startedAt, context.signal);
}

/** Why the absence of a line proves nothing on this node, or null when it does. */
function silenceSaysNothing(node: CountedNode, reading: LogReading, context: ProofContext): string | null {
  if (reading.kind === 'unreadable') return `its log cannot be read: ${reading.because}`;
  const severity = context.severityOf(node.name);
  if (!writesInfo(severity)) return `its agent logs at severity ${severity}, above Info, so its log cannot tell`;
  if (!reading.reachesBack) return 'its log begins later than the switch (rotated)';
  return null;
}

async function natDump(
  pod: { namespace: string; name: string },
  { kube, signal }: ProofContext,
): Promise<{ kind: 'entries'; evidence: Evidence } | { kind: 'none'; because: string }> {
  const command = ['calico-node', '-bpf', 'nat', 'dump'];
  try {
    const result = await kube.exec({ ...pod, container: names.nodeContainer }, command, { signal, timeoutMs: 15_000 });
    const entries = result.stdout.split('\n').filter((line) => /port \d+/.test(line)).length;
    if (result.exitCode === 0 && entries > 0) {
      return {
        kind: 'entries',
        evidence: {
          object: `${pod.namespace}/Pod/${pod.name}`,
          path: `exec ${command.join(' ')}`,
          value: `${entries} entries`,
        },
      };
    }
    return { kind: 'none', because: `\`${command.join(' ')}\` shows no service` };
  } catch (error) {
    if (isKubeError(error, 'aborted')) throw error;
    if (isKubeError(error)) return { kind: 'none', because: `exec in its agent is not possible: ${error.message}` };
    throw error;
  }
}

function logEvidence(node: CountedNode, reading: LogReading): Evidence[] {
  if (reading.kind !== 'read' || !node.pod) return [];
  const line = reading.log.decidedBy;
  return [
    {
      object: `${node.pod.namespace}/Pod/${node.pod.name}`,
      path: 'log of calico-node',
      value:
        line ??
        `no line that says eBPF is on since ${new Date(reading.log.startedAt ?? node.pod.startedAt ?? 0).toISOString()}`,
    },
  ];
}

function state(
  node: CountedNode,
  kind: NodeState['state'],
  dataplane: NodeState['dataplane'],
  detail: string,
  evidence: Evidence[] = [],
): NodeState {
  // A refusal is told whoever it comes from: a node that has just joined has no services either.
  if (node.counts !== null && kind !== 'proven' && kind !== 'refused')
    return { name: node.name, state: 'not-counted', dataplane, detail: `${node.counts.because}; ${detail}`, evidence };
  return { name: node.name, state: kind, dataplane, detail, evidence };
}
