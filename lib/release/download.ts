import { mostBytes } from './limits.ts';
import { ReleaseError } from './release-error.ts';

export type Fetch = (address: string, options: { signal: AbortSignal; redirect: 'error' }) => Promise<Response>;

const timeoutMs = 60_000;

/** One file, whole, within time and size. A redirect is an error: the address is the one that the checksum was taken from. */
export async function download(address: string, fetch: Fetch, waitMs: number = timeoutMs): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(waitMs);
  try {
    const response = await fetch(address, { signal, redirect: 'error' });
    if (!response.ok) {
      await response.body?.cancel();
      throw new ReleaseError('release.unreachable', `${address} answered ${response.status}.`);
    }
    return await readBounded(address, response);
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    const why = signal.aborted ? `did not answer within ${waitMs / 1000} s` : `could not be read (${reason(error)})`;
    throw new ReleaseError('release.unreachable', `${address} ${why}.`, error);
  }
}

async function readBounded(address: string, response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > mostBytes) {
      throw new ReleaseError('release.changed', `${address} is longer than ${mostBytes} bytes; no such file is.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** fetch says "fetch failed" and hides the reason in its cause. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
