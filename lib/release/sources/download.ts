import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '#lib/base/async/back-off.ts';
import { tlsFault, trustedHere } from '#lib/base/network/tls-fault.ts';
import { withoutStop } from '#lib/base/words.ts';
import type { Cache } from '../cache/cache.ts';
import { sha256 } from '../cache/kept-files.ts';
import { openPart, type PartFile } from '../cache/part-file.ts';
import { mostBytes, mostRedirects, patience, type TimeLimits } from '../limits.ts';
import type { Progress } from '../progress.ts';
import { ReleaseError } from '../release-error.ts';
import type { Answer, Fetch } from './fetch.ts';
import { redirectFault } from './source-address.ts';

export type Download = {
  readonly address: string;
  /** Its name in `Progress`. */
  readonly file: string;
  /** The checksum that the file must have; null if none is known yet. */
  readonly checksum: string | null;
  readonly cache: Cache;
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly patience?: TimeLimits | undefined;
};

/** Why one try failed. `again`: another may succeed. */
class Break extends Error {
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs = 0, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Downloads a complete file. After an interruption it resumes if the server still has the same file (Range with If-Range, RFC 9110 §13.1.5, §14), or else starts
 * again. Null if there is no such file (404, 410). Compressed answers are refused, because nothing of strangers is decompressed before its checksum is known.
 *
 * The server's length and, if known, the checksum show that the file is complete; without both it is refused. Size, time and tries are limited.
 *
 * @throws ReleaseError `release.unreachable`, `release.changed`, `release.disk`, `release.aborted`.
 */
export async function download(wanted: Download): Promise<Uint8Array | null> {
  const limits = wanted.patience ?? patience;
  const whole = AbortSignal.timeout(limits.wholeMs);
  const part = await openPart(wanted.cache, wanted.address, wanted.checksum === null ? 'pass-over' : 'take-over');
  let keepPart = wanted.checksum !== null;
  try {
    const bytes = await untilWhole(wanted, part, limits, AbortSignal.any([wanted.signal, whole]));
    keepPart = false;
    return bytes;
  } catch (error) {
    if (wanted.signal.aborted)
      throw new ReleaseError('release.aborted', `Downloading ${wanted.address} was given up.`, wanted.signal.reason);
    if (whole.aborted) throw unreachable(wanted, `was not here whole within ${limits.wholeMs / 1000} s`, error);
    // A wrong file or a full disk leaves nothing to resume.
    if (error instanceof ReleaseError && error.code !== 'release.unreachable') keepPart = false;
    throw error;
  } finally {
    await (keepPart && part.size() > 0 ? part.leave() : part.remove());
  }
}

async function untilWhole(
  wanted: Download,
  part: PartFile,
  limits: TimeLimits,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  let restarts = 0;
  for (let tries = 1; ; tries++) {
    const before = part.size();
    const outcome = await oneTry(wanted, part, limits, signal).catch((error: unknown) => {
      if (error instanceof Break) return error;
      throw error;
    });
    if (outcome === 'absent') return null;
    if (!(outcome instanceof Break)) {
      const bytes = await part.read();
      const actual = sha256(bytes);
      if (wanted.checksum === null || actual === wanted.checksum) return bytes;
      // The parts may be of two files: the file may have changed since the earlier download.
      if (outcome === 'resumed' && restarts++ === 0) {
        await part.restart({ validator: null, total: null });
        continue;
      }
      throw notTheKnownFile(wanted.address, actual, wanted.checksum);
    }
    if (part.size() > before) tries = 0;
    if (tries >= limits.tries) throw unreachable(wanted, outcome.message, outcome.cause);
    const pace = { firstMs: limits.firstWaitMs, mostMs: limits.longestWaitMs };
    await wait(
      Math.max(
        backOffMs(Math.max(0, tries - 1), pace, Math.random),
        Math.min(outcome.retryAfterMs, limits.longestWaitMs),
      ),
      undefined,
      {
        signal,
      },
    );
  }
}

export function notTheKnownFile(address: string, actual: string, expected: string): ReleaseError {
  return new ReleaseError(
    'release.changed',
    `${address} is not the file that is known: its checksum is ${actual}, ${expected} was expected. Nothing of it was used.`,
  );
}

function unreachable({ address }: Download, because: string, cause: unknown): ReleaseError {
  return new ReleaseError('release.unreachable', `${address} ${because}.`, cause);
}

async function oneTry(
  wanted: Download,
  part: PartFile,
  limits: TimeLimits,
  outer: AbortSignal,
): Promise<'whole' | 'resumed' | 'absent'> {
  // One timer for the wait for the answer and the waits between its chunks.
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), limits.answerMs);
  const signal = AbortSignal.any([outer, silence.signal]);
  let answering = false;
  try {
    const answer = await ask(wanted, part, signal);
    answering = true;
    const begun = await begin(wanted, part, answer);
    if (begun === 'absent') return 'absent';
    for await (const piece of answer.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), limits.idleMs);
      if (part.size() + piece.length > mostBytes) throw tooLong(wanted);
      await part.append(piece);
      wanted.onProgress?.({ file: wanted.file, received: part.size(), total: begun.total });
    }
    if (begun.total !== null && part.size() < begun.total)
      throw new Break(`ended after ${part.size()} of ${begun.total} bytes`);
    if (begun.total !== null && part.size() > begun.total) {
      await part.restart({ validator: null, total: null });
      throw new Break(`sent more than the ${begun.total} bytes that it had announced`);
    }
    return begun.from > 0 ? 'resumed' : 'whole';
  } catch (error) {
    if (error instanceof Break || error instanceof ReleaseError || outer.aborted) throw error;
    if (silence.signal.aborted)
      throw new Break(
        answering
          ? `fell silent for ${limits.idleMs / 1000} s after ${part.size()} bytes`
          : `did not answer within ${limits.answerMs / 1000} s`,
        0,
        error,
      );
    throw new Break(`could not be read (${reason(error)})`, 0, error);
  } finally {
    clearTimeout(timer);
    // Aborts a request that is still in flight.
    silence.abort();
  }
}

function tooLong({ address }: Download): ReleaseError {
  return new ReleaseError('release.changed', `${address} is longer than ${mostBytes} bytes; no file of a release is.`);
}

/** Requests the missing bytes and follows redirects. */
async function ask(wanted: Download, part: PartFile, signal: AbortSignal): Promise<Answer> {
  const validator = part.note()?.validator ?? null;
  const headers: Record<string, string> = { 'accept-encoding': 'identity', 'user-agent': 'signalbox' };
  if (part.size() > 0 && validator !== null) {
    headers.range = `bytes=${part.size()}-`;
    headers['if-range'] = validator;
  }
  let address = wanted.address;
  for (let redirects = 0; ; redirects++) {
    const answer = await wanted.fetch(address, { signal, headers });
    const location = answer.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === null) return answer;
    await answer.body?.cancel();
    if (redirects === mostRedirects)
      throw unreachable(wanted, `leads from one address to the next, more than ${mostRedirects} times`, null);
    const next = URL.canParse(location, address) ? new URL(location, address) : null;
    const fault = next === null ? 'no address' : redirectFault(new URL(address), next);
    if (next === null || fault !== null) throw unreachable(wanted, `leads to ${fault}, which is not followed`, null);
    address = next.href;
  }
}

/** Reads the answer's head: whether its body is the rest, the whole file or nothing. */
async function begin(
  wanted: Download,
  part: PartFile,
  answer: Answer,
): Promise<{ total: number | null; from: number } | 'absent'> {
  const { status, headers } = answer;
  const encoding = headers.get('content-encoding') ?? 'identity';
  if ((status === 200 || status === 206) && encoding.toLowerCase() !== 'identity') {
    await answer.body?.cancel();
    throw unreachable(wanted, `sent the file compressed (${encoding.slice(0, 40)}), which was not asked for`, null);
  }
  if (status === 206) {
    const from = part.size();
    const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '');
    const total = Number(range?.[2] ?? Number.NaN);
    const note = part.note();
    const same = note?.validator === validatorOf(answer) && (note.total === null || note.total === total);
    if (from > 0 && Number(range?.[1]) === from && total <= mostBytes && same) return { total, from };
    await answer.body?.cancel();
    await part.restart({ validator: null, total: null });
    throw new Break('sent another piece of the file than was asked for');
  }
  if (status === 200) {
    const total = lengthOf(answer);
    if (total !== null && total > mostBytes) throw tooLong(wanted);
    const counted = total !== null || headers.get('transfer-encoding') !== null;
    if (!counted && wanted.checksum === null)
      throw unreachable(wanted, 'does not say how long the file is, so a partial file would not be noticed', null);
    await part.restart({ validator: validatorOf(answer), total });
    return { total, from: 0 };
  }
  await answer.body?.cancel();
  if (status === 404 || status === 410) return 'absent';
  if (status === 416) {
    await part.restart({ validator: null, total: null });
    throw new Break('does not have the piece of the file that was asked for');
  }
  if (status >= 500 || [408, 425, 429].includes(status))
    throw new Break(`answered ${status}`, retryAfterMs(headers.get('retry-after')));
  throw unreachable(wanted, `answered ${status}${refusals[status] ?? ''}`, null);
}

const refusals: Readonly<Record<number, string>> = {
  401: ': it wants to know who asks, and a source that does cannot be used',
  403: ': it refuses us',
  407: ': the proxy wants to know who asks; its address in HTTPS_PROXY can hold a user name',
};

/** The validator for If-Range; a weak ETag does not identify exact bytes (RFC 9110 §13.1.5). */
function validatorOf({ headers }: Answer): string | null {
  const tag = headers.get('etag');
  if (tag !== null) return tag.startsWith('"') ? tag : null;
  return headers.get('last-modified');
}

function lengthOf({ headers }: Answer): number | null {
  const text = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Retry-After in ms. Only the form in seconds is supported. */
function retryAfterMs(text: string | null): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : 0;
}

/** The reason of a failed request, which may be in the error's cause. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : '';
  const ofTls = tlsFault(inner, 'its server', trustedHere);
  if (ofTls !== null) return withoutStop(ofTls);
  return inner.message || code || error.message;
}
