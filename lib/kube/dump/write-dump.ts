import { createReadStream, createWriteStream } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { apiVersionOf, type Resource } from '#lib/spec/index.ts';
import type { KubeObject } from '../object.ts';
import { isArchive } from './archived-files.ts';
import { type DumpRecord, recordFile } from './dump-record.ts';
import { InputError } from './input-error.ts';

/** One list of a dump while it is written. */
export type ListWriter = {
  add(objects: readonly KubeObject[]): Promise<void>;
  /** Ends the list. `cut`: objects are missing. Returns the file and the number of its objects. */
  end(all: 'all' | 'cut'): Promise<{ file: string; objects: number }>;
};

/** Writes a dump into a hidden folder beside its destination. `finish` moves it there, `discard` removes it. */
export type DumpWriter = {
  list(resource: Resource): Promise<ListWriter>;
  finish(record: DumpRecord): Promise<void>;
  /** Removes the dump; does nothing after `finish`. */
  discard(): Promise<void>;
};

/**
 * Begins a dump. Only the owner can read the files (0600, folders 0700), since a dump shows how a cluster is built. Nothing is overwritten: throws an
 * InputError if the place is taken or cannot be written.
 *
 * @param output A folder that is yet to be made or empty, or a file that ends in `.tgz` or `.tar.gz`.
 */
export async function openDumpWriter(output: string): Promise<DumpWriter> {
  const target = resolve(output);
  if (!isArchive(target) && /\.[a-z]{1,5}$/i.test(target) && !(await isFolder(target)))
    throw new InputError(output, null, 'a dump is a folder or a file that ends in .tgz; this is neither');
  if (await isTaken(target))
    throw new InputError(output, null, 'it is there already, and nothing is overwritten; name another or remove it');
  const name = isArchive(target) ? basename(target).replace(/\.(tgz|tar\.gz)$/i, '') : basename(target);
  if (name === '') throw new InputError(output, null, 'a name is missing before the ending');
  const work = await orRefused(output, () => mkdtemp(join(dirname(target), '.signalbox-dump-')));
  const folder = join(work, name);
  await mkdir(folder, { mode: 0o700 });

  const opened: FileHandle[] = [];
  return {
    list: async (resource) => {
      const name = `${resource.plural}${resource.group === '' ? '' : `.${resource.group}`}.json`;
      const file = await orRefused(output, () => open(join(folder, name), 'wx', 0o600));
      opened.push(file);
      // Unlike `write`, it returns only after all bytes are written.
      const append = (text: string) => orRefused(output, () => file.appendFile(text));
      return listWriter(name, file, resource, append);
    },
    finish: async (record) => {
      await orRefused(output, async () => {
        const text = `${JSON.stringify(record, null, 2)}\n`;
        await writeFile(join(folder, recordFile), text, { mode: 0o600, flag: 'wx' });
        await moved(isArchive(target) ? await packed(folder, join(work, 'packed')) : folder, target);
      });
      await rm(work, { recursive: true, force: true });
    },
    discard: async () => {
      await Promise.all(opened.map((file) => file.close()));
      await rm(work, { recursive: true, force: true });
    },
  };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

async function isTaken(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return false;
  return !found.isDirectory() || (await readdir(path)).length > 0;
}

/** Writes a list with each object on a line of its own, so that the file can be searched and read in pieces. */
async function listWriter(
  name: string,
  file: FileHandle,
  resource: Resource,
  append: (text: string) => Promise<void>,
): Promise<ListWriter> {
  const head = { apiVersion: apiVersionOf(resource), kind: `${resource.kind}List` };
  let objects = 0;
  await append(`${JSON.stringify(head).slice(0, -1)},"items":[`);
  return {
    add: async (more) => {
      if (more.length === 0) return;
      const lines = more.map((object) => `\n${JSON.stringify(object)}`).join(',');
      await append(objects === 0 ? lines : `,${lines}`);
      objects += more.length;
    },
    end: async (all) => {
      // A continue token, as on a page of an API server, shows that objects are missing.
      await append(`\n],"metadata":${JSON.stringify(all === 'all' ? {} : { continue: 'not-read' })}}\n`);
      await file.close();
      return { file: name, objects };
    },
  };
}

async function packed(folder: string, to: string): Promise<string> {
  const tar = pack();
  const written = pipeline(tar, createGzip(), createWriteStream(to, { mode: 0o600, flags: 'wx' }));
  const below = basename(folder);
  const feeding = (async () => {
    tar.entry({ name: below, type: 'directory', mode: 0o700 });
    for (const name of (await readdir(folder)).sort()) {
      const path = join(folder, name);
      const { size, mtime } = await stat(path);
      await pipeline(createReadStream(path), tar.entry({ name: `${below}/${name}`, mode: 0o600, size, mtime }));
    }
    tar.finalize();
  })();
  await Promise.all([written, feeding]);
  return to;
}

/** Moves the dump to its place. Fails if something exists there now: a link needs a free name, and a folder replaces only an empty one. */
async function moved(from: string, to: string): Promise<void> {
  if ((await lstat(from)).isDirectory()) return rename(from, to);
  try {
    await link(from, to);
  } catch (error) {
    // Some file systems have no links.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || (await isTaken(to))) throw error;
    await rename(from, to);
  }
}

async function orRefused<T>(output: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new InputError(output, null, `it cannot be written (${(error as NodeJS.ErrnoException).code})`, error);
  }
}
