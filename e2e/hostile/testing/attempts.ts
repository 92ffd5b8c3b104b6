import type { ADoor } from './a-door.ts';
import { type Access, expectedAccess } from './door-oracle.ts';
import type { OwnAddress } from './door-tables.ts';
import { faultsOf } from './judge.ts';
import { inWords, type RawRequest } from './raw-request.ts';
import type { RawReply } from './wire.ts';

/** A request with its cookie, and whether that is a valid session. */
export type Attempt = { request: RawRequest; cookie?: string; session: 'valid' | 'none' };

/** `tried`: number of requests that must get nothing. `right`: number of requests that may be answered, and were. `faults`: wrong answers in words. */
export type Outcome = { tried: number; right: number; faults: string[] };

const atOnce = 8;

/** Sends all requests, some at a time, and compares each answer with the expected one. */
export async function carryOut(door: ADoor, attempts: readonly Attempt[]): Promise<Outcome> {
  const outcome: Outcome = { tried: 0, right: 0, faults: [] };
  const queue = attempts.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const attempt of queue) note(outcome, door.own, attempt, await one(attempt));
    }),
  );
  return outcome;

  function one({ request, cookie }: Attempt) {
    return door.ask(request, cookie);
  }
}

export function dueOf({ own }: ADoor, { request, session }: Attempt): Access {
  return expectedAccess(request, own, session);
}

function note(outcome: Outcome, own: OwnAddress, { request, session }: Attempt, reply: RawReply): void {
  const its = expectedAccess(request, own, session);
  const found = faultsOf(request, own, its, reply);
  if (found.length > 0) outcome.faults.push(`${its}, session ${session}: ${found.join('; ')}\n    ${inWords(request)}`);
  else if (its === 'owner') outcome.right++;
  if (its !== 'owner') outcome.tried++;
}
