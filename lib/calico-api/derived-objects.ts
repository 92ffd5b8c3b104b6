import { type ObjectRef, resources } from '#lib/spec/index.ts';

type Derived = {
  /** The kind in `projectcalico.org/v3`. */
  readonly kind: string;
  readonly prefix: string;
  /** The object from the name's part after the prefix and the namespace of the referring object. Null: invalid. */
  from(rest: string, namespace: string | undefined): ObjectRef | null;
};

/**
 * Objects that Calico's API computes from Kubernetes objects. They are not stored, and their UIDs derive from those of their sources
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
    // Names of ServiceAccounts may have dots, names of namespaces may not.
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

/** The Kubernetes object from which Calico's API computes this one; null: it is not computed. `namespace`: of the referring object. */
export function derivedFrom(kind: string, name: string, namespace: string | undefined): ObjectRef | null {
  const row = derived.find((one) => one.kind === kind && name.startsWith(one.prefix));
  const source = row?.from(name.slice(row.prefix.length), namespace);
  return source && source.name !== '' && source.namespace !== '' ? source : null;
}
