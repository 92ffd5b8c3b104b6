import type { Evidence } from '#lib/facts/index.ts';
import { slackMs, writesInfo } from './agent-log.ts';
import type { LogReading, NodeObservation } from './observation.ts';
import type { Plane } from './seen-node.ts';

/** The state of a node. */
export type Verdict = {
  /** `bpf` only if it was seen. `moving`: the agent is being replaced. `fell-back`: the agent's log says that it cannot run eBPF. `unknown`: nothing decides. */
  plane: Plane | 'moving' | 'fell-back' | 'unknown' | 'not-counted';
  /** A phrase: what was seen, or why the state is not known. */
  because: string;
  /** The data plane that was seen now; the caller passes it as `before` next time. It is a proof only if it was seen after the configuration changed. */
  seen: { plane: Plane; sinceChange: boolean } | null;
  /** What must happen before this verdict is final: the agent pod is ready, it restarts, or it logs a line. */
  awaits: 'agent' | 'restart' | 'word' | null;
  evidence: Evidence[];
};

/** The reason for a node that was not read yet. It says nothing about the node. */
export const notReadYet = 'its agent’s log has not been read yet';

/** For this time after a change, an agent that has not logged its state counts as moving, then as unknown (operations.md › Proof of a node). Clocks may differ. */
const patientMs = 120_000;
/** An agent that has logged nothing for this time after its start runs without eBPF. */
const silenceMs = 5_000;

const words: Record<Plane, string> = { bpf: 'eBPF', standard: 'the standard data plane' };

/**
 * The state of a node, by its agent's log if that decides. The configuration decides only for the standard data plane, which no kernel refuses.
 * eBPF that is only configured is `unknown`: an agent may fall back and say so nowhere but in its log (pain C1). The programs that the kernel has attached
 * can contradict the log, and decide if the log does not (operations.md › Proof of a node). Pure.
 */
export function verdict(node: NodeObservation, nowMs: number): Verdict {
  const { maps, felix } = node;
  const byLog = verdictByLog(node, nowMs);
  const isOpen = felix.wanted === 'bpf' && byLog.awaits === null && byLog.plane !== 'fell-back' && maps !== null;
  if (isOpen && maps.kind === 'none') return { ...byLog, because: `${byLog.because}; ${maps.because}` };
  const byMaps =
    isOpen && maps.kind === 'entries' ? seen('bpf', 'Services are in its eBPF maps', [maps.evidence]) : byLog;
  return byKernel(node, byMaps, nowMs);
}

/** Confirms or contradicts the verdict by the programs that the kernel has attached. */
function byKernel(node: NodeObservation, byLog: Verdict, nowMs: number): Verdict {
  const { programs, felix } = node;
  if (programs?.kind !== 'read' || byLog.awaits !== null) return byLog;
  const { devices, onCgroup, services, evidence } = programs;
  const proven = { ...byLog, evidence: [...byLog.evidence, evidence] };
  if (felix.wanted === 'bpf') {
    if (byLog.plane !== 'bpf') return byLog;
    if (devices.length === 0) return against(node, proven, nowMs, 'none of its programs is attached to an interface');
    return services === false ? against(node, proven, nowMs, 'no Service is in its eBPF maps') : proven;
  }
  const isClean = devices.length === 0 && onCgroup === 0;
  if (byLog.plane !== 'standard') return byLog;
  if (isClean) return byLog.seen === null ? { ...proven, ...seen('standard', noneLeft, [evidence]) } : proven;
  return against(node, proven, nowMs, `programs of eBPF are still attached (${evidence.value})`);
}

const noneLeft = 'its kernel has no program of eBPF attached';

/** A verdict that the kernel contradicts. An agent attaches and removes its programs shortly after it logs so: until `patientMs` the node is moving, then unknown. */
function against(node: NodeObservation, byLog: Verdict, nowMs: number, because: string): Verdict {
  const { log: word, agent } = node;
  const startedAt = 'startedAt' in word ? word.startedAt : (agent?.startedAt ?? 0);
  const words = `${byLog.because}, and ${because}`;
  return waitedMs(node, { startedAt }, nowMs) < patientMs
    ? { ...plain('moving', words), awaits: 'word', evidence: byLog.evidence }
    : { ...plain('unknown', words), evidence: byLog.evidence };
}

function verdictByLog(node: NodeObservation, nowMs: number): Verdict {
  const { apart, agent, log, felix } = node;
  if (apart !== null) return plain('not-counted', apart);
  const because = agent === null ? 'its agent pod does not exist yet' : `its agent ${agent.words}`;
  if (!agent?.ready) {
    const away = isSwitching(node) ? plain('moving', because) : asBefore(node, because);
    return { ...away, awaits: 'agent' };
  }
  switch (log.kind) {
    case 'enabled':
      return enabled(node, log, nowMs);
    case 'refused':
      return refused(node, log, nowMs);
    case 'not-read':
      if (isSwitching(node))
        return { ...plain('moving', 'its agent’s log has not been read again yet'), awaits: 'word' };
      return asBefore(node, notReadYet);
    case 'unreadable':
      return doubtful(node, `its agent’s log cannot be read: ${log.because}`);
    case 'silent':
      return felix.wanted === 'bpf' ? silentOnBpf(node, log, nowMs) : silentOnStandard(node, log, nowMs);
  }
}

type LogOf<K extends LogReading['kind']> = Extract<LogReading, { kind: K }>;

function enabled(node: NodeObservation, log: LogOf<'enabled' | 'refused'>, nowMs: number): Verdict {
  const { wanted, decidedBy, differs } = node.felix;
  const against = wanted === 'standard' ? `, and ${decidedBy} has it off` : differs ? `: ${decidedBy} has it on` : '';
  const on: Verdict = {
    ...seen('bpf', `its agent says that eBPF is on${against}`, logEvidence(node, log.line)),
    seen: { plane: 'bpf', sinceChange: log.sinceChange },
  };
  if (wanted === 'standard') return { ...on, awaits: log.sinceChange ? 'word' : 'restart' };
  return !log.sinceChange && waitedMs(node, log, nowMs) < patientMs ? { ...on, awaits: 'word' } : on;
}

/** An agent that refuses eBPF runs on the standard data plane. If that is the wanted one, it did not fall back. */
function refused(node: NodeObservation, log: LogOf<'enabled' | 'refused'>, nowMs: number): Verdict {
  const kernel = `kernel ${node.kernel || 'of this node'} cannot run eBPF`;
  const evidence = logEvidence(node, log.line);
  if (node.felix.wanted === 'standard')
    return seen('standard', `its agent started without eBPF, as it says that ${kernel}`, evidence);
  const fellBack: Verdict = { ...plain('fell-back', `its agent says that ${kernel}`), evidence };
  // The line is older than the change, so it may be about another kernel: the agent has yet to restart.
  return !log.sinceChange && waitedMs(node, log, nowMs) < patientMs ? { ...fellBack, awaits: 'restart' } : fellBack;
}

function silentOnBpf(node: NodeObservation, log: LogOf<'silent'>, nowMs: number): Verdict {
  const doubt = silenceSaysNothing(node, log);
  if (doubt !== null) return doubtful(node, doubt);
  if (waitedMs(node, log, nowMs) < patientMs)
    return { ...plain('moving', 'its agent has not reported yet whether eBPF is on'), awaits: 'word' };
  return plain('unknown', `${node.felix.decidedBy} has eBPF on, and its agent has not said that it is`);
}

function silentOnStandard(node: NodeObservation, log: LogOf<'silent'>, nowMs: number): Verdict {
  const { before, felix } = node;
  const doubt = silenceSaysNothing(node, log);
  if (doubt !== null) return doubtful(node, doubt);
  const because = `its agent started without eBPF${felix.differs ? `: ${felix.decidedBy} has eBPF off` : ''}`;
  const evidence = logEvidence(node, `no line that says eBPF is on since ${new Date(log.startedAt).toISOString()}`);
  if (log.startedAt < (felix.since ?? 0) - slackMs) {
    const still = before === 'bpf' ? stillOnBpf(node, log, nowMs) : notSince(node, log, because);
    return { ...still, awaits: 'restart' };
  }
  if (nowMs - log.startedAt < silenceMs)
    return {
      ...plain(before === 'standard' ? 'standard' : 'moving', 'its agent has just started again'),
      awaits: 'restart',
    };
  return seen('standard', because, evidence);
}

function stillOnBpf(node: NodeObservation, log: LogOf<'silent'>, nowMs: number): Verdict {
  return waitedMs(node, log, nowMs) < patientMs
    ? plain('moving', 'its agent has not restarted yet')
    : plain('unknown', 'eBPF was turned off, and its agent has not started again since');
}

/** The agent runs as before the change. That is known only if its log goes back to its start. */
function notSince(node: NodeObservation, log: LogOf<'silent'>, because: string): Verdict {
  if (log.reachesBack !== 'start') return doubtful(node, rotated);
  return { ...plain('standard', because), seen: { plane: 'standard', sinceChange: false } };
}

const rotated = 'its agent’s log no longer goes back to its start (rotated)';

/** Why a missing line proves nothing on this node; null if it does prove something. */
function silenceSaysNothing({ felix }: NodeObservation, log: LogOf<'silent'>): string | null {
  if (!writesInfo(felix.severity))
    return `its agent logs at severity ${felix.severity}, above Info, so its log cannot tell`;
  return log.reachesBack === 'neither' ? rotated : null;
}

/** For how long the agent has had the current configuration, in ms: since the change, its pod's creation or its start, whichever is latest. */
function waitedMs({ felix, agent }: NodeObservation, log: { startedAt: number }, nowMs: number): number {
  return nowMs - Math.max(felix.since ?? 0, agent?.createdAt ?? 0, log.startedAt);
}

/** Whether the wanted data plane differs from the one that was seen on this node, or the Installation asks for another one than FelixConfiguration. */
export function isSwitching({
  felix,
  installationPlane,
  before,
}: Pick<NodeObservation, 'felix' | 'installationPlane' | 'before'>): boolean {
  const { wanted } = felix;
  if (installationPlane !== null && wanted !== null && installationPlane !== wanted) return true;
  return before !== null && wanted !== null && before !== wanted;
}

function asBefore({ before }: NodeObservation, because: string): Verdict {
  if (before === null) return plain('unknown', because);
  return plain(before, `${because}; it was seen on ${words[before]} before`);
}

function doubtful({ felix }: NodeObservation, doubt: string): Verdict {
  // True also during a switch: only FelixConfiguration turns eBPF on, after every agent has restarted.
  if (felix.wanted === 'standard') return plain('standard', `${felix.decidedBy} has eBPF off; ${doubt}`);
  return plain('unknown', doubt);
}

function plain(plane: Verdict['plane'], because: string): Verdict {
  return { plane, because, seen: null, awaits: null, evidence: [] };
}

function seen(plane: Plane, because: string, evidence: Evidence[]): Verdict {
  return { plane, because, seen: { plane, sinceChange: true }, awaits: null, evidence };
}

function logEvidence({ agent }: NodeObservation, value: string): Evidence[] {
  if (agent === null) return [];
  return [{ object: `${agent.namespace}/Pod/${agent.name}`, path: 'log of calico-node', value }];
}
