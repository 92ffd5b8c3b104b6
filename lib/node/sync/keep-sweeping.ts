import { messageOf } from '#lib/base/message-of.ts';
import type { Clock } from '#lib/kube/index.ts';
import { type DataPlaneMaps, protocols } from '../bpf/index.ts';
import type { DatagramSocket } from '../host/datagram-sockets.ts';
import type { Bell } from './bell.ts';
import type { FlowSweep, HasBackend } from './sweep-flows.ts';

/**
 * So many entries each time take a hundredth of a processor. After a backend was removed the whole table is read at once, but only once for many
 * backends.
 */
const sweepEvery = { ms: 10_000, looks: 5_000, wholeMs: 1_000 } as const;

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
    const isWhole = await Promise.race([
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
      if (isWhole) await sweep.whole(nowNs, signal);
      else await sweep.pass(nowNs, sweepEvery.looks, signal);
    } catch (error) {
      if (!signal.aborted) log(`Flows that are over were not taken out: ${messageOf(error)}`);
    }
    if (isWhole) await clock.sleep(sweepEvery.wholeMs, signal).catch(() => undefined);
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
