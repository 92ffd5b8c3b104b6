import { readFileSync, statSync } from 'node:fs';
import { apiVersionOf, type Resource } from '#lib/spec/index.ts';
import { KubeError } from '../error.ts';
import type { KubeObject } from '../object.ts';
import type { Kube, ListOptions, ObjectRef, Page, WriteOptions } from '../port.ts';
import { createStore } from '../store/store.ts';
import { archivedFiles, isArchive } from './archived-files.ts';
import { coverageOf } from './coverage.ts';
import { addDocument, emptyContents } from './dump-contents.ts';
import { dumpFiles, isOtherThanUtf8, reasonOf, textOf } from './dump-files.ts';
import { InputError } from './input-error.ts';
import { parseDocuments, refuseTooLarge } from './parse-documents.ts';
import type { ParsedDocument } from './usual-yaml.ts';

/**
 * A cluster from the files of a dump. Read-only except for dry runs. `covered`: whether the dump has lists of a kind; only then does an empty list mean that
 * there are no objects. For other kinds `list` rejects with `not-served` and `get` returns null. For a kind whose list is incomplete, `list` rejects with
 * `protocol` after the objects that there are, and so does `get` for an object that is missing; `detail.lacks` says what is missing. Objects are not
 * copied, so callers must not change them.
 */
export type Dump = Kube & { covered(resource: Resource): boolean };

/**
 * `openDump` without its lazy loading: reads files, folders and archives. Rejects with an InputError that names the file which cannot be read or
 * parsed.
 */
export async function readDump(paths: readonly string[]): Promise<Dump> {
  const contents = emptyContents();
  for (const path of await dumpFiles(paths)) {
    if (isArchive(path)) {
      for await (const { file, text } of archivedFiles(path))
        for (const document of parseDocuments(file, text)) addDocument(contents, file, document);
    } else for (const document of await documentsOf(path)) addDocument(contents, path, document);
  }

  const name = paths.join(', ');
  const { held, present, covered, isListed, isAbsent, whyNone, whyNotAll } = coverageOf(contents);
  const store = createStore({ name, source: 'dump', kinds: [...held.values()].flat(), objects: contents.objects });
  async function* list<T extends { metadata: KubeObject['metadata'] }>(
    resource: Resource,
    options: ListOptions | undefined,
    pagesOf: (resource: Resource, options?: ListOptions) => AsyncIterable<Page<T>>,
  ): AsyncGenerator<Page<T>> {
    if (!covered(resource)) throw whyNone(resource);
    const found = present(resource);
    const form = isListed(resource) ? { apiVersion: apiVersionOf(resource) } : {};
    const seen = new Set<string>();
    for (const [index, one] of found.entries()) {
      for await (const page of pagesOf(one, options)) {
        if (found.length === 1) yield { ...page, ...form };
        else {
          const items = page.items.filter(({ metadata }) => !seen.has(`${metadata.namespace ?? ''}/${metadata.name}`));
          for (const { metadata } of items) seen.add(`${metadata.namespace ?? ''}/${metadata.name}`);
          yield {
            ...page,
            ...form,
            items,
            remaining: index < found.length - 1 ? (page.remaining ?? 0) : page.remaining,
          };
        }
      }
    }
    if (found.length === 0) yield { items: [], resourceVersion: '1', remaining: null, ...form };
    const why = whyNotAll(resource, options?.namespace);
    if (why) throw why;
  }

  const readOnly = (): never => {
    throw new KubeError('unsupported', `${name} is a dump, which cannot be changed.`);
  };
  const dryRunOnly = (options: { dryRun?: 'all' } | undefined) => {
    if (options?.dryRun !== 'all') readOnly();
  };
  const write = async <T>(options: WriteOptions | undefined, act: () => Promise<T>): Promise<T> => {
    dryRunOnly(options);
    return act();
  };
  const at = (ref: ObjectRef): ObjectRef => ({ ...ref, resource: present(ref.resource)[0] ?? ref.resource });
  const cannotTell = async (what: string): Promise<never> => {
    throw new KubeError('unsupported', `${name} is a dump: it does not show ${what}.`);
  };

  const server = contents.records.find((record) => record.server)?.server ?? null;
  return {
    name,
    source: 'dump',
    ...(server === null ? {} : { server }),
    covered,
    get: async (ref, options) => {
      for (const resource of present(ref.resource)) {
        const object = await store.get({ ...ref, resource }, options);
        if (object) return object;
      }
      const why = isAbsent(ref) ? null : whyNotAll(ref.resource, ref.namespace);
      if (why) throw why;
      return null;
    },
    list: (resource, options) => list(resource, options, store.list),
    listMetadata: (resource, options) => list(resource, options, store.listMetadata),
    watch: (resource, options) => store.watch(present(resource)[0] ?? resource, options),
    create: (resource, object, options) => write(options, () => store.create(resource, object, options)),
    apply: (resource, object, options) => write(options, () => store.apply(resource, object, options)),
    replace: (resource, object, options) => write(options, () => store.replace(resource, object, options)),
    patch: (ref, patch, options) => write(options, () => store.patch(at(ref), patch, options)),
    delete: async (ref, options) => {
      dryRunOnly(options);
      await store.delete(at(ref), options);
    },
    allowed: () => cannotTell('what may be done'),
    discover: async () => ({
      resources: [...held.values()].flat().map((resource) => ({ ...resource, verbs: ['get', 'list'] })),
      failing: contents.records.flatMap(({ apis }) => apis?.failing ?? []),
      groups: contents.groups && [...contents.groups],
    }),
    version: async () => contents.version,
    logs: () => cannotTell('what pods logged'),
    podGet: () => cannotTell('what pods answer'),
    exec: () => cannotTell('what commands in pods answer'),
    close: async () => undefined,
  };
}

/** Functions of their own, so that a big file's bytes are freed before its text is parsed, and the text right after. */
async function documentsOf(file: string): Promise<ParsedDocument[]> {
  return parseDocuments(file, textIn(file));
}

/**
 * Reads a file synchronously and directly as text: bytes beside the text would double the memory and slow down parsing by garbage collection. Parsing
 * blocks the process anyway.
 */
function textIn(file: string): string {
  try {
    const { size } = statSync(file);
    refuseTooLarge(file, size);
    // A pipe has no size and can be read only once.
    if (size === 0) return textOf(readFileSync(file));
    const text = readFileSync(file, 'utf8');
    return isOtherThanUtf8(text) ? textOf(readFileSync(file)) : text;
  } catch (error) {
    if (error instanceof InputError || !(error instanceof Error)) throw error;
    throw new InputError(file, null, reasonOf(error), error);
  }
}
