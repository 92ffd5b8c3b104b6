import type { Subject } from '#lib/facts/index.ts';

/** `kube-system/DaemonSet/kube-proxy` or `Installation/default`, taken apart for a finding. */
export function objectSubject(object: string): Omit<Subject, 'detail'> {
  const [name = object, kind = 'Object', namespace = null] = object.split('/').reverse();
  return { kind, namespace, name };
}

/** The object as arguments of kubectl: `-n kube-system daemonset kube-proxy`. */
export function kubectlArguments(object: string, word: (text: string) => string): string {
  const { kind, namespace, name } = objectSubject(object);
  return `${namespace === null ? '' : `-n ${word(namespace)} `}${word(kind.toLowerCase())} ${word(name)}`;
}
