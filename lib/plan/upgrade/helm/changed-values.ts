import { isRecord } from '#lib/base/records.ts';
import { chartDefaults, movedBetween, movedValues, pinnedValues, type ReleaseContents } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { fieldAt } from '../../objects/field.ts';

type Values = Readonly<Record<string, unknown>>;
type To = Pick<ReleaseContents, 'version' | 'operator'>;

/**
 * Values that `helm upgrade` must set, by path: those that moved, at their new path, and those that would keep a component at the old release. All
 * other values stay as they are. A moved value also stays at its old path, which the new chart ignores: with `--set OLD=null` Helm
 * 3.22 and 4.3 take it out of the record of the earlier revision too, and a rollback would lose it.
 */
export function changedValues(values: Values, from: string, to: To): Record<string, string> {
  const moved = movedBetween(from, to.version).flatMap(({ from: oldPath, to: newPath }) => {
    const value = at(values, oldPath);
    if (value === undefined || value === null) return [];
    return at(values, newPath) === undefined ? [[newPath, String(value)] as const] : [];
  });
  const pinned = pinnedValues.flatMap(({ path, release }) => {
    const wanted = release === 'operator' ? to.operator : to.version;
    const value = at(values, path);
    return value === undefined || value === null || value === wanted ? [] : [[path, wanted] as const];
  });
  return Object.fromEntries([...moved, ...pinned]);
}

/** A value of a Helm release now and after the upgrade, and the chart's default if it is known. `undefined`: not set. */
export type HelmValue = {
  path: string;
  now: unknown;
  next: unknown;
  chart: unknown;
  /** `moved`: it stays at its old place, where the new chart ignores it. */
  becomes: 'same' | 'changed' | 'added' | 'moved';
};

/** Values that people gave the release and those that the upgrade sets, in the order of the diff. */
export function helmValues(values: Values, set: Readonly<Record<string, string>>): HelmValue[] {
  const chart = (path: string) => (Object.hasOwn(chartDefaults, path) ? chartDefaults[path] : undefined);
  const leaves = new Map(leavesOf(values));
  const given = [...leaves].map(([path, now]): HelmValue => {
    const isMoved = movedValues.some(({ from, to }) => from === path && Object.hasOwn(set, to));
    const next = Object.hasOwn(set, path) ? set[path] : now;
    const becomes = isMoved ? 'moved' : Object.hasOwn(set, path) ? 'changed' : 'same';
    return { path, now, next, chart: chart(path), becomes };
  });
  const added = Object.entries(set).flatMap(([path, next]): HelmValue[] =>
    leaves.has(path) ? [] : [{ path, now: undefined, next, chart: chart(path), becomes: 'added' }],
  );
  return [...given, ...added];
}

/** The values of a Helm release as a diff, with the chart's defaults as comments. Values that look like secrets are already masked in the facts. */
export function valuesDiff(
  values: Values,
  set: Readonly<Record<string, string>>,
  charts: { old: string; next: string },
): string {
  const all = helmValues(values, set);
  const lines = all.flatMap(({ path, now, becomes }) => {
    if (becomes === 'added') return [];
    if (becomes === 'moved') return [` ${line(path, now)}  # ignored at this place`];
    return [`${becomes === 'changed' ? '-' : ' '}${line(path, now)}`];
  });
  const comes = all.flatMap(({ path, next, becomes }) =>
    becomes === 'changed' || becomes === 'added' ? [`+${line(path, next)}`] : [],
  );
  const both = [...lines, ...comes];
  const head = [`--- values of ${charts.old}`, `+++ values of ${charts.next}`];
  return `${[...head, ...(both.length > 0 ? both : [' {}'])].join('\n')}\n`;
}

/** A value as one line, with line breaks made visible: a second line would look like another change. */
function line(path: string, value: unknown): string {
  const own = Object.hasOwn(chartDefaults, path) ? `  # the chart's own: ${JSON.stringify(chartDefaults[path])}` : '';
  return `${visibleLine(path)}: ${visibleLine(typeof value === 'string' ? value : JSON.stringify(value))}${own}`;
}

/** The values of a map by path; a list is one value. */
function leavesOf(value: unknown, above: readonly string[] = []): [string, unknown][] {
  if (!isRecord(value) || (Object.keys(value).length === 0 && above.length > 0)) return [[above.join('.'), value]];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...above, key]));
}

function at(values: Values, path: string): unknown {
  return fieldAt(values, path.split('.'));
}

/** Whether helm reads a moved value as it stands: a path on nodes, or `None`. Other characters have a meaning in `--set`. */
export function isMovedValue(value: unknown): boolean {
  return typeof value === 'string' && /^(None|\/[A-Za-z0-9._/-]{0,500})$/.test(value);
}
