import { messageOf } from '#lib/base/message-of.ts';
import type { Clock } from '#lib/kube/index.ts';
import { type DataPlaneMaps, protocols } from '../bpf/index.ts';
import type { DatagramSocket } from '../host/datagram-sockets.ts';
import type { Bell } from './bell.ts';
import type { FlowSweep, HasBackend } from './sweep-flows.ts';

/**
 * `looks` entries every `ms` take a hundredth of a processor. After a backend was removed the whole table is read at once, and then not again for
 * `pauseMs`, so that many removals cost one reading.
 */
const sweepEvery = { ms: 10_000, looks: 5_000, pauseMs: 1_000 } as const;

/**
 * Sweeps flows, and ends stale sockets by `endSockets`, until the signal aborts. A ring of `went` (a backend was removed) starts a full sweep.
 * Failures are logged, and the next turn tries again.
 */
export async function keepSweeping(
  sweep: FlowSweep,
  went: Bell,
  endSockets: () => void,
  { clock, log }: { readonly clock: Clock; readonly log: (line: string) => void },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const turn = new AbortController();
    const either = AbortSignal.any([signal, turn.signal]);
    const isBackendGone = await Promise.race([
      clock.sleep(sweepEvery.ms, either).then(
        () => false,
        () => false,
      ),
      went.heard(either).then(() => true),
    ]);
    turn.abort();
    if (signal.aborted) return;
    try {
      const nowNs = process.hrtime.bigint();
      endSockets();
      if (isBackendGone) await sweep.sweepAll(nowNs, signal);
      else await sweep.pass(nowNs, sweepEvery.looks, signal);
    } catch (error) {
      if (!signal.aborted) log(`Ended flows were not removed from the maps: ${messageOf(error)}`);
    }
    if (isBackendGone) await clock.sleep(sweepEvery.pauseMs, signal).catch(() => undefined);
  }
}

/**
 * Whether a socket was given a backend that its Service no longer has. The programs never see another datagram of a connected socket, so it would
 * stay with that backend.
 */
export function wasLeft(
  { socketOrigins }: DataPlaneMaps,
  { cookie, address, port }: DatagramSocket,
  hasBackend: HasBackend,
): boolean {
  const origin = socketOrigins.get({ cookie, backend: address, port, protocol: protocols.UDP });
  return origin !== null && !hasBackend(origin.serviceId, { address, port });
}
