/** `id` names the session in the log; it is no secret. */
export type Session = { id: string; since: string };

/** `browser`: `Firefox on Linux`. `endsAt`: when it ends if nobody uses it before. */
export type SessionInList = Session & { browser: string; usedAt: string; endsAt: string; isThis: boolean };
