import { isRecord } from '#lib/base/records.ts';
import { chartDefaults, movedBetween, movedValues, pinnedValues, type ReleaseContents } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { fieldAt } from '../../objects/field.ts';

type Values = Readonly<Record<string, unknown>>;
type To = Pick<ReleaseContents, 'version' | 'operator'>;

/**
 * What `helm upgrade` sets beside the values that the release has: those that moved, at their new place, and those that would keep a component at
 * the old release. All others stay as they are, and never pass through here. At its old place a value stays too, where the new chart ignores it: with
 * `--set OLD=null` Helm 3.22 and 4.3 also take it out of their record of the revision before, and what is rolled back to has lost it for good.
 */
export function changedValues(values: Values, from: string, to: To): Record<string, string> {
  const moved = movedBetween(from, to.version).flatMap(({ from: old, to: place }) => {
    const value = at(values, old);
    if (value === undefined || value === null) return [];
    return at(values, place) === undefined ? [[place, String(value)] as const] : [];
  });
  const pinned = pinnedValues.flatMap(({ path, release }) => {
    const wanted = release === 'operator' ? to.operator : to.version;
    const value = at(values, path);
    return value === undefined || value === null || value === wanted ? [] : [[path, wanted] as const];
  });
  return Object.fromEntries([...moved, ...pinned]);
}

/**
 * The values that somebody gave the release, line by line: what goes, what comes, what stays, and what the chart says by itself where that is known.
 * What looks like a secret is masked in the facts already.
 */
export function valuesDiff(
  values: Values,
  set: Readonly<Record<string, string>>,
  charts: { old: string; next: string },
): string {
  const leaves = leavesOf(values);
  const lines = leaves.flatMap(([path, value]) => {
    const moved = movedValues.find(({ from, to }) => from === path && Object.hasOwn(set, to));
    if (moved) return [` ${line(path, value)}  # ignored at this place`];
    return [`${Object.hasOwn(set, path) ? '-' : ' '}${line(path, value)}`];
  });
  const comes = Object.entries(set).map(([path, value]) => `+${line(path, value)}`);
  const all = [...lines, ...comes];
  const head = [`--- values of ${charts.old}`, `+++ values of ${charts.next}`];
  return `${[...head, ...(all.length > 0 ? all : [' {}'])].join('\n')}\n`;
}

/** One line, whatever people wrote: a line of its own would look like a change that nobody plans. */
function line(path: string, value: unknown): string {
  const own = Object.hasOwn(chartDefaults, path) ? `  # the chart's own: ${JSON.stringify(chartDefaults[path])}` : '';
  return `${visibleLine(path)}: ${visibleLine(typeof value === 'string' ? value : JSON.stringify(value))}${own}`;
}

/** Maps are followed to their ends; a list is one value. */
function leavesOf(value: unknown, above: readonly string[] = []): [string, unknown][] {
  if (!isRecord(value) || (Object.keys(value).length === 0 && above.length > 0)) return [[above.join('.'), value]];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...above, key]));
}

function at(values: Values, path: string): unknown {
  return fieldAt(values, path.split('.'));
}

/** A path on nodes, or that there is none: what helm could read as something else is not written. */
export function isMovedValue(value: unknown): boolean {
  return typeof value === 'string' && /^(None|\/[A-Za-z0-9._/-]{0,500})$/.test(value);
}
