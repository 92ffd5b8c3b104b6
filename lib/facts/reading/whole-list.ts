import { names, type Resource, resources } from '#lib/spec/index.ts';

/** Every cluster runs pods of its own, its agents among them, in one of these namespaces. */
const system = /^(?:kube-system|calico-system|tigera-operator|calico-.*|openshift-.*)$/;
const workloads: ReadonlySet<Resource> = new Set([resources.pods, resources.daemonSets, resources.deployments]);

/** Kinds of which every cluster has objects in namespaces that are known. */
export function tellsWhole(resource: Resource): boolean {
  return workloads.has(resource) || resource === resources.services;
}

/**
 * What a dump's list of the kind lacks of what every such list of a whole cluster holds; null: nothing that is known. A list without it is a part (of one
 * namespace, of one label). None at all is a list that says so. Where the operator installed Calico, the agents run apart from the cluster's own pods.
 */
export function lackingOfWhole(
  resource: Resource,
  objects: readonly { readonly namespace: string; readonly name: string }[],
  byOperator: boolean,
): string | null {
  if (objects.length === 0) return null;
  const namespaces = new Set(objects.map(({ namespace }) => namespace));
  const isElsewhere = (home: string) => [...namespaces].some((namespace) => namespace !== home);
  if (resource === resources.services) {
    // The API server makes this Service itself, and again where somebody deletes it (kubernetes pkg/controlplane/controller/kubernetesservice).
    if (!objects.some(({ namespace, name }) => namespace === 'default' && name === 'kubernetes'))
      return 'Service default/kubernetes';
    return isElsewhere('default') ? null : 'any outside of default, such as that of the cluster DNS';
  }
  if (![...namespaces].some((namespace) => system.test(namespace))) return 'any of kube-system or of Calico';
  if (!byOperator) return null;
  if (!namespaces.has(names.calicoNamespace)) return `any of ${names.calicoNamespace}`;
  return isElsewhere(names.calicoNamespace) ? null : `any outside of ${names.calicoNamespace}`;
}
