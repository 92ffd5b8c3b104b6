import { backOffMs } from '#lib/base/async/back-off.ts';
import { type Clock, isKubeError } from '#lib/kube/index.ts';
import type { Flow } from '../flow.ts';
import { FlowError, isFlowError, mayPass } from '../flow-error.ts';
import type { FlowFilter } from '../flow-filter.ts';
import type { FlowClient } from './flow-client.ts';
import { type Remembered, resumeFrom } from './resume.ts';

/**
 * What a followed stream tells. `flow`: one more; `grown`: it takes the place of the one with its id. `gap`: the aggregator was replaced, and what the
 * old one had not told is lost: seconds since the epoch, `until` null while nothing came yet. `interrupted`: it goes on by itself; `error` says why it broke.
 */
export type FollowedFlow =
  | { readonly type: 'connected'; readonly process: string }
  | { readonly type: 'flow' | 'grown'; readonly flow: Flow }
  | { readonly type: 'gap'; readonly since: number }
  | { readonly type: 'interrupted'; readonly error: Error; readonly retryInMs: number };

export type FollowOptions = {
  /** A connection as it is to be made now: the pod and its certificates may have changed. */
  open(signal: AbortSignal): Promise<FlowClient>;
  filter: FlowFilter;
  sinceSeconds: number;
  /** Where an earlier one ended, and which process of the aggregator had told it. */
  after?: { readonly remembered: Remembered; readonly process: string } | null;
  clock: Pick<Clock, 'sleep'>;
  signal: AbortSignal;
  random?: () => number;
};

const firstMs = 1_000;
const mostMs = 30_000;

/**
 * Follows a cluster's flows over reconnects, pods that are replaced, certificates that rotate and an API server that goes away: each flow once. Reads no
 * faster than it is read. Ends by its signal; rejects with what waiting cannot fix.
 */
export async function* followFlows(options: FollowOptions): AsyncGenerator<FollowedFlow> {
  const { open, filter, sinceSeconds, after = null, clock, signal, random = Math.random } = options;
  const resume = resumeFrom(sinceSeconds, after?.remembered);
  let process: string | null = after?.process ?? null;
  let failed = 0;
  while (!signal.aborted) {
    let client: FlowClient | null = null;
    let broke: Error;
    try {
      client = await open(signal);
      const since = resume.newestEnd();
      if (process !== null && process !== client.process && since !== null) yield { type: 'gap', since };
      process = client.process;
      yield { type: 'connected', process };
      for await (const flow of client.stream(resume.from(), filter, signal)) {
        failed = 0;
        const taken = resume.take(flow);
        if (taken !== 'known') yield { type: taken === 'new' ? 'flow' : 'grown', flow };
      }
      broke = new FlowError('unreachable', 'The aggregator ended the stream of flows.');
    } catch (error) {
      if (signal.aborted) return;
      if (!canWait(error)) throw error;
      broke = error;
    } finally {
      await client?.close();
    }
    if (signal.aborted) return;
    const retryInMs = backOffMs(failed++, { firstMs, mostMs, least: 0.5 }, random);
    yield { type: 'interrupted', error: broke, retryInMs };
    await clock.sleep(retryInMs, signal).catch(() => undefined);
  }
}

function canWait(error: unknown): error is Error {
  if (isFlowError(error)) return mayPass(error);
  return isKubeError(
    error,
    'unreachable',
    'timeout',
    'server',
    'too-many-requests',
    'protocol',
    'not-served',
    'not-found',
    'tls',
  );
}
