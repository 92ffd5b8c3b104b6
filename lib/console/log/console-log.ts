import { appendFileSync, chmodSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { redact } from './redact.ts';

const largestBytes = 5 * 1024 * 1024;
/** Number of older files beside `console.log`; 20 MiB in all. */
const olderFiles = 3;
const longestLine = 16_000;
/** Longer texts are cut, because redacting takes time; a secret that is cut off is still recognised. */
const longestRedacted = 64_000;

export type ConsoleLog = {
  path: string;
  /** Writes an entry with the time, a line, and the error with its causes. Never throws, because a full disk must not stop a run. */
  write(line: string, cause?: unknown): void;
};

/** `console.log` in the state folder, mode 0600. Written synchronously, so that the last line before a crash is kept. */
export function openLog(folder: string, now: () => Date = () => new Date(), limitBytes = largestBytes): ConsoleLog {
  const path = join(folder, 'console.log');
  let size = sizeOf(path);
  try {
    chmodSync(path, 0o600);
  } catch {
    // It does not exist yet.
  }
  return {
    path,
    write: (line, cause) => {
      const text = entry(now(), line, cause);
      try {
        if (size > 0 && size + text.length > limitBytes) {
          rotate(path);
          size = 0;
        }
        appendFileSync(path, text, { mode: 0o600 });
        size += Buffer.byteLength(text);
      } catch {
        // Nowhere to say it.
      }
    },
  };
}

/** Further lines of an entry are indented, so that logged text cannot pass for an entry. */
function entry(at: Date, line: string, cause: unknown): string {
  const text = cause === undefined ? line : `${line}\n${causeText(cause)}`;
  const redacted = redact(text.slice(0, longestRedacted)).slice(0, longestLine);
  return `${at.toISOString()} ${redacted.trimEnd().replaceAll('\n', '\n    ')}\n`;
}

/** An error with its stack and causes, without other properties, which may have headers. */
function causeText(cause: unknown): string {
  const lines: string[] = [];
  let current: unknown = cause;
  for (let depth = 0; depth < 5 && current !== undefined && current !== null; depth++) {
    lines.push(
      `${depth === 0 ? '' : 'because: '}${current instanceof Error ? (current.stack ?? String(current)) : inspect(current, { depth: 1 })}`,
    );
    current = current instanceof Error ? current.cause : undefined;
  }
  return lines.join('\n');
}

function rotate(path: string): void {
  for (let number = olderFiles; number > 0; number--) {
    try {
      renameSync(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
