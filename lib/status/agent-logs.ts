import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { readAgentLog } from '#lib/run/index.ts';
import { names } from '#lib/spec/index.ts';
import type { AgentSaid } from './node-plane.ts';

/** An agent's container whose log is to be read. Times in ms. */
export type AgentToRead = { namespace: string; name: string; startedAt: number; since: number | null };

/** An agent says what it runs on within its first hundred lines; its whole log may be tens of megabytes. */
const readBytes = 256 * 1024;
/** How much later than its container's start the first line may be without a rotation having happened. */
const firstLineWithinMs = 60_000;
const slackMs = 5_000;

/**
 * What the agent says of itself: since `since` (the last change of its configuration) where it started again in the same container, else since its
 * container's start. At most two reads of 256 KiB. Rejects with KubeErrors that are about the API server and not about this pod.
 */
export async function agentSaid(kube: Kube, agent: AgentToRead, signal: AbortSignal): Promise<AgentSaid> {
  const started = agent.startedAt - slackMs;
  if (agent.since !== null && agent.since > agent.startedAt) {
    const recent = await readSince(kube, agent, agent.since - slackMs, signal);
    if (recent.kind !== 'silent' || recent.startedAt > agent.startedAt) return recent;
  }
  return readSince(kube, agent, started, signal);
}

async function readSince(kube: Kube, agent: AgentToRead, sinceMs: number, signal: AbortSignal): Promise<AgentSaid> {
  const { namespace, name, startedAt } = agent;
  try {
    const text = await kube.logs(
      { namespace, name },
      {
        container: names.nodeContainer,
        sinceTime: new Date(Math.floor(sinceMs / 1000) * 1000).toISOString(),
        limitBytes: readBytes,
        timestamps: true,
        signal,
      },
    );
    const log = readAgentLog(text, sinceMs);
    if (log.decision !== 'neither') return { kind: log.decision };
    const from = Math.max(sinceMs, startedAt);
    return {
      kind: 'silent',
      startedAt: Math.max(log.startedAt ?? 0, startedAt),
      reachesBack: log.startedAt !== null || (log.firstAt !== null && log.firstAt <= from + firstLineWithinMs),
    };
  } catch (error) {
    if (!isKubeError(error) || isKubeError(error, 'aborted', 'unreachable', 'too-many-requests')) throw error;
    return { kind: 'unreadable', because: error.message };
  }
}
