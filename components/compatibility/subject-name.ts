import type { Subject } from '#lib/facts/index.ts';

/** Nodes by name only; other subjects with their kind. */
export function subjectName({ kind, namespace, name }: Subject): string {
  if (kind === 'Node' || kind === 'Endpoint') return name;
  return namespace === null ? `${kind}/${name}` : `${namespace}/${kind}/${name}`;
}
