import type { MissingRule } from './access-rule.ts';

/** The purpose of a permission, which decides its Role in `signalbox rbac`. */
export type RoleKindId = 'read' | 'write' | 'proof' | 'helm' | 'aws' | 'probe' | 'flows';

export type RoleKind = {
  readonly id: RoleKindId;
  /** `optional`: Signalbox works without it; `without` says what is lost. */
  readonly needed: 'always' | 'optional';
  readonly purpose: string;
  readonly without: string;
  fits(rule: MissingRule): boolean;
};

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const looksIntoPods: ReadonlySet<string> = new Set(['log', 'proxy', 'exec']);
/** The DaemonSet of EKS's own network (calico.md §2.1). */
const awsNode = 'aws-node';

/** The first match decides; every rule matches one. */
const byNarrowness: readonly RoleKind[] = [
  {
    id: 'proof',
    needed: 'optional',
    purpose:
      'looks into the pods of Calico and kube-proxy, by log, pod proxy and exec, to prove each node; an opened step shows the logs of those that hold it up',
    without:
      'nodes are not verified, and a run pauses where it would prove them until you accept that; opened steps show no logs',
    fits: ({ subresource }) => subresource !== undefined && looksIntoPods.has(subresource),
  },
  {
    id: 'helm',
    needed: 'optional',
    purpose: 'works with Helm’s releases, which Helm keeps in Secrets',
    without: 'the values of a Helm release are not read, and a plan that upgrades one is blocked',
    fits: ({ group, resource }) => group === '' && resource === 'secrets',
  },
  {
    id: 'aws',
    needed: 'optional',
    purpose: 'removes the network that EKS brings, and brings it back on undo',
    without: 'a plan that replaces the VPC CNI of EKS is blocked; no other plan needs it',
    fits: ({ resource, verb, name }) =>
      resource === 'daemonsets' && !reads.has(verb) && (verb === 'create' || name === awsNode),
  },
  {
    id: 'read',
    needed: 'always',
    purpose: 'reads what the checks judge, and the progress of a run; holds no Secret and no right to write',
    without: 'checks say not verified, and no plan can be made',
    // All kinds of a namespace include its Secrets.
    fits: ({ verb, resource, namespace }) => reads.has(verb) && !(resource === '*' && namespace !== undefined),
  },
  {
    id: 'write',
    needed: 'always',
    purpose: 'writes what the run writes: its journal, and the objects that its plan names',
    without: 'every plan is blocked',
    fits: () => true,
  },
];

const shown: readonly RoleKindId[] = ['read', 'write', 'proof', 'helm', 'aws'];

/** In display order, required ones first. */
export const roleKinds: readonly RoleKind[] = shown.flatMap((id) => byNarrowness.filter((kind) => kind.id === id));

export function roleKindOf(rule: MissingRule): RoleKind {
  const found = byNarrowness.find((kind) => kind.fits(rule));
  if (!found) throw new Error(`No Role is for ${rule.verb} ${rule.resource}.`);
  return found;
}
