import { randomBytes } from 'node:crypto';
import { keptSecret } from './kept-secret.ts';

/** 24 of 32 letters and digits: 120 bits in a legal DNS label (RFC 1123 §2.1). */
const labelForm = /^[a-z2-7]{24}$/;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** The address that works in every browser, but whose cookies the browser sends to every program on this machine. */
export const plainName = '127.0.0.1';

/**
 * The host name of this installation's console, `<24 letters and digits>.localhost`. Cookies are shared between ports (RFC 6265 §8.5), so on 127.0.0.1 the
 * browser would send the session cookie to programs on other ports. No other program knows this name, so none can serve a page under it. Browsers resolve
 * names under `localhost` to the loopback address themselves (RFC 6761 §6.3). The name is stored in the state folder, so that sessions survive a restart.
 */
export async function ownName(folder: string): Promise<string> {
  const label = await keptSecret(
    folder,
    'host-name',
    (bytes) => labelForm.test(bytes.toString('latin1')),
    () => Buffer.from(newLabel(), 'latin1'),
  );
  return `${label.toString('latin1')}.localhost`;
}

/** 256 is a multiple of the alphabet's 32 characters, so the remainder of a random byte is uniform. */
function newLabel(): string {
  return [...randomBytes(24)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
