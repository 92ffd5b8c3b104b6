import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { messageOf } from '#lib/base/message-of.ts';
import { mostBytes } from '../limits.ts';
import { ReleaseError } from '../release-error.ts';

/** Limits of an archive. A release's bundle has some 300 entries and, with its images, some two gigabytes. */
export type ArchiveLimits = {
  readonly entries: number;
  /** Unpacked bytes in all. */
  readonly bytes: number;
  /** Bytes of wanted files; manifests of one release have less than twenty megabytes. */
  readonly keptBytes: number;
  /** Unpacked bytes per packed byte, beyond the first megabyte. Manifests have some thirty. */
  readonly ratio: number;
};

export const archiveLimits: ArchiveLimits = { entries: 20_000, bytes: 16e9, keptBytes: 64_000_000, ratio: 200 };

/**
 * The files of a gzipped tar that `wanted` selects, by path. Nothing is written to a disk, so paths are only names. An archive with a path that leads outside, or
 * a link in place of a wanted file, is no release's and is refused.
 *
 * @param where The archive's name in errors.
 * @throws ReleaseError `release.invalid`, `release.aborted`.
 */
export async function readArchive(
  where: string,
  packed: Readable,
  wanted: (path: string) => boolean,
  signal: AbortSignal,
  limits: ArchiveLimits = archiveLimits,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const refuse = (because: string, cause?: unknown) =>
    new ReleaseError('release.invalid', `${where} ${because}. Nothing of it was used.`, cause);
  const files = new Map<string, Uint8Array>();
  let entries = 0;
  let kept = 0;
  const tar = extract();
  tar.on('entry', (header, content, next) => {
    // The archive fails with the same error, which is handled below.
    content.on('error', () => undefined);
    const done = (error?: ReleaseError) => {
      if (error) {
        content.resume();
        tar.destroy(error);
      } else next();
    };
    entries++;
    const path = safePath(header.name);
    if (entries > limits.entries) return done(refuse(`has more than ${limits.entries} entries`));
    if (path === null) return done(refuse(`holds ${quoted(header.name)}, a path that leads out of it`));
    if (!wanted(path) || header.type === 'directory') {
      content.on('end', () => done());
      content.resume();
      return;
    }
    if (!isPlain(header)) return done(refuse(`holds ${quoted(path)} as a ${header.type}, not as a file`));
    if (files.has(path)) return done(refuse(`holds ${quoted(path)} twice`));
    const { size } = header;
    kept += size;
    if (size > mostBytes || kept > limits.keptBytes)
      return done(refuse(`holds ${quoted(path)} of ${size} bytes; no release has so much`));
    const pieces: Uint8Array[] = [];
    content.on('data', (piece: unknown) => {
      if (piece instanceof Uint8Array) pieces.push(piece);
    });
    content.on('end', () => {
      files.set(path, Buffer.concat(pieces));
      done();
    });
  });
  try {
    const meter = { packed: 0, unpacked: 0 };
    await pipeline(
      packed,
      counting((bytes) => {
        meter.packed += bytes;
      }),
      createGunzip(),
      counting((bytes) => {
        meter.unpacked += bytes;
        if (meter.unpacked > limits.bytes) throw refuse(`unpacks to more than ${limits.bytes} bytes`);
        if (meter.unpacked > 1_000_000 && meter.unpacked > meter.packed * limits.ratio)
          throw refuse(`unpacks to more than ${limits.ratio} times its size`);
      }),
      tar,
      { signal },
    );
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    if (signal.aborted) throw new ReleaseError('release.aborted', `Reading ${where} was given up.`, signal.reason);
    throw refuse(`is not a complete gzipped tar (${messageOf(error)})`, error);
  }
  return files;
}

function counting(count: (bytes: number) => void): Transform {
  return new Transform({
    transform(piece: Buffer, _, done) {
      try {
        count(piece.length);
        done(null, piece);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}

function isPlain({ type }: Header): boolean {
  return type === 'file' || type === 'contiguous-file';
}

/** `./ocp//x.yaml` → `ocp/x.yaml`; null for a path that leads outside. */
export function safePath(name: string): string | null {
  if (name === '' || /[\\\0]/.test(name) || name.startsWith('/') || /^[a-z]:/i.test(name)) return null;
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? null : parts.join('/');
}

const quoted = (name: string) => JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name);
