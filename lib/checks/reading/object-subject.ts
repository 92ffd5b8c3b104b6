import type { Subject } from '#lib/facts/index.ts';

/** `kube-system/DaemonSet/kube-proxy` or `Installation/default`, taken apart for a finding. */
export function objectSubject(object: string): Omit<Subject, 'detail'> {
  const [name = object, kind = 'Object', namespace = null] = object.split('/').reverse();
  return { kind, namespace, name };
}

/** The object as arguments of kubectl: `-n kube-system daemonset kube-proxy`. */
export function kubectlArguments(object: string, word: (text: string) => string): string {
  const { kind, namespace, name } = objectSubject(object);
  return `${namespace === null ? '' : `-n ${word(namespace)} `}${kindAndName({ kind, name }, word)}`;
}

/**
 * `daemonset kube-proxy`. A name that begins with a hyphen stands behind its kind, `role/--server=…`: Roles may have such names, and kubectl would take
 * it for a flag.
 */
export function kindAndName({ kind, name }: Pick<Subject, 'kind' | 'name'>, word: (text: string) => string): string {
  const lower = kind.toLowerCase();
  return name.startsWith('-') ? word(`${lower}/${name}`) : `${word(lower)} ${word(name)}`;
}
