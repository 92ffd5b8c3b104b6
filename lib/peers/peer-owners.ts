import { open } from 'node:fs/promises';
import { endianness } from 'node:os';
import { type End, ownersIn, tableKeys } from './socket-table.ts';

/** `unlisted`: no program of this machine has the other end any more, or it is in no table that can be read. */
type PeerOwner = { readonly uid: number } | 'unlisted';

/** The owner of the other end of a connection to this process. Rejects if there are no tables (no Linux, no /proc). */
export type PeerOwners = (accepted: { readonly peer: End; readonly own: End }) => Promise<PeerOwner>;

const tables = ['/proc/net/tcp', '/proc/net/tcp6'] as const;
const chunkBytes = 64 * 1024;
/**
 * The most bytes of a table that are read, because others can make it long (a line is some 150 bytes). Limited by bytes, not time: on a busy machine
 * even a short table takes seconds, and its own user must not be turned away.
 */
const mostBytes = 64 * 1024 * 1024;
/** A line may be missed if lines before it come or go during the reading. */
const mostReadings = 3;

type Asked = {
  readonly keys: readonly string[];
  readonly owner: PromiseWithResolvers<PeerOwner>;
  readings: number;
};

/**
 * Looks connections up in the kernel's socket tables. One reading answers everyone who asked before it began, so that a thousand connections cost as
 * much as one. It reads some kilobytes at a time, in the background.
 */
export function peerOwners(): PeerOwners {
  let waiting: Asked[] = [];
  let isReading = false;

  const readAll = async () => {
    isReading = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const { found, isWhole } = await read(batch);
        for (const one of batch) {
          const uid = one.keys.map((key) => found.get(key)).find((known) => known !== undefined);
          if (uid !== undefined) one.owner.resolve({ uid });
          else if (!isWhole) one.owner.reject(new Error(`${tables[0]} is longer than ${mostBytes} bytes`));
          else if (++one.readings < mostReadings) waiting.push(one);
          else one.owner.resolve('unlisted');
        }
      } catch (error) {
        for (const { owner } of batch) owner.reject(error);
      }
    }
    isReading = false;
  };

  return ({ peer, own }) => {
    const owner = Promise.withResolvers<PeerOwner>();
    waiting.push({ keys: tableKeys(peer, own, endianness()), owner, readings: 0 });
    if (!isReading) void readAll();
    return owner.promise;
  };
}

/** `isWhole`: no unread part could contain what is still missing. */
type Reading = { readonly found: ReadonlyMap<string, number>; readonly isWhole: boolean };

/** Stops as soon as all are found: recently closed connections make the tables long, and the second table is rarely needed. */
async function read(batch: readonly Asked[]): Promise<Reading> {
  const wanted = new Set(batch.flatMap(({ keys }) => keys));
  const found = new Map<string, number>();
  const areAllFound = () => batch.every(({ keys }) => keys.some((key) => found.has(key)));
  for (const table of tables) {
    try {
      const isWhole = await linesOf(table, (lines) => {
        const before = found.size;
        for (const [key, uid] of ownersIn(lines, wanted)) found.set(key, uid);
        return found.size > before && areAllFound() ? 'enough' : 'more';
      });
      if (!isWhole) return { found, isWhole: false };
      if (areAllFound()) break;
    } catch (error) {
      // A kernel without IPv6 has no second table.
      if (table === tables[0] || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return { found, isWhole: true };
}

/** Passes the lines of a table to `each`, some at a time, until it has enough. Returns false if the table is longer than the limit. */
async function linesOf(path: string, each: (lines: readonly string[]) => 'enough' | 'more'): Promise<boolean> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(chunkBytes);
    let rest = '';
    for (let all = 0; all < mostBytes; ) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes);
      if (bytesRead === 0) return true;
      all += bytesRead;
      const lines = (rest + buffer.toString('latin1', 0, bytesRead)).split('\n');
      rest = lines.pop() ?? '';
      if (each(lines) === 'enough') return true;
    }
    return false;
  } finally {
    await file.close();
  }
}
