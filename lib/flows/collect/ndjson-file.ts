import { type FileHandle, open } from 'node:fs/promises';
import { type Collected, type Sink, SinkError } from './collected.ts';

const lookedAtOnce = 65_536;

/** Errors that somebody must correct first. */
const mistakes: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EROFS: 'nothing can be written there',
  EACCES: 'you may not write it',
  EPERM: 'you may not write it',
};
const passing: Readonly<Record<string, string>> = { ENOSPC: 'the disk is full', EDQUOT: 'your quota is used up' };

/**
 * Appends lines to a file. They are on the disk when `take` resolves. The file is opened for each batch, so that it may be moved or emptied meanwhile
 * (logrotate). A line that was cut off by a kill or a full disk is removed before the next. Creates the file with mode 0600.
 */
export function ndjsonFile(path: string, lineOf: (record: Collected) => string): Sink {
  return {
    take: async (batch) => {
      let file: FileHandle | null = null;
      try {
        file = await open(path, 'a+', 0o600);
        await removeCutLine(file);
        await file.appendFile(batch.map((record) => `${lineOf(record)}\n`).join(''));
        await file.datasync();
      } catch (error) {
        const code = String((error as NodeJS.ErrnoException).code);
        const mistake = mistakes[code];
        const because = mistake ?? passing[code] ?? code;
        throw new SinkError(mistake === undefined ? 'waits' : 'ends', `${path} cannot be written: ${because}.`, {
          cause: error,
        });
      } finally {
        await file?.close();
      }
      return { refused: 0, because: '' };
    },
    close: async () => undefined,
  };
}

/** Removes the text after the last line end. */
async function removeCutLine(file: FileHandle): Promise<void> {
  const stats = await file.stat();
  if (!stats.isFile()) return;
  let end = stats.size;
  while (end > 0) {
    const from = Math.max(0, end - lookedAtOnce);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - from), 0, end - from, from);
    const last = buffer.subarray(0, bytesRead).lastIndexOf('\n');
    if (last >= 0) {
      end = from + last + 1;
      break;
    }
    end = from;
  }
  if (end < stats.size) await file.truncate(end);
}
