import type { KubeObject } from '#lib/kube/index.ts';
import { type Exception, exceptions } from './exceptions.ts';

/** One place where two clusters differ beyond the exceptions. */
export type Difference = { object: string; path: string; before: unknown; after: unknown };

/** Whole objects of all kinds, compared. Pods are matched by owner and node, everything else by kind, namespace and name. */
export function clusterDifferences(
  before: readonly KubeObject[],
  after: readonly KubeObject[],
  except: readonly Exception[] = exceptions,
): Difference[] {
  const left = byIdentity(before, except);
  const right = byIdentity(after, except);
  const differences: Difference[] = [];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const [was, is] = [left.get(key), right.get(key)];
    if (was === undefined || is === undefined)
      differences.push({ object: key, path: '', before: was && 'there', after: is && 'there' });
    else compare(key, '', was, is, differences);
  }
  return differences;
}

/** Throws with every difference and the table of exceptions: what a test prints when an undo was not exact. */
export function expectSameCluster(before: readonly KubeObject[], after: readonly KubeObject[]): void {
  const differences = clusterDifferences(before, after);
  if (differences.length === 0) return;
  throw new Error(
    [
      `${differences.length} differences between the cluster before and after:`,
      ...differences.slice(0, 40).map(inWords),
      'Only these may differ:',
      ...exceptions.map(({ name, because }) => `  ${name}: ${because}`),
    ].join('\n'),
  );
}

function inWords({ object, path, before, after }: Difference): string {
  const text = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value).slice(0, 300));
  return `  ${object} ${path}: was ${text(before)}, is ${text(after)}`;
}

function byIdentity(objects: readonly KubeObject[], except: readonly Exception[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const object of objects) {
    const applying = except.filter((one) => one.of(object));
    if (applying.some((one) => 'leaveOut' in one)) continue;
    const identity = identityOf(object);
    let key = identity;
    for (let next = 2; found.has(key); next++) key = `${identity} (${next})`;
    found.set(key, comparable(object, applying));
  }
  return found;
}

/** What is compared of objects that cannot change: a test compares the cluster before with that after many runs. */
const known = new WeakMap<KubeObject, { applying: readonly Exception[]; compared: unknown }>();

/** An object without what these exceptions forget. */
function comparable(object: KubeObject, applying: readonly Exception[]): unknown {
  const before = known.get(object);
  if (before?.applying.length === applying.length && before.applying.every((one, at) => one === applying[at]))
    return before.compared;
  const copy: unknown = JSON.parse(JSON.stringify(object));
  for (const one of applying) if ('forget' in one) for (const path of one.forget) forget(copy, path);
  const compared = withoutEmpty(copy);
  if (Object.isFrozen(object)) known.set(object, { applying, compared });
  return compared;
}

function identityOf({ apiVersion, kind, metadata, spec }: KubeObject): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  const of = `${kind}${group}/${metadata.namespace ?? ''}`;
  const owner = metadata.ownerReferences?.[0];
  if (kind !== 'Pod' || !owner) return `${of}/${metadata.name}`;
  const node = owner.kind === 'DaemonSet' ? ` on ${(spec as { nodeName?: string }).nodeName}` : '';
  return `${of}/of ${owner.kind} ${owner.name}${node}`;
}

/** Removes what a path names; `*` is every key, `prefix*` every key that begins so. */
function forget(value: unknown, [key, ...rest]: readonly string[]): void {
  if (value === null || typeof value !== 'object' || key === undefined) return;
  const record = value as Record<string, unknown>;
  const matches = key.endsWith('*') ? Object.keys(record).filter((one) => one.startsWith(key.slice(0, -1))) : [key];
  for (const match of matches) {
    if (rest.length > 0) forget(record[match], rest);
    else delete record[match];
  }
}

/** A map that lost its last key is as good as absent: annotations that came and went leave `{}` on some servers. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value)
    .map(([key, inner]) => [key, withoutEmpty(inner)] as const)
    .filter(([key, inner]) => !(mayBeEmpty.has(key) && isEmpty(inner)));
  return Object.fromEntries(kept);
}

const mayBeEmpty = new Set(['annotations', 'labels', 'nodeSelector', 'metadata']);

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function compare(object: string, path: string, before: unknown, after: unknown, into: Difference[]): void {
  if (Object.is(before, after)) return;
  const both = [before, after];
  if (both.some((one) => one === null || typeof one !== 'object') || Array.isArray(before) !== Array.isArray(after)) {
    into.push({ object, path, before, after });
    return;
  }
  const [left, right] = both as [Record<string, unknown>, Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
    compare(object, path === '' ? key : `${path}.${key}`, left[key], right[key], into);
}
