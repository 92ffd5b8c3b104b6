import type { ServerResponse } from 'node:http';
import type { SessionClaim } from '../sign-in/session-cookie.ts';

/** Node fires a longer timer at once; if the clock were set back by a month, each stream would end as it starts. */
const longestTimerMs = 2 ** 31 - 1;

/** Open answers by session. A stream outlives the check of its session, so it must be ended with the session. */
export class OpenStreams {
  readonly #open = new Map<string, Set<ServerResponse>>();

  add({ id, until }: SessionClaim, response: ServerResponse, nowMs: number): void {
    const ofSession = this.#open.get(id) ?? new Set();
    this.#open.set(id, ofSession.add(response));
    const end = setTimeout(() => response.destroy(), Math.min(until - nowMs, longestTimerMs));
    end.unref();
    response.once('close', () => {
      clearTimeout(end);
      ofSession.delete(response);
      if (ofSession.size === 0) this.#open.delete(id);
    });
  }

  /** Ends the streams of one session, or all. */
  end(id?: string): void {
    for (const [session, responses] of this.#open)
      if (id === undefined || id === session) for (const response of responses) response.destroy();
  }
}
