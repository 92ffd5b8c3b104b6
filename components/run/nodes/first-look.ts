import { isObjectName, labelName } from '#lib/base/object-names.ts';
import type { Subject } from '#lib/facts/index.ts';

/** After so many seconds a wait is explained (reference › ui.md D5). */
export const explainAfterSeconds = 30;

/**
 * The kubectl command to look first at what the run waits for; null if none helps. `kubectl`: with the flags that name the cluster. Names come from the cluster, so only what Kubernetes allows as a
 * name goes into a command. Pure.
 */
export function firstLook({ kind, namespace, name }: Subject, kubectl: string): string | null {
  if (!isObjectName(name) || (namespace !== null && !labelName.test(namespace))) return null;
  const within = namespace === null ? '' : ` -n ${namespace}`;
  switch (kind) {
    case 'Node':
      return `${kubectl} get pods -n calico-system -o wide --field-selector spec.nodeName=${name}`;
    case 'Pod':
    case 'DaemonSet':
    case 'Deployment':
      return `${kubectl} describe ${kind.toLowerCase()} ${name}${within}`;
    case 'TigeraStatus':
    case 'Installation':
      return `${kubectl} get tigerastatus`;
    default:
      return null;
  }
}
