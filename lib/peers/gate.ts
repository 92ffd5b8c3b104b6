import type { Socket } from 'node:net';
import { Places } from './places.ts';
import type { WhoMayConnect } from './who-may-connect.ts';

/** The most connections of this user that have not been used by a session. A browser opens six. */
const mostGuests = 256;
/** The most connections of other users that get an answer with the reason, and how long they may take for it. */
const mostStrangers = 32;
const strangersStayMs = 1_000;

/**
 * Limits connections, so that half-open and idle ones never lock the owner out: connections of other users take none of the owner's places,
 * connections without a session lose theirs to newer ones, and a connection that a session has used keeps it.
 */
export type Gate = {
  enter(socket: Socket): void;
  /** Null, or the sentence for the client. */
  refusalTo(socket: Socket): Promise<string | null>;
  /** Call it when a request with a valid session came over the connection. */
  signedIn(socket: Socket): void;
};

export function gate(mayConnect: WhoMayConnect): Gate {
  const guests = new Places(mostGuests);
  const strangers = new Places(mostStrangers);
  const verdicts = new WeakMap<Socket, Promise<string | null>>();
  return {
    enter: (socket) => {
      const verdict = mayConnect(socket).then((refusal) => {
        if (refusal === null) guests.take(socket);
        else {
          strangers.take(socket);
          setTimeout(() => socket.destroy(), strangersStayMs).unref();
        }
        return refusal;
      });
      verdicts.set(socket, verdict);
      verdict.catch(() => socket.destroy());
    },
    refusalTo: (socket) =>
      verdicts.get(socket) ?? Promise.reject(new Error('This connection did not come through the gate.')),
    signedIn: (socket) => guests.leave(socket),
  };
}
