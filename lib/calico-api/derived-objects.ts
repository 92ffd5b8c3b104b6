import { type ObjectRef, resources } from '#lib/spec/index.ts';

type Derived = {
  /** The kind in `projectcalico.org/v3`. */
  readonly kind: string;
  readonly prefix: string;
  /** From what is behind the prefix, and the namespace of whoever names it. Null: nothing can be named so. */
  from(rest: string, namespace: string | undefined): ObjectRef | null;
};

/**
 * What Calico's API shows of objects of Kubernetes: nothing of it is stored, and its UID follows from that of the object that it is made of
 * (libcalico-go/lib/backend/k8s/conversion/conversion.go, read 2026-11-27; calico.md §12).
 */
const derived: readonly Derived[] = [
  {
    kind: 'Profile',
    prefix: 'kns.',
    from: (name) => ({ resource: resources.namespaces, name }),
  },
  {
    kind: 'Profile',
    prefix: 'ksa.',
    // Names of ServiceAccounts may hold dots, those of namespaces may not.
    from: (rest) => {
      const [namespace = '', ...name] = rest.split('.');
      return { resource: resources.serviceAccounts, namespace, name: name.join('.') };
    },
  },
  {
    kind: 'NetworkPolicy',
    prefix: 'knp.default.',
    from: (name, namespace) =>
      namespace === undefined ? null : { resource: resources.networkPolicies, namespace, name },
  },
];

/** The object of Kubernetes from which Calico's API computes this one; null: it is stored as its own, or nowhere. `namespace`: of whoever names it. */
export function derivedFrom(kind: string, name: string, namespace: string | undefined): ObjectRef | null {
  const row = derived.find((one) => one.kind === kind && name.startsWith(one.prefix));
  const source = row?.from(name.slice(row.prefix.length), namespace);
  return source && source.name !== '' && source.namespace !== '' ? source : null;
}
