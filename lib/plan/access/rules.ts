import { names, operatorDefinitions, type Resource, resources } from '#lib/spec/index.ts';
import type { HelmRecords, RuleScope } from '../operation.ts';
import type { Rule } from '../schema/planned-operation.ts';

/** RBAC rules in the form in which operations state them. `list` and `watch` are never limited by name, as RBAC allows that only for single objects. */

export type Where = { namespace?: string; names?: string[]; subresource?: string };

/** An RBAC rule for one resource. `where`: namespace (default: cluster-wide), subresource, names of objects. */
export function rule(resource: Resource, verbs: string[], where: Where = {}): Rule {
  return { group: resource.group, resource: resource.plural, verbs, ...where };
}

/** The scope without facts and release: the usual names, both groups of FelixConfiguration, and the kinds of Calico’s own releases. */
export const usualScope: RuleScope = {
  operatorNamespace: names.operatorNamespace,
  calicoNamespace: names.calicoNamespace,
  dnsServices: [{ namespace: names.systemNamespace, name: names.kubeDnsService }],
  felix: [resources.felixConfigurations, resources.felixConfigurationsV3],
  definedGroups: [...new Set(operatorDefinitions.map(({ group }) => group))],
  definitions: operatorDefinitions.flatMap(({ group, plurals }) => plurals.map((plural) => `${plural}.${group}`)),
  customResources: [resources.installations, resources.apiServers, resources.goldmanes, resources.whiskers].map(
    (resource) => ({ resource, name: 'default' }),
  ),
};

const follow = ['get', 'list', 'watch'];

/** To watch a rollout and see which pods delay it. */
export function followWorkloads(namespace: string): Rule[] {
  return [
    rule(resources.daemonSets, follow, { namespace }),
    rule(resources.deployments, follow, { namespace }),
    rule(resources.pods, follow, { namespace }),
    rule(resources.events, ['list'], { namespace }),
    // To tell a namespace that does not exist from one that may not be read.
    rule(resources.namespaces, ['get'], { names: [names.earlierApiServerNamespace] }),
  ];
}

/** operations.md › Proof of a node: our agent through the pod proxy, Calico's log, then exec. */
export function proveNodes({ calicoNamespace: namespace, felix }: RuleScope): Rule[] {
  return [
    ...followWorkloads(namespace),
    rule(resources.pods, ['get'], { namespace, subresource: 'log' }),
    rule(resources.pods, ['get'], { namespace, subresource: 'proxy' }),
    rule(resources.pods, ['create', 'get'], { namespace, subresource: 'exec' }),
    rule(resources.nodes, follow),
    rule(resources.installations, follow),
    rule(resources.tigeraStatuses, follow),
    ...felix.map((resource) => rule(resource, follow)),
  ];
}

/** operations.md › Proxy is back: the proxy's pods, and its rules by exec. */
export function proveProxy(namespace: string): Rule[] {
  return [
    rule(resources.daemonSets, follow, { namespace }),
    rule(resources.pods, follow, { namespace }),
    rule(resources.pods, ['create', 'get'], { namespace, subresource: 'exec' }),
    rule(resources.services, ['list']),
  ];
}

/** The rules for reading and patching FelixConfiguration `default`, in each group in which it may be written. */
export function writeFelix({ felix }: RuleScope): Rule[] {
  return felix.map((resource) => rule(resource, ['get', 'patch'], { names: [names.felixConfiguration] }));
}

export const writeInstallation: Rule = rule(resources.installations, ['get', 'patch'], { names: [names.installation] });

/**
 * What helm does with its records. It finds a release's revisions by label and creates new ones, and RBAC limits neither by name: an account that may
 * run helm may read every Secret in that namespace. Records that are read one by one or changed are named. None is deleted, because helm is told to keep
 * all of them (helm-arguments.ts).
 */
export function keepHelmRecords(records: HelmRecords | undefined, namespace: string): Rule[] {
  const helmRecords = records ?? { resource: resources.secrets, namespace, names: null };
  const where = { namespace: helmRecords.namespace };
  return [
    rule(helmRecords.resource, ['create', 'list'], where),
    rule(helmRecords.resource, ['get', 'update'], {
      ...where,
      ...(helmRecords.names && { names: [...helmRecords.names] }),
    }),
  ];
}
