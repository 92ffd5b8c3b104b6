import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { messageOf } from '#lib/base/message-of.ts';
import { type Change, KubeError, type KubeObject, type Snapshot } from '#lib/kube/index.ts';
import { parseApiVersion } from '#lib/spec/index.ts';
import type { LogLine, NodeMemory } from '../agents/node-memory.ts';

/** Increase it when the tables change. A file with another version is from another release. */
const formatVersion = 1;

const tables = `
  CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS objects (kind TEXT, key TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS node_memory (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS log_lines (pod TEXT NOT NULL, at REAL NOT NULL, line TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS log_lines_by_pod ON log_lines (pod);
`;

const kindsSchema = z.array(
  z.object({
    group: z.string(),
    version: z.string(),
    kind: z.string(),
    plural: z.string(),
    namespaced: z.boolean(),
  }),
);

export interface SandboxFile {
  /** The saved content; null if the file is new. */
  snapshot(): Snapshot | null;
  /** Saves the first content, all or nothing. */
  fill(snapshot: Snapshot): void;
  /** Saves one write of the store. Once it returns, killing the process does not lose it. */
  record(change: Change, nowMs: number): void;
  /** The time of the last write, for clocks that must not go back. */
  lastWriteMs(): number | null;
  readonly memory: NodeMemory;
  /** Ends the write-ahead log, after which closing needs no file names: the file may then be deleted while it is locked. */
  prepareToDelete(): void;
  close(): void;
}

/**
 * One sandbox in one SQLite file. Every write is a transaction in the write-ahead log, which survives a kill -9 but not a power cut; a reset restores
 * a sandbox anyway. The exclusive lock ends with its process.
 */
export function openSandboxFile(path: string, sandbox: string): SandboxFile {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    database.exec(`BEGIN EXCLUSIVE; ${tables} COMMIT;`);
  } catch (error) {
    database.close();
    throw notOpened(path, sandbox, error);
  }

  const readAbout = database.prepare('SELECT value FROM about WHERE name = ?');
  const writeAbout = database.prepare('INSERT OR REPLACE INTO about (name, value) VALUES (?, ?)');
  const putObject = database.prepare('INSERT OR REPLACE INTO objects (kind, key, body) VALUES (?, ?, ?)');
  const dropObject = database.prepare('DELETE FROM objects WHERE kind = ? AND key = ?');
  const putMemory = database.prepare('INSERT OR REPLACE INTO node_memory (key, value) VALUES (?, ?)');
  const putLine = database.prepare('INSERT INTO log_lines (pod, at, line) VALUES (?, ?, ?)');
  const readLines = database.prepare('SELECT at, line FROM log_lines WHERE pod = ? ORDER BY rowid');
  const readMemory = database.prepare('SELECT value FROM node_memory WHERE key = ?');

  const about = (name: string): string | null => textOf(readAbout.get(name)?.value);
  const transaction = (act: () => void): void => {
    database.exec('BEGIN');
    try {
      act();
      database.exec('COMMIT');
    } catch (error) {
      // A full disk has already ended the transaction.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };

  const format = about('format');
  if (format !== null && format !== String(formatVersion)) {
    database.close();
    throw new KubeError(
      'invalid',
      `Sandbox "${sandbox}" was made by another release of Signalbox (format ${format}, here ${formatVersion}); \`signalbox sandbox reset ${sandbox}\` creates it again.`,
    );
  }

  return {
    snapshot: () => {
      if (format === null) return null;
      const objects = database
        .prepare('SELECT body FROM objects ORDER BY kind, key')
        .all()
        .map(({ body }) => JSON.parse(textOf(body) ?? 'null') as KubeObject);
      const kinds = kindsSchema.parse(JSON.parse(about('kinds') ?? '[]'));
      return { revision: Number(about('revision') ?? 0), objects, kinds };
    },
    fill: (snapshot) =>
      transaction(() => {
        for (const object of snapshot.objects) putObject.run(kindOf(object), keyOf(object), JSON.stringify(object));
        writeAbout.run('kinds', JSON.stringify(snapshot.kinds));
        writeAbout.run('revision', String(snapshot.revision));
        writeAbout.run('format', String(formatVersion));
      }),
    record: ({ type, object, revision }, nowMs) =>
      transaction(() => {
        if (type === 'deleted') dropObject.run(kindOf(object), keyOf(object));
        else putObject.run(kindOf(object), keyOf(object), JSON.stringify(object));
        writeAbout.run('revision', String(revision));
        writeAbout.run('time', String(nowMs));
      }),
    lastWriteMs: () => {
      const time = about('time');
      return time === null ? null : Number(time);
    },
    memory: {
      get: (key) => {
        const value = textOf(readMemory.get(key)?.value);
        return value === null ? undefined : JSON.parse(value);
      },
      set: (key, value) => {
        putMemory.run(key, JSON.stringify(value));
      },
      lines: (podUid) =>
        readLines.all(podUid).map(({ at, line }): LogLine => ({ at: Number(at), line: textOf(line) ?? '' })),
      append: (podUid, lines) =>
        transaction(() => {
          for (const { at, line } of lines) putLine.run(podUid, at, line);
        }),
    },
    prepareToDelete: () => {
      database.exec('PRAGMA journal_mode = DELETE');
    },
    close: () => database.close(),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Group and kind without version, so that an object keeps its row when it is written in another version. */
function kindOf({ apiVersion, kind }: KubeObject): string {
  return `${parseApiVersion(apiVersion).group}/${kind}`;
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

const sqliteBusy = 5;

/** Another process holds the file, or it is not a sandbox. */
export class SandboxBusy extends Error {
  override readonly name = 'SandboxBusy';
}

function notOpened(path: string, sandbox: string, error: unknown): Error {
  const code = typeof error === 'object' && error !== null && 'errcode' in error ? error.errcode : undefined;
  if (code === sqliteBusy) return new SandboxBusy(sandbox, { cause: error });
  const why = messageOf(error);
  return new KubeError(
    'invalid',
    `Sandbox "${sandbox}" cannot be read (${path}: ${why}); \`signalbox sandbox reset ${sandbox}\` creates it again.`,
    {},
    error,
  );
}
