import { calicoOf, names, type ReleaseContents, releaseAtLeast } from '#lib/spec/index.ts';
import { mayBeDefined } from '../objects/may-be-defined.ts';
import { definitionsOf, requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import { PlanError } from '../plan-error.ts';
import { installationDocument, refuseInvalidInstallation } from './installation-document.ts';

type Known = Pick<PlanContext, 'facts' | 'choices' | 'release'>;

/** Refuses what cannot be planned as *install*. Throws PlanError with the field. */
export function refuseInstall(known: Known): void {
  const { method } = known.facts.installation;
  if (method === 'manifest-kdd' || method === 'manifest-etcd')
    throw new PlanError(
      'goal.not-planned',
      'goal: Calico is here already, installed by manifest, and the presence of an operator would begin to move it. That is a migration, which this version does not plan.',
      ['goal'],
    );
  if (known.choices.method !== undefined && known.choices.method !== 'operator')
    throw new PlanError(
      'choices.method',
      `method: ${known.choices.method} is not possible for an installation. Use the method operator.`,
      ['method'],
    );
  refuseForeignKinds(requiredRelease(known));
  if (known.choices.automatic === true) refuseAutomatic(known);
  else refuseManagement(known);
  refuseInvalidInstallation(known);
}

/** Refuses definitions of other products' kinds: a file that brings them could replace the kinds of another product on the cluster. */
function refuseForeignKinds(release: ReleaseContents): void {
  const strange = definitionsOf(release)?.targets.find(({ name }) => !mayBeDefined(name));
  if (strange === undefined) return;
  throw new PlanError(
    'release.object',
    `release: ${release.version} in ${release.source} defines ${strange.name}, which belongs to neither Calico nor what Calico Enterprise brings along. Take it out of the file, and apply it yourself.`,
    ['release'],
  );
}

/** Refuses management of kube-proxy: the operator would turn it off at its first reconcile, before any node is proven (controlplane.md › Recordings 12). */
function refuseManagement(known: Known): void {
  if (installationDocument(known).calicoNetwork?.kubeProxyManagement === 'Enabled')
    throw new PlanError(
      'choices.installation',
      'installation: spec.calicoNetwork.kubeProxyManagement Enabled turns the service proxy off before any node is proven; choose automatic with what it means, or leave the field out.',
      ['installation', 'calicoNetwork', 'kubeProxyManagement'],
    );
}

/** calico.md §3.3, §3.6, §13 nos. 1, 6: the conditions of the operator’s automatic mode, one row each. */
const conditions: readonly { holds(known: Known): boolean; otherwise(known: Known): string }[] = [
  {
    holds: ({ choices }) => choices.dataplane !== 'Iptables',
    otherwise: () => 'automatic mode is for eBPF, and the standard data plane was chosen',
  },
  {
    holds: (known) => releaseAtLeast(calicoOf(requiredRelease(known)) ?? '', '3.31') === 'yes',
    otherwise: (known) => `it exists from Calico v3.31 on, and ${requiredRelease(known).version} was chosen`,
  },
  {
    holds: ({ choices }) => choices.endpoint === undefined,
    otherwise: () => 'automatic mode takes no address of the API server, and one was chosen; leave endpoint out',
  },
  {
    holds: ({ choices }) => choices.keepProxy !== true,
    otherwise: () => 'automatic mode turns the service proxy off, and keepProxy says that it stays',
  },
  {
    holds: ({ facts }) => facts.endpoint.configMap === null,
    otherwise: ({ facts }) =>
      `ConfigMap ${facts.endpoint.configMap?.namespace}/kubernetes-services-endpoint is there, which excludes it; delete it, or do without automatic`,
  },
  {
    holds: ({ facts }) => facts.proxy.kind === 'daemonset',
    otherwise: ({ facts }) =>
      `it needs a kube-proxy that runs as DaemonSet kube-system/kube-proxy, and here ${facts.proxy.kind === 'none' ? 'there is none' : `it is ${facts.proxy.kind}`}`,
  },
  {
    // The operator's own mark comes from this very mode.
    holds: ({ facts }) => facts.proxy.managedBy === null || facts.proxy.managedBy === names.operatorDeployment,
    otherwise: ({ facts }) =>
      `DaemonSet kube-system/kube-proxy is managed by ${facts.proxy.managedBy}, and the operator refuses to touch it`,
  },
  {
    holds: ({ facts }) => facts.endpoint.apiServers.length > 0,
    otherwise: () =>
      'it needs the addresses of the API servers, and no EndpointSlice of Service default/kubernetes has any',
  },
];

function refuseAutomatic(known: Known): void {
  const failing = conditions.find(({ holds }) => !holds(known));
  if (failing) throw new PlanError('choices.automatic', `automatic: ${failing.otherwise(known)}.`, ['automatic']);
}
