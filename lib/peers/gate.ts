import type { Socket } from 'node:net';
import { Places } from './places.ts';
import type { WhoMayConnect } from './who-may-connect.ts';

/** Connections of this user that no session has used. A browser has six. */
const mostGuests = 256;
/** A stranger is told why, where there is time and room for that. */
const mostStrangers = 32;
const strangersStayMs = 1_000;

/**
 * Who has a connection. Half-open and idle connections of others never keep the owner out: those of other users take no place, those that no session
 * has used lose theirs to newer ones, and one that a session has used keeps it.
 */
export type Gate = {
  enter(socket: Socket): void;
  /** Null, or the sentence to whoever asks. */
  refusalTo(socket: Socket): Promise<string | null>;
  /** A request with a valid session came over it. */
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
