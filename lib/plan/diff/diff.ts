import { type Fields, isRecord, same } from '#lib/base/records.ts';
import { visibleLine } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import { type LineChange, lineDiff } from './line-diff.ts';
import { masked } from './mask.ts';
import { withoutBookkeeping } from './without-bookkeeping.ts';

export type DiffOptions = {
  /** `nothing`: only for text that stays in the process. */
  mask?: 'credentials' | 'nothing';
  /** Number of unchanged lines around a change. */
  context?: number;
};

/**
 * Unified diff of two versions of an object as YAML; null is an object that does not exist. Empty if they differ only in the server's bookkeeping.
 * Keys are sorted, because their order means nothing. Credentials are hidden, and shown as changed if they change.
 */
export function yamlDiff(
  before: unknown,
  after: unknown,
  { mask = 'credentials', context = 3 }: DiffOptions = {},
): string {
  const plain = { before: tidied(before), after: tidied(after) };
  if (same(plain.before, plain.after)) return '';
  const shown = mask === 'credentials' ? masked(plain.before, plain.after) : plain;
  const lines = mask === 'credentials' ? rememberedLinesOf : linesOf;
  const changes = lineDiff(lines(shown.before), lines(shown.after));
  if (changes.every(({ kind }) => kind === 'same')) return '';
  const hunks = hunksOf(changes, context);
  return [
    `--- ${nameOf(before)}`,
    `+++ ${nameOf(after)}`,
    ...hunks.flatMap((hunk) => hunkLines(changes, hunk)),
    '',
  ].join('\n');
}

function tidied(object: unknown): unknown {
  return isRecord(object) ? sorted(withoutBookkeeping(object)) : null;
}

const leading = ['apiVersion', 'kind', 'metadata'];

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const rank = (key: string) => (leading.includes(key) ? leading.indexOf(key) : leading.length);
  const entries = Object.entries(value).sort(
    ([left], [right]) => rank(left) - rank(right) || (left < right ? -1 : left > right ? 1 : 0),
  );
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}

function linesOf(value: unknown): string[] {
  if (value === null) return [];
  return yamlText(value).trimEnd().split('\n');
}

const remembered = new Map<string, string[]>();
const mostRemembered = 64;

/**
 * Remembered, because the way back shows the same versions as the way there, and so does the next operation: printing YAML took half of the time of
 * making a plan.
 */
function rememberedLinesOf(value: unknown): string[] {
  const key = JSON.stringify(value);
  const lines = remembered.get(key) ?? linesOf(value);
  remembered.delete(key);
  remembered.set(key, lines);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
  return lines;
}

/** `kube-system/ConfigMap/kube-proxy`, in one line: names come from the cluster, and a line break would look like a line of the diff. */
function nameOf(object: unknown): string {
  if (!isRecord(object)) return '/dev/null';
  const metadata: Fields = isRecord(object.metadata) ? object.metadata : {};
  const parts = [metadata.namespace, object.kind, metadata.name].filter((part) => typeof part === 'string');
  return visibleLine(parts.join('/'));
}

type Hunk = { from: number; to: number };

/** Changes with the lines around them. Hunks that would touch become one. */
function hunksOf(changes: readonly LineChange[], context: number): Hunk[] {
  const hunks: Hunk[] = [];
  changes.forEach(({ kind }, index) => {
    if (kind === 'same') return;
    const wanted = { from: Math.max(0, index - context), to: Math.min(changes.length, index + context + 1) };
    const last = hunks.at(-1);
    if (last && wanted.from <= last.to) last.to = wanted.to;
    else hunks.push(wanted);
  });
  return hunks;
}

const signs: Record<LineChange['kind'], string> = { same: ' ', removed: '-', added: '+' };

function hunkLines(changes: readonly LineChange[], { from, to }: Hunk): string[] {
  const count = (slice: readonly LineChange[], other: LineChange['kind']) =>
    slice.filter(({ kind }) => kind !== other).length;
  const hunk = changes.slice(from, to);
  const range = (other: LineChange['kind']) => {
    const length = count(hunk, other);
    const before = count(changes.slice(0, from), other);
    // An empty range names the line before it: https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html
    return `${length === 0 ? before : before + 1},${length}`;
  };
  return [`@@ -${range('added')} +${range('removed')} @@`, ...hunk.map(({ kind, text }) => `${signs[kind]}${text}`)];
}
