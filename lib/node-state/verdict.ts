import type { Evidence } from '#lib/facts/index.ts';
import { slackMs, writesInfo } from './agent-log.ts';
import type { LogReading, NodeObservation } from './observation.ts';
import type { Plane } from './seen-node.ts';

/** Where a node stands. */
export type Verdict = {
  /** `bpf` only where it was seen. `moving`: its agent is being replaced. `fell-back`: the agent says that it cannot. `unknown`: nothing tells. */
  plane: Plane | 'moving' | 'fell-back' | 'unknown' | 'not-counted';
  /** A phrase: what was seen, or why it is not known. */
  because: string;
  /** What was seen now; to be remembered as `before`. Only what was seen since the configuration changed is a proof. */
  seen: { plane: Plane; sinceChange: boolean } | null;
  /** What of its agent is to come before this can be judged for good: the agent itself, that it starts again, what it says. */
  awaits: 'agent' | 'restart' | 'word' | null;
  evidence: Evidence[];
};

/** Of a node that was not looked at yet: it says nothing about the node. */
export const notReadYet = 'its agent’s log has not been read yet';

/** How long an agent is given to say that eBPF is on before its silence is a doubt (operations.md › Proof of a node). Its clock may be wrong. */
const patientMs = 120_000;
/** How long after its start an agent's silence means that it runs without eBPF. */
const silenceMs = 5_000;

const words: Record<Plane, string> = { bpf: 'eBPF', standard: 'the standard data plane' };

/**
 * Where a node stands: by its agent's own word where there is one, by the configuration only for the standard data plane, which no kernel refuses.
 * eBPF that is merely configured is `unknown`: an agent may fall back without saying so anywhere else (pain C1). What the kernel has attached stands between
 * the agent's word and *unknown*: it contradicts a word that is not so, and answers where there is none (operations.md › Proof of a node). Pure.
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

/** What the kernel has attached, beside what is said of the node. */
function byKernel(node: NodeObservation, byLog: Verdict, nowMs: number): Verdict {
  const { programs, felix } = node;
  if (programs?.kind !== 'told' || byLog.awaits !== null) return byLog;
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

/** Agents attach and remove what is theirs a little after they say so; later than that it was not so. */
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

/** An agent that refuses runs on the standard data plane: no fall back where that is wanted. */
function refused(node: NodeObservation, log: LogOf<'enabled' | 'refused'>, nowMs: number): Verdict {
  const kernel = `kernel ${node.kernel || 'of this node'} cannot run eBPF`;
  const evidence = logEvidence(node, log.line);
  if (node.felix.wanted === 'standard')
    return seen('standard', `its agent started without eBPF, as it says that ${kernel}`, evidence);
  const fellBack: Verdict = { ...plain('fell-back', `its agent says that ${kernel}`), evidence };
  // What it said before the change may be about another kernel: it has not started again yet.
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

/** It runs as it did before the change, which is known only where its log goes back to its start. */
function notSince(node: NodeObservation, log: LogOf<'silent'>, because: string): Verdict {
  if (log.reachesBack !== 'start') return doubtful(node, rotated);
  return { ...plain('standard', because), seen: { plane: 'standard', sinceChange: false } };
}

const rotated = 'its agent’s log no longer goes back to its start (rotated)';

/** Why the absence of a line proves nothing on this node, or null when it does. */
function silenceSaysNothing({ felix }: NodeObservation, log: LogOf<'silent'>): string | null {
  if (!writesInfo(felix.severity))
    return `its agent logs at severity ${felix.severity}, above Info, so its log cannot tell`;
  return log.reachesBack === 'neither' ? rotated : null;
}

/** For how long the agent, as it runs now, could have said what it runs on. */
function waitedMs({ felix, agent }: NodeObservation, log: { startedAt: number }, nowMs: number): number {
  return nowMs - Math.max(felix.since ?? 0, agent?.createdAt ?? 0, log.startedAt);
}

/** Whether somebody wants another data plane on this node than the one that it was seen on. */
export function isSwitching({ felix, asked, before }: Pick<NodeObservation, 'felix' | 'asked' | 'before'>): boolean {
  const { wanted } = felix;
  if (asked !== null && wanted !== null && asked !== wanted) return true;
  return before !== null && wanted !== null && before !== wanted;
}

function asBefore({ before }: NodeObservation, because: string): Verdict {
  if (before === null) return plain('unknown', because);
  return plain(before, `${because}; it was seen on ${words[before]} before`);
}

function doubtful({ felix }: NodeObservation, doubt: string): Verdict {
  // Also while a switch is asked for: FelixConfiguration is what turns eBPF on, once every agent has restarted.
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
