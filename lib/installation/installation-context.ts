import { enterpriseKindsOf, isEnterpriseTrain, runsAgent, wasRead } from '#lib/spec/index.ts';
import type { FieldSchema } from './field-schema.ts';
import { hasProviderAgent, type InstallationBasis } from './installation-facts.ts';
import type { Provider } from './installation-spec.ts';
import type { PoolContext } from './pools/pool-rules.ts';
import { installationSchema } from './release-parts.ts';
import type { Context } from './rules.ts';

/** The context in which an Installation is validated, as plain data for the browser. Absent fields were not read, and their rules are skipped. */
export type InstallationContext = Omit<PoolContext, 'cni'> &
  Context & {
    readonly provider?: Provider;
    readonly awsNode?: boolean;
    /** Calico's and the operator's versions, `v3.31.4` and `v1.40.7`. */
    readonly release?: { readonly version: string; readonly operator: string };
    readonly schema?: FieldSchema;
    /** Kinds in the release's files that only Calico Enterprise has, and whether its operator has a version that only Enterprise uses. */
    readonly enterprise?: { readonly kinds: readonly string[]; readonly isItsOperator: boolean };
    /** Answers of other steps, which the Installation must not contradict. */
    readonly chosen?: { readonly dataplane: 'BPF' | 'Iptables'; readonly automatic: boolean };
    readonly proxy?: string;
    /** The cluster has IP pools, so that the operator creates none by itself (calico.md §2.3). */
    readonly hasPools?: boolean;
    /** kubeadm's configuration exists without podSubnet, so that the operator creates no pool (calico.md §2.3). */
    readonly kubeadmWithoutRange?: boolean;
  };

/** Sources of the pods' ranges that the operator reads itself; it refuses pools outside of them (calico.md §2.3). */
const binding: readonly (string | null)[] = ['openshift', 'kubeadm'];

export function installationContextOf({ facts, choices, release }: InstallationBasis): InstallationContext {
  const { podCIDRs, podCIDRsFrom, serviceCIDRs } = facts.cluster;
  // The operator uses existing pools (calico.md §2.3); those that could not be read may exist.
  const hasPools = wasRead(facts, 'pools') ? facts.pools.length > 0 : null;
  const isFresh = hasPools === false;
  const isBinding = binding.includes(podCIDRsFrom);
  const detected = facts.platform.provider?.detected;
  const schema = release === null ? null : installationSchema(release);
  return {
    // Where pools could not be read they are taken for none: the operator would refuse a pool outside only when it is too late.
    ...(isBinding && hasPools !== true ? { platformCIDRs: podCIDRs } : {}),
    // The nodes' podCIDRs are only a part of the range, and pools need not be inside them.
    ...(!isBinding && podCIDRsFrom !== 'nodes' ? { podCIDRs } : {}),
    ...(hasPools === null ? {} : { hasPools }),
    kubeadmWithoutRange:
      isFresh && !isBinding && Boolean(facts.resources.objects['kube-system/ConfigMap/kubeadm-config']),
    serviceCIDRs,
    serviceAddresses: facts.endpoint.clusterIPs,
    ...(wasRead(facts, 'nodes')
      ? {
          nodes: facts.nodes.map(({ name, addresses }) => ({ name, addresses })),
          nodeCount: facts.nodes.filter(runsAgent).length,
        }
      : {}),
    ...(detected === undefined ? {} : { provider: detected }),
    awsNode: hasProviderAgent(facts, 'AmazonVPC'),
    endpointConfigMap: facts.endpoint.configMap !== null,
    // A cluster that answers has an API server, so an empty list means that they could not be read.
    ...(facts.endpoint.apiServers.length > 0 ? { apiServerEndpoints: facts.endpoint.apiServers } : {}),
    ...(release
      ? { release: { version: release.version, operator: release.operator }, calicoVersion: release.version }
      : {}),
    ...(schema ? { schema } : {}),
    // The operator of a bundle without definitions installs them itself, so they are unknown here.
    ...(release && schema
      ? { enterprise: { kinds: enterpriseKindsOf(release), isItsOperator: isEnterpriseTrain(release.operator) } }
      : {}),
    chosen: { dataplane: choices.dataplane ?? 'BPF', automatic: choices.automatic === true },
    proxy: facts.proxy.kind,
  };
}
