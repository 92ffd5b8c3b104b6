import { backOffMs } from '#lib/base/async/back-off.ts';
import { type Clock, isKubeError } from '#lib/kube/index.ts';
import type { Flow } from '../flow.ts';
import { FlowError, isFlowError, mayPass } from '../flow-error.ts';
import type { FlowFilter } from '../flow-filter.ts';
import type { FlowClient } from './flow-client.ts';
import { type Remembered, resumeFrom } from './resume.ts';

/**
 * Events of a followed stream. `flow`: a new one. `grown`: replaces the earlier flow with its id. `gap`: the aggregator was replaced, and flows since
 * then (seconds since the epoch) that the old one had not sent are lost. `interrupted`: the stream broke by `error` and continues by itself.
 */
export type FollowedFlow =
  | { readonly type: 'connected'; readonly process: string }
  | { readonly type: 'flow' | 'grown'; readonly flow: Flow }
  | { readonly type: 'gap'; readonly since: number }
  | { readonly type: 'interrupted'; readonly error: Error; readonly retryInMs: number };

export type FollowOptions = {
  /** Opens a new connection; the pod and its certificates may have changed. */
  open(signal: AbortSignal): Promise<FlowClient>;
  filter: FlowFilter;
  sinceSeconds: number;
  /** The position at which an earlier follower ended, and the aggregator's process at that time. */
  after?: { readonly remembered: Remembered; readonly process: string } | null;
  clock: Pick<Clock, 'sleep'>;
  signal: AbortSignal;
  random?: () => number;
};

const firstMs = 1_000;
const mostMs = 30_000;

/**
 * Follows a cluster's flows across reconnects, replaced pods, rotated certificates and outages of the API server. Yields each flow once. Reads no
 * faster than the caller. Ends by its signal; rejects with errors that do not go away by waiting.
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
