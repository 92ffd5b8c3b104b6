import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export type Import = {
  /** File that imports, from the checkout's folder: `lib/plan/schema/act.ts`. */
  readonly from: string;
  readonly line: number;
  /** What is imported: a file of ours by the same kind of path, else the name of a package or built-in. */
  readonly to: string;
  /**
   * type: gone after type stripping (`import { type X }` is not: it still loads the file).
   * load: with the file. later: when it is asked for, by `import()`.
   */
  readonly when: 'type' | 'load' | 'later';
};

/** Import statements as Biome formats them, and dynamic imports. A regular expression suffices, because no other line of ours has `from '…'`. */
const statement =
  /^(?<indent>\s*)(?<keyword>import|export)(?<type> type)?\b(?:[^'"`;=]*?\sfrom)? '(?<path>[^']+)'|import\('(?<dynamic>[^']+)'\)/gm;

export function importsOf(
  root: string,
  file: string,
  text = readFileSync(join(root, file), 'utf8'),
): readonly Import[] {
  return Array.from(text.matchAll(statement), ({ groups = {}, index }) => ({
    from: file,
    line: text.slice(0, index + (groups.indent?.length ?? 0)).split('\n').length,
    to: resolve(root, file, groups.path ?? groups.dynamic ?? ''),
    when: groups.dynamic !== undefined ? 'later' : groups.type !== undefined ? 'type' : 'load',
  }));
}

function resolve(root: string, file: string, path: string): string {
  if (path.startsWith('#')) return path.slice(1);
  if (path.startsWith('.')) return relative(root, join(root, dirname(file), path));
  return path;
}

/** `lib/plan/operations/index.ts` → `lib/plan`: the folder with the rules for a path; null for packages and built-ins. */
export function folderOf(path: string): string | null {
  return /^(?:lib|e2e)\/[^/]+(?=\/)|^(?:app|components|scripts)(?=\/)/.exec(path)?.[0] ?? null;
}

/** Tests and their helpers, which may import folders that must not import each other. */
export function isTestCode(path: string): boolean {
  return /\.test\.tsx?$|\/testing\//.test(path) || path.startsWith('e2e/');
}
