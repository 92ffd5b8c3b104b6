import type { ServerResponse } from 'node:http';
import type { SessionClaim } from '../sign-in/session-cookie.ts';

/** A longer one Node fires at once; a clock that was set back by a month would end each stream as it begins. */
const longestTimerMs = 2 ** 31 - 1;

/** Answers under way, by the session that asked: a stream outlives the question whether its reader may read, so that it must end with the session. */
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

  /** Of one session, or of all. */
  end(id?: string): void {
    for (const [session, responses] of this.#open)
      if (id === undefined || id === session) for (const response of responses) response.destroy();
  }
}
