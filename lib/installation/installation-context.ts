import { enterpriseKindsOf, isEnterpriseTrain, runsAgent } from '#lib/spec/index.ts';
import type { FieldSchema } from './field-schema.ts';
import { hasProviderAgent, type InstallationBasis } from './installation-facts.ts';
import type { Provider } from './installation-spec.ts';
import type { PoolContext } from './pool-problems.ts';
import { installationSchema } from './release-parts.ts';
import type { Context } from './rules.ts';

/** All that the problems of an Installation follow from, as plain data that can go to a browser. What is left out was not looked at. */
export type InstallationContext = Omit<PoolContext, 'cni'> &
  Context & {
    readonly provider?: Provider;
    readonly awsNode?: boolean;
    /** Calico's and the operator's versions, `v3.31.4` and `v1.40.7`. */
    readonly release?: { readonly version: string; readonly operator: string };
    readonly schema?: FieldSchema;
    /** Kinds of Calico Enterprise alone that the release's files define, and whether its operator is of a train that only Enterprise has. */
    readonly enterprise?: { readonly kinds: readonly string[]; readonly isItsOperator: boolean };
    /** What was answered elsewhere, and what the Installation must not contradict. */
    readonly asked?: { readonly dataplane: 'BPF' | 'Iptables'; readonly automatic: boolean };
    readonly proxy?: string;
    /** IP pools are on the cluster already: the operator then makes none by itself (calico.md §2.3). */
    readonly hasPools?: boolean;
    /** kubeadm's configuration is there and names no podSubnet: the operator then makes no pool at all (calico.md §2.3). */
    readonly kubeadmWithoutRange?: boolean;
  };

/** Whose word on the pods' ranges the operator takes itself, and refuses pools outside of them (calico.md §2.3). */
const binding: readonly (string | null)[] = ['openshift', 'kubeadm'];

export function installationContextOf({ facts, choices, release }: InstallationBasis): InstallationContext {
  const { podCIDRs, podCIDRsFrom, serviceCIDRs } = facts.cluster;
  // Pools that are there already are what the operator goes by (calico.md §2.3).
  const isFresh = facts.pools.length === 0;
  const isBinding = binding.includes(podCIDRsFrom);
  const detected = facts.platform.provider?.detected;
  const schema = release === null ? null : installationSchema(release);
  return {
    ...(isBinding && isFresh ? { platformCIDRs: podCIDRs } : {}),
    // What nodes were handed is a part of the range, and nobody holds a pool to it.
    ...(!isBinding && podCIDRsFrom !== 'nodes' ? { podCIDRs } : {}),
    hasPools: !isFresh,
    kubeadmWithoutRange:
      isFresh && !isBinding && Boolean(facts.resources.objects['kube-system/ConfigMap/kubeadm-config']),
    serviceCIDRs,
    serviceAddresses: facts.endpoint.clusterIPs,
    nodes: facts.nodes.map(({ name, addresses }) => ({ name, addresses })),
    nodeCount: facts.nodes.filter(runsAgent).length,
    ...(detected === undefined ? {} : { provider: detected }),
    awsNode: hasProviderAgent(facts, 'AmazonVPC'),
    endpointConfigMap: facts.endpoint.configMap !== null,
    // None at all is what could not be read: a cluster that answers has an API server.
    ...(facts.endpoint.apiServers.length > 0 ? { apiServerEndpoints: facts.endpoint.apiServers } : {}),
    ...(release
      ? { release: { version: release.version, operator: release.operator }, calicoVersion: release.version }
      : {}),
    ...(schema ? { schema } : {}),
    // A bundle without definitions has an operator that brings them itself: which, nobody can read there.
    ...(release && schema
      ? { enterprise: { kinds: enterpriseKindsOf(release), isItsOperator: isEnterpriseTrain(release.operator) } }
      : {}),
    asked: { dataplane: choices.dataplane ?? 'BPF', automatic: choices.automatic === true },
    proxy: facts.proxy.kind,
  };
}
