import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { type AgentLog, readAgentLog, slackMs } from './agent-log.ts';
import type { AgentPod, LogReading } from './observation.ts';

/** How much of a log is read at most. Sizes in bytes; `pages`: how many pages are read to find a deciding line; `moreTries`: retries after an error that may be brief. */
export type ReadingDepth = { pageBytes: number; pages: number; headBytes: number; moreTries: number };

/** For a proof: reads until a deciding line is found (operations.md › Proof of a node). */
export const toProve: ReadingDepth = { pageBytes: 1024 * 1024, pages: 4, headBytes: 4096, moreTries: 1 };
/** For status: an agent logs its data plane within its first hundred lines. A whole log may have tens of megabytes, and there may be 5,000 agents. */
export const toShow: ReadingDepth = { pageBytes: 256 * 1024, pages: 1, headBytes: 256 * 1024, moreTries: 0 };

/** How many agents' logs a run or a status reads at a time (operations.md › Proof of a node). */
export const agentsAtOnce = 8;

/** If a log's first line is later than this after the container's start, the log was rotated. */
const firstLineWithinMs = 60_000;

/**
 * Reads what the agent logged about its data plane since `changedAt` (the last change of its configuration, ms) or since its container's start, if that is
 * later. If it logged nothing since the change, what it logged before. Rejects only with KubeErrors that are about the API server, not about this pod.
 */
export async function readAgent(
  kube: Kube,
  agent: AgentPod,
  changedAt: number | null,
  depth: ReadingDepth,
  signal: AbortSignal,
): Promise<LogReading> {
  const containerAt = agent.startedAt ?? agent.createdAt;
  // Times of a pod that was created after the change are compared on its node's own clock only. An older pod's log is read from the change on.
  const change = changedAt !== null && agent.createdAt < changedAt && containerAt < changedAt ? changedAt : null;
  const log = (limits: { sinceMs?: number; limitBytes: number }) => logOf(kube, agent, limits, depth.moreTries, signal);
  try {
    const recent = await readOn(log, (change ?? containerAt) - slackMs, depth);
    const startedAt = Math.max(recent.startedAt ?? 0, containerAt);
    if (recent.decision !== 'neither')
      return { kind: recent.decision, line: recent.decidedBy ?? '', startedAt, sinceChange: true };
    if (recent.startedAt !== null) return { kind: 'silent', startedAt, reachesBack: 'start' };
    if (change === null) {
      const isFromStart = recent.firstAt === null || recent.firstAt <= containerAt + firstLineWithinMs;
      return { kind: 'silent', startedAt, reachesBack: isFromStart ? 'start' : 'neither' };
    }
    return beforeChange(await log({ limitBytes: depth.headBytes }), change, containerAt);
  } catch (error) {
    // These errors are about the API server and say nothing about the node. 5xx and time-outs may be its kubelet's.
    if (!isKubeError(error) || isKubeError(error, 'aborted', 'unreachable', 'too-many-requests')) throw error;
    return { kind: 'unreadable', because: error.message };
  }
}

/** Reads the beginning of the log of an agent that has logged nothing since the change. */
function beforeChange(head: string, change: number, containerAt: number): LogReading {
  const { decision, decidedBy, startedAt: loggedStart, firstAt } = readAgentLog(head, containerAt - slackMs);
  const startedAt = Math.max(loggedStart ?? 0, containerAt);
  if (decision !== 'neither') return { kind: decision, line: decidedBy ?? '', startedAt, sinceChange: false };
  if (loggedStart !== null || (firstAt !== null && firstAt <= containerAt + firstLineWithinMs))
    return { kind: 'silent', startedAt, reachesBack: 'start' };
  const reachesChange = firstAt !== null && firstAt <= change + firstLineWithinMs;
  return { kind: 'silent', startedAt, reachesBack: reachesChange ? 'change' : 'neither' };
}

/** Reads page after page until a deciding line or the end. */
async function readOn(
  read: (limits: { sinceMs: number; limitBytes: number }) => Promise<string>,
  sinceMs: number,
  { pageBytes, pages }: ReadingDepth,
): Promise<AgentLog> {
  let log: AgentLog | null = null;
  let since = sinceMs;
  for (let page = 0; page < pages; page++) {
    const text = await read({ sinceMs: since, limitBytes: pageBytes });
    const found = readAgentLog(text, sinceMs);
    log = log ? merge(log, found) : found;
    const isFull = text.length >= pageBytes * 0.9;
    if (!isFull || found.lastAt === null || found.lastAt <= since) break;
    since = found.lastAt;
  }
  return log ?? readAgentLog('', sinceMs);
}

/** A later page replaces the decision if it has a start or a decision of its own. */
function merge(earlier: AgentLog, later: AgentLog): AgentLog {
  const speaker = later.decision !== 'neither' || later.startedAt !== null ? later : earlier;
  return {
    decision: speaker.decision,
    decidedBy: speaker.decidedBy,
    startedAt: later.startedAt ?? earlier.startedAt,
    firstAt: earlier.firstAt ?? later.firstAt,
    lastAt: later.lastAt ?? earlier.lastAt,
  };
}

/** Reads a log, and retries at once: errors between the API server and a kubelet are often brief, and one of them would make the node unknown. */
async function logOf(
  kube: Kube,
  { namespace, name }: AgentPod,
  { sinceMs, limitBytes }: { sinceMs?: number; limitBytes: number },
  moreTries: number,
  signal: AbortSignal,
): Promise<string> {
  const since = sinceMs === undefined ? {} : { sinceTime: new Date(Math.floor(sinceMs / 1000) * 1000).toISOString() };
  const options = { container: names.nodeContainer, ...since, limitBytes, timestamps: true, signal };
  for (let tries = 0; ; tries++) {
    try {
      return await kube.logs({ namespace, name }, options);
    } catch (error) {
      if (tries >= moreTries || !isKubeError(error, 'server', 'timeout')) throw error;
    }
  }
}
