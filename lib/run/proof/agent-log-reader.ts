import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { type AgentLog, lineTime, readAgentLog } from './agent-log.ts';

const readBytes = 1024 * 1024;
const pagesATick = 4;
/** Between the API server and a kubelet much passes by itself: asked once more at once, so that a moment is not taken for a doubt. */
const moreTries = 1;

export type LogReading =
  | { kind: 'read'; log: AgentLog /** The log reaches back to `sinceMs`. */; reachesBack: boolean }
  | { kind: 'unreadable'; because: string };

/**
 * The agent's log since a time: at most 1 MiB a read, read on until a deciding line is found or the end (operations.md › Proof of a node).
 * A log whose oldest kept line is later than the container's start was rotated: the absence of a line then says nothing.
 */
export async function readLogSince(
  kube: Kube,
  pod: { namespace: string; name: string },
  sinceMs: number,
  containerStartedAt: number | null,
  signal: AbortSignal,
): Promise<LogReading> {
  const container = names.nodeContainer;
  let since = sinceMs;
  let log: AgentLog = readAgentLog('', sinceMs);
  try {
    for (let page = 0; page < pagesATick; page++) {
      const text = await logsOf(kube, pod, {
        container,
        sinceTime: new Date(Math.floor(since / 1000) * 1000).toISOString(),
        limitBytes: readBytes,
        timestamps: true,
        signal,
      });
      const read = readAgentLog(text, sinceMs);
      log = merge(log, read);
      const full = text.length >= readBytes * 0.9;
      if (!full || read.lastAt === null || read.lastAt <= since) break;
      since = read.lastAt;
    }
    return {
      kind: 'read',
      log,
      reachesBack: log.decision !== 'neither' || (await reachesBack(kube, pod, sinceMs, containerStartedAt, signal)),
    };
  } catch (error) {
    // The API server itself is away or busy: that says nothing about the node. (5xx and time-outs may be its kubelet's.)
    if (isKubeError(error, 'aborted', 'unreachable', 'too-many-requests')) throw error;
    if (isKubeError(error)) return { kind: 'unreadable', because: error.message };
    throw error;
  }
}

async function logsOf(kube: Kube, ...asked: Parameters<Kube['logs']>): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      return await kube.logs(...asked);
    } catch (error) {
      if (tries >= moreTries || !isKubeError(error, 'server', 'timeout')) throw error;
    }
  }
}

/** A later page that holds a start or a decision of its own speaks for the agent now. */
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

/** How much later than the container's start its first line may be without a rotation having happened. */
const firstLineWithinMs = 60_000;

async function reachesBack(
  kube: Kube,
  pod: { namespace: string; name: string },
  sinceMs: number,
  containerStartedAt: number | null,
  signal: AbortSignal,
): Promise<boolean> {
  const text = await logsOf(kube, pod, { container: names.nodeContainer, limitBytes: 4096, timestamps: true, signal });
  const first = text
    .split('\n')
    .map(lineTime)
    .find((time) => time !== null);
  if (first === undefined || first === null) return containerStartedAt !== null && containerStartedAt >= sinceMs;
  return first <= Math.max(sinceMs, containerStartedAt ?? 0) + firstLineWithinMs;
}
