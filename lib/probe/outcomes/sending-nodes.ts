import { isLines, isSending, type PodOutput } from './pod-output.ts';

/**
 * A packet that has not arrived after this time and so many attempts of every node, all of them sending, will not arrive. A busy node attempts it every
 * few seconds instead of every 300 ms; one that hardly comes to it is waited for so long.
 */
const settled = { ms: 10_000, rounds: 20, atMostMs: 60_000 };

/** The nodes that send packets to others. They can be judged once all have sent for long enough. */
export class SendingNodes {
  private latest = 0;
  /** By node, in how many rounds it has sent so far, and had sent when the latest node began. */
  private rounds = new Map<string, number>();
  private before = new Map<string, number>();

  /** `now` in ms, of a clock that is never set. */
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
