import { writesInfo } from '#lib/run/index.ts';
import type { NodeLine } from './node-line.ts';

/** A data plane that a node was seen on. */
export type Plane = 'standard' | 'bpf';

/** What an agent's own log said when it was read last. Times in ms. */
export type AgentSaid =
  | { kind: 'not-read' }
  | { kind: 'unreadable'; because: string }
  | { kind: 'enabled' | 'refused' }
  /** Neither line. `startedAt`: its latest start; `reachesBack`: the log goes back to it, so that silence means something. */
  | { kind: 'silent'; startedAt: number; reachesBack: boolean };

export type NodeSeen = {
  kernel: string;
  /** Why it is not counted, as a phrase: it runs Windows, it is virtual, no agent can land there. */
  apart: string | null;
  pod: { ready: boolean; words: string; createdAt: number } | null;
  said: AgentSaid;
  /** What FelixConfiguration has for this node; null where it cannot be read. */
  wanted: Plane | null;
  /** What the Installation asks for; null where there is none. */
  asked: Plane | null;
  /** When FelixConfiguration's bpfEnabled was written last, ms; null where nobody is recorded. */
  wantedSince: number | null;
  /** The severity of the agent's log; null is Info. */
  severity: string | null;
  /** What it was seen on last. */
  before: Plane | null;
};

/** Of a node that was not looked at yet: it says nothing about the node. */
export const notReadYet = 'its agent’s log has not been read yet';

/** How long an agent is given to say that eBPF is on before its silence is a doubt (operations.md › Proof of a node). */
const patientMs = 120_000;
/** How long after its start an agent's silence means that it runs without eBPF. */
const silenceMs = 5_000;
/** Clocks of nodes and API server differ a little, and managedFields has whole seconds. */
const slackMs = 5_000;

const words: Record<Plane, string> = { bpf: 'eBPF', standard: 'the standard data plane' };

/** `seen`: what the line rests on was seen now; to be remembered as `before`. */
export type Judged = Pick<NodeLine, 'plane' | 'because' | 'agentAway'> & { seen: Plane | null };

/**
 * Where a node stands: by its agent's own word where there is one, by the configuration only for the standard data plane, which no kernel refuses.
 * eBPF that is merely configured is `unknown`: an agent may fall back without saying so anywhere else (pain C1). Pure.
 */
export function nodePlane(node: NodeSeen, nowMs: number): Judged {
  const { apart, pod, said, wanted } = node;
  if (apart !== null) return { plane: 'not-counted', because: apart, seen: null };
  const because = pod === null ? 'its agent pod does not exist' : `its agent ${pod.words}`;
  if (!pod?.ready) return isSwitching(node) ? line('moving', because) : asBefore(node, because, 'away');
  switch (said.kind) {
    case 'enabled':
      return seen(
        'bpf',
        `its agent says that eBPF is on${wanted === 'standard' ? ', and FelixConfiguration has it off' : ''}`,
      );
    case 'refused':
      return line('fell-back', `its agent says that kernel ${node.kernel || 'of this node'} cannot run eBPF`);
    case 'not-read':
      if (isSwitching(node)) return line('moving', 'its agent’s log has not been read again yet');
      return asBefore(node, notReadYet);
    case 'unreadable':
      return doubtful(node, `its agent’s log cannot be read: ${said.because}`);
    case 'silent':
      return silent(node, said, nowMs);
  }
}

function silent(node: NodeSeen, said: Extract<AgentSaid, { kind: 'silent' }>, nowMs: number): Judged {
  const { wanted, wantedSince, severity, before, pod } = node;
  if (!writesInfo(severity)) return doubtful(node, `its agent logs at severity ${severity}, so its log cannot tell`);
  if (!said.reachesBack) return doubtful(node, 'its agent’s log no longer goes back to its start');
  const startedSince = said.startedAt >= (wantedSince ?? 0) - slackMs;
  const waitedMs = nowMs - Math.max(wantedSince ?? 0, pod?.createdAt ?? 0, said.startedAt);
  if (wanted === 'bpf') {
    if (waitedMs < patientMs) return line('moving', 'its agent has not said yet whether eBPF is on');
    return line('unknown', 'FelixConfiguration has eBPF on, and its agent has not said that it is');
  }
  if (!startedSince && before === 'bpf' && waitedMs < patientMs)
    return line('moving', 'its agent has not started again yet');
  if (nowMs - said.startedAt < silenceMs)
    return before === 'standard'
      ? { ...line('standard', 'its agent has just started again'), seen: null }
      : line('moving', 'its agent has just started again');
  if (!startedSince && before === 'bpf')
    return line('unknown', 'eBPF was turned off, and its agent has not started again since');
  return seen('standard', 'its agent started without eBPF');
}

/** Whether somebody wants another data plane on this node than the one that it was seen on. */
export function isSwitching({ wanted, asked, before }: Pick<NodeSeen, 'wanted' | 'asked' | 'before'>): boolean {
  if (asked !== null && wanted !== null && asked !== wanted) return true;
  return before !== null && wanted !== null && before !== wanted;
}

function asBefore({ before }: NodeSeen, because: string, agent: 'there' | 'away' = 'there'): Judged {
  if (before === null) return line('unknown', because);
  const stood = line(before, `${because}; it was seen on ${words[before]} before`);
  return agent === 'away' ? { ...stood, agentAway: true } : stood;
}

function doubtful({ wanted }: NodeSeen, doubt: string): Judged {
  // Also while a switch is asked for: FelixConfiguration is what turns eBPF on, once every agent has restarted.
  if (wanted === 'standard') return line('standard', `FelixConfiguration has eBPF off; ${doubt}`);
  return line('unknown', doubt);
}

function line(plane: NodeLine['plane'], because: string): Judged {
  return { plane, because, seen: null };
}

function seen(plane: Plane, because: string): Judged {
  return { plane, because, seen: plane };
}
