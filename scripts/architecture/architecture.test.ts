import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  arrows,
  doors,
  exceptions,
  forBrowsers,
  mostFiles,
  notForBrowsers,
  notForPages,
  registries,
} from './arrows.ts';
import { folderOf, type Import, importsOf, isTestCode } from './imports.ts';

/** The rules of the house, over every file in a folder of ours. A failure names file, line and what it imports. */
const root = join(import.meta.dirname, '../..');
const files = ['lib', 'e2e', 'scripts', 'app', 'components']
  .flatMap((top) => readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)))
  .filter((file) => /\.tsx?$/.test(file));
const imports = files.flatMap((file) => importsOf(root, file));
const across = imports.filter(({ from, to }) => folderOf(to) !== null && folderOf(to) !== folderOf(from));

const tell = ({ from, line, to }: Import) => `${from}:${line} imports ${to}`;
const key = ({ from, to }: Import) => `${from} → ${folderOf(to)}`;

const againstArrows = across.filter(({ from, to }) => {
  const folder = folderOf(from) ?? '';
  return folder.startsWith('lib/') && !isTestCode(from) && !arrows[folder]?.includes(folderOf(to) ?? '');
});

test('there is something to look at', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(across.length).toBeGreaterThan(100);
});

test('arrows point one way', () => {
  expect(againstArrows.filter((one) => !(key(one) in exceptions)).map(tell)).toEqual([]);
});

test('the arrows themselves have no cycle', () => {
  const visit = (folder: string, path: readonly string[]): void => {
    expect(path, `${[...path, folder].join(' → ')} is a cycle`).not.toContain(folder);
    for (const next of arrows[folder] ?? []) visit(next, [...path, folder]);
  };
  for (const folder of Object.keys(arrows)) visit(folder, []);
});

const isDoor = (to: string) => {
  const folder = folderOf(to) ?? '';
  return (doors[folder] ?? ['index.ts']).some((door) => to === `${folder}/${door}`);
};

/** Only `lib` and `e2e` have doors. Pages and components have none: `lib` may not import them at all, which a test of its own checks. */
const isLibrary = (to: string) => /^(?:lib|e2e)\//.test(to);

/** Tests may also import a folder's `testing/` and the `index.ts` of folders inside it; the product may import neither. */
const allowedInTests = /\/testing\/|\/index\.ts$/;

test('nobody reaches into another folder past its doors', () => {
  const wrong = across
    .filter(({ from, to }) => folderOf(from) !== 'scripts' && isLibrary(to))
    .filter(({ to }) => !isDoor(to))
    .filter(({ from, to }) => !(isTestCode(from) && allowedInTests.test(to)));
  expect(wrong.map(tell)).toEqual([]);
});

test('lib never imports app, components, e2e or scripts', () => {
  const wrong = across.filter(({ from, to }) => from.startsWith('lib/') && !folderOf(to)?.startsWith('lib/'));
  expect(wrong.map(tell)).toEqual([]);
});

test('pages never start the process that they run in', () => {
  const wrong = across.filter(({ from, to }) => /^(?:app|components)\//.test(from) && notForPages.includes(to));
  expect(wrong.map(tell)).toEqual([]);
});

test('components use nothing of app: what they may ask of the server is given to them', () => {
  expect(imports.filter(({ from, to }) => from.startsWith('components/') && to.startsWith('app/')).map(tell)).toEqual(
    [],
  );
});

test('server actions are of app alone', () => {
  expect(files.filter((file) => directiveOf(file) === 'server').filter((file) => !file.startsWith('app/'))).toEqual([]);
});

test('what a browser loads reads no disk and dials nobody', () => {
  const wrong = inBrowser().filter(({ to }) => notForBrowsers.test(to));
  expect(wrong.map(tell)).toEqual([]);
});

/** Entries of a journal change with the version that writes them. Only `lib/run/model` reads them, so that a new form of an entry changes one folder. */
test('nobody but the model of a run reads what is in a journal', () => {
  const reads =
    /\bentry\.(?:what|seq|direction)\b|\bjournal(?:\.current\(\))?\.entries\b|\{[^{}]*\bentries\b[^{}]*\}: Journal\b/;
  const wrong = files
    .filter((file) => /^(?:lib|app|components)\//.test(file) && !file.startsWith('lib/run/model/') && !isTestCode(file))
    .filter((file) => reads.test(readFileSync(join(root, file), 'utf8')));
  // The store writes the entries.
  expect(wrong).toEqual(['lib/run/journal/journal-store.ts']);
});

/** Imports of types count too: two files that need each other should be one, or share a third. */
const cycles = cyclesOf(imports);

test('no file imports itself by way of others', () => {
  const wrong = cycles.filter(([file = '']) => !(file in exceptions));
  expect(wrong.map((way) => way.join(' → '))).toEqual([]);
});

test('no module that test files share registers a hook as it is loaded: it is loaded once in a worker, so only the first file would have it', () => {
  const hooked = files.filter(
    (file) =>
      !/\.test\.tsx?$/.test(file) && /^(?:before|after)(?:All|Each)\(/m.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(hooked).toEqual([]);
});

test('no folder is so full that a reader has to search it', () => {
  const folders = Map.groupBy(files, dirname);
  const full = [...folders].filter(([, inside]) => inside.length > mostFiles).map(([folder]) => folder);
  expect(full.sort()).toEqual(registries);
});

test('every exception is still needed', () => {
  const needed = new Set([...againstArrows.map(key), ...cycles.map(([file]) => file)]);
  expect(Object.keys(exceptions).filter((one) => !needed.has(one))).toEqual([]);
});

/** Next's directive of a file: `client` for a client component, `server` for server actions. */
function directiveOf(file: string): string | undefined {
  return /^['"]use (client|server)['"]/m.exec(readFileSync(join(root, file), 'utf8'))?.[1];
}

/** Every import of the client components and of the files that they load. Server actions are left out, because a browser gets only their names. */
function inBrowser(): readonly Import[] {
  const from = Map.groupBy(
    imports.filter(({ when }) => when !== 'type'),
    (one) => one.from,
  );
  const client = files.filter((file) => /^(?:app|components)\//.test(file) && directiveOf(file) === 'client');
  const todo = [...client, ...forBrowsers];
  const seen = new Set(todo);
  for (const file of todo) {
    for (const { to } of from.get(file) ?? []) {
      if (seen.has(to) || folderOf(to) === null || directiveOf(to) === 'server') continue;
      seen.add(to);
      todo.push(to);
    }
  }
  return todo.flatMap((file) => from.get(file) ?? []);
}

/** For each file that is on a cycle, the shortest path from the file back to itself. */
function cyclesOf(loads: readonly Import[]): readonly (readonly string[])[] {
  const next = Map.groupBy(loads, ({ from }) => from);
  return mayBeOnCycles(loads).flatMap((start) => {
    const ways = [[start]];
    const seen = new Set<string>();
    for (const way of ways) {
      for (const { to } of next.get(way.at(-1) ?? '') ?? []) {
        if (to === start) return [[...way, to]];
        if (!seen.has(to)) ways.push([...way, to]);
        seen.add(to);
      }
    }
    return [];
  });
}

/** Without the files that load none of the others, or that none of them loads: a search from each file took most of this suite's time. */
function mayBeOnCycles(loads: readonly Import[]): readonly string[] {
  for (let left = loads; ; ) {
    const [from, to] = [new Set(left.map((one) => one.from)), new Set(left.map((one) => one.to))];
    const fewer = left.filter((one) => to.has(one.from) && from.has(one.to));
    if (fewer.length === left.length) return files.filter((file) => from.has(file));
    left = fewer;
  }
}
