import { randomBytes } from 'node:crypto';
import { keptSecret } from './kept-secret.ts';

/** 24 of 32 letters and digits: 120 bits in a legal DNS label (RFC 1123 §2.1). */
const labelForm = /^[a-z2-7]{24}$/;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** The address that works in every browser, and whose cookies every program on this machine can ask the browser for. */
export const plainName = '127.0.0.1';

/**
 * The host name of this installation's console, `<24 letters and digits>.localhost`. Cookies know no ports (RFC 6265 §8.5): on 127.0.0.1 the browser
 * gives the session cookie to whoever serves a page on another port. Nobody else knows this name, so that no other page can be on it. Browsers
 * resolve names under `localhost` to the loopback address without asking anybody (RFC 6761 §6.3). It is kept in the state folder, so that sessions
 * survive a restart.
 */
export async function ownName(folder: string): Promise<string> {
  const label = await keptSecret(
    folder,
    'host-name',
    (kept) => labelForm.test(kept.toString('latin1')),
    () => Buffer.from(newLabel(), 'latin1'),
  );
  return `${label.toString('latin1')}.localhost`;
}

/** A byte holds eight times the alphabet: its remainder is as even as the byte. */
function newLabel(): string {
  return [...randomBytes(24)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
