import { isLines, isSending, type PodOutput } from './pod-output.ts';

/**
 * A packet counts as lost when every node has been sending for `ms` and has tried `rounds` times. A node tries every 300 ms, a busy one every few seconds.
 * `atMostMs` ends the wait for a node that hardly gets to send.
 */
const settled = { ms: 10_000, rounds: 20, atMostMs: 60_000 };

/** The nodes that send packets to others. A missing packet is a result only after all of them have sent for long enough. */
export class SendingNodes {
  private latest = 0;
  /** Rounds of each node: until now, and (`before`) until the latest node began to send. */
  private rounds = new Map<string, number>();
  private before = new Map<string, number>();

  /** `now` in ms, of a monotonic clock. */
  see(host: ReadonlyMap<string, PodOutput>, now: number): void {
    const sending = [...host].flatMap(([node, output]) =>
      isSending(output) ? [[node, roundsOf(output)] as const] : [],
    );
    const isMore = sending.some(([node]) => !this.rounds.has(node));
    this.rounds = new Map(sending);
    if (!isMore) return;
    this.latest = now;
    this.before = this.rounds;
  }

  isSettled(now: number): boolean {
    const waited = now - this.latest;
    if (this.rounds.size === 0 || waited >= settled.atMostMs) return true;
    const hasTried = ([node, rounds]: [string, number]) => rounds - (this.before.get(node) ?? 0) >= settled.rounds;
    return waited >= settled.ms && [...this.rounds].every(hasTried);
  }
}

const roundsOf = (output: PodOutput | undefined) =>
  isLines(output)
    ? output.reduce((most, line) => (line.probe === 'vxlan-rounds' ? Math.max(most, line.rounds) : most), 0)
    : 0;
