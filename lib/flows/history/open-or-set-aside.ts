import { access, rename } from 'node:fs/promises';
import { messageOf } from '#lib/base/message-of.ts';
import type { HistoryEngine } from './history-engine.ts';

type Opened = { engine: HistoryEngine; note: string | null };

/**
 * DuckDB 1.5's errors for a file with wrong content: observed with changed bytes in the file and in its write-ahead log, and with both cut short.
 * Other errors (no memory, too many open files, no permission) come from the system, and the file is left as it is.
 */
const damage: readonly RegExp[] = [
  /not a valid DuckDB database file/i,
  /Corrupt (?:database|WAL) file/i,
  /checksum \S+ does not match/i,
  /Could not read enough bytes from file/i,
  /Serialization Error|Failed to deserialize/i,
];
/** The file has other tables (sql/schema.ts). No released version wrote them. */
const older = /written by an older release/i;
/** Errors during a replay of the log that do not mean that the log is damaged. */
const ofTheSystem = /Out of Memory|Too many open files|No space left|Permission denied|Input\/output error/i;
const replay = /Failure while replaying WAL/i;

export function isDamage(words: string): boolean {
  return damage.some((one) => one.test(words)) || (replay.test(words) && !ofTheSystem.test(words));
}

/**
 * Opens a history's file. A file that is damaged, or has tables of an older release, is renamed to a free name together with its log, and a new one
 * is begun; nothing is deleted. Rejects with a sentence if the file cannot be opened for another reason.
 */
export async function openOrSetAside(
  path: string | null,
  open: (path: string | null) => Promise<HistoryEngine>,
  log: (line: string, cause?: unknown) => void,
): Promise<Opened> {
  try {
    return { engine: await open(path), note: null };
  } catch (error) {
    const isOlder = older.test(messageOf(error));
    if (path === null || !(isOlder || isDamage(messageOf(error)))) throw notOpened(error);
    const aside = await freeName(`${path}.${isOlder ? 'older' : 'damaged'}`);
    const wrong = isOlder ? 'of an older release' : 'damaged';
    log(`flow history: ${path} is ${wrong} and set aside as ${aside}`, error);
    try {
      // The log is moved first. Otherwise, after a crash between the two moves, the old log would be applied to a new file.
      await renameIfThere(`${path}.wal`, `${aside}.wal`);
      await renameIfThere(path, aside);
      return {
        engine: await open(path),
        note: `The file of the history was ${wrong}: it was set aside as ${aside}, and a new history begins.`,
      };
    } catch (again) {
      throw notOpened(again);
    }
  }
}

function notOpened(error: unknown): Error {
  const words = messageOf(error);
  if (/lock on file|used by another process/i.test(words))
    return new Error('Another process has the history of flows of this cluster open.', { cause: error });
  return new Error(`The history of flows cannot be opened: ${words.split('\n')[0]}`, { cause: error });
}

async function freeName(wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!(await isThere(name)) && !(await isThere(`${name}.wal`))) return name;
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function renameIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
