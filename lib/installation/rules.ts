import { parseCidr } from '#lib/base/ip.ts';
import type { InstallationSpec, Pool, Provider } from './installation-spec.ts';
import { ipamOfCni } from './operator-defaults.ts';
import { type Problem, poolPlace, problem, when } from './problem.ts';

/** What rules need besides the spec. Absent fields were not read, and rules that need them pass. */
export type Context = {
  provider?: Provider;
  /** The endpoint ConfigMap exists, even if empty (calico.md §2.4.12). */
  endpointConfigMap?: boolean;
  /** An API endpoint other than the Service's ClusterIP is known. */
  endpointKnown?: boolean;
  /** Addresses `ip:port` of EndpointSlices of Service default/kubernetes; null if that Service cannot be read. */
  apiServerEndpoints?: readonly string[] | null;
  /** Names of ImageSets. */
  imageSets?: readonly string[];
  calicoVersion?: string;
};

/** Reasons are those of TigeraStatus (calico.md §4). */
type RuleReason = 'InvalidConfigurationError' | 'ResourceReadError' | 'ResourceValidationError' | 'ImageSetError';

export type Rule = {
  /** Number in calico.md §2.4. */
  readonly group: number;
  /** The reason under which the public operator reports it; ours always uses InvalidConfigurationError. */
  readonly reason: RuleReason;
  check(spec: InstallationSpec, context: Context): Problem[];
};

const network = (spec: InstallationSpec) => spec.calicoNetwork ?? {};
const pools = (spec: InstallationSpec): readonly Pool[] => network(spec).ipPools ?? [];
const cni = (spec: InstallationSpec) => spec.cni?.type ?? 'Calico';
const ipam = (spec: InstallationSpec) => spec.cni?.ipam?.type ?? ipamOfCni[cni(spec)];
const provider = (spec: InstallationSpec) => spec.kubernetesProvider ?? '';
const isV6 = (cidr: string) => cidr.includes(':');

const ipamFor: Record<string, { ipam: readonly string[]; providers: readonly string[] }> = {
  Calico: { ipam: ['Calico', 'HostLocal'], providers: [] },
  GKE: { ipam: ['HostLocal'], providers: ['GKE', ''] },
  AmazonVPC: { ipam: ['AmazonVPC'], providers: ['EKS', ''] },
  AzureVNET: { ipam: ['AzureVNET'], providers: ['AKS', ''] },
};

/**
 * Combinations that the operator refuses (calico.md §2.4), as sentences that name the field.
 * Read by the operator and by the installation wizard: nothing here does I/O.
 */
export const rules: readonly Rule[] = [
  {
    group: 1,
    reason: 'InvalidConfigurationError',
    check: (spec) => {
      const fits = ipamFor[cni(spec)];
      if (!fits) return [];
      return [
        ...when(
          !fits.ipam.includes(ipam(spec)),
          'spec.cni.ipam.type',
          `${ipam(spec)} does not go with CNI ${cni(spec)}; ${fits.ipam.join(' or ')} is needed.`,
        ),
        ...when(
          fits.providers.length > 0 && !fits.providers.includes(provider(spec)),
          'spec.cni.type',
          `${cni(spec)} works on ${fits.providers[0]} only, and kubernetesProvider is ${provider(spec)}.`,
        ),
      ];
    },
  },
  {
    group: 2,
    reason: 'InvalidConfigurationError',
    check: (spec) => {
      const bgp = network(spec).bgp ?? 'Enabled';
      const found = pools(spec).flatMap((pool, index) => {
        const field = poolPlace(pool, index, 'encapsulation');
        const encapsulation = pool.encapsulation || 'None';
        if (cni(spec) !== 'Calico') {
          return when(
            encapsulation !== 'None',
            field,
            `${encapsulation} needs the Calico CNI; with ${cni(spec)} it must be None.`,
          );
        }
        if (isV6(pool.cidr) && encapsulation.startsWith('IPIP'))
          return [problem(field, `${encapsulation} is not possible for the IPv6 pool ${pool.cidr}; VXLAN or None is.`)];
        if (ipam(spec) === 'HostLocal' && encapsulation.startsWith('VXLAN'))
          return [problem(field, `${encapsulation} needs Calico IPAM, and cni.ipam.type is HostLocal.`)];
        const needsBgp = ipam(spec) === 'Calico' && !encapsulation.startsWith('VXLAN');
        return when(
          needsBgp && bgp === 'Disabled',
          field,
          `${encapsulation} needs BGP, and calicoNetwork.bgp is Disabled; use VXLAN or enable BGP.`,
        );
      });
      return [
        ...found,
        ...when(
          cni(spec) !== 'Calico' && network(spec).bgp === 'Enabled',
          'spec.calicoNetwork.bgp',
          `Enabled needs the Calico CNI, and cni.type is ${cni(spec)}.`,
        ),
      ];
    },
  },
  {
    group: 3,
    reason: 'InvalidConfigurationError',
    check: (spec) => {
      if (network(spec).linuxDataplane !== 'BPF') return [];
      const v4 = pools(spec).some((pool) => !isV6(pool.cidr));
      const v6 = pools(spec).some((pool) => isV6(pool.cidr));
      return [
        ...when(
          v4 && !network(spec).nodeAddressAutodetectionV4,
          'spec.calicoNetwork.nodeAddressAutodetectionV4',
          'is needed for eBPF with an IPv4 pool.',
        ),
        ...when(
          v6 && !network(spec).nodeAddressAutodetectionV6,
          'spec.calicoNetwork.nodeAddressAutodetectionV6',
          'is needed for eBPF with an IPv6 pool, and it gets no default on a fresh installation: set it, for example to firstFound: true.',
        ),
      ];
    },
  },
  {
    group: 4,
    reason: 'InvalidConfigurationError',
    check: (spec) =>
      (['nodeAddressAutodetectionV4', 'nodeAddressAutodetectionV6'] as const).flatMap((family) => {
        const method = network(spec)[family];
        if (!method) return [];
        const given = Object.keys(method).filter((key) => {
          const value = method[key];
          return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
        });
        const field = `spec.calicoNetwork.${family}`;
        return [
          ...when(given.length > 1, field, `names ${given.length} methods (${given.join(', ')}); one is needed.`),
          ...(method.cidrs ?? [])
            .filter((cidr) => parseCidr(cidr) === null)
            .map((cidr) => problem(`${field}.cidrs`, `${cidr} is not a CIDR.`)),
        ];
      }),
  },
  {
    group: 5,
    reason: 'InvalidConfigurationError',
    check: (spec) => {
      if (cni(spec) === 'Calico') return [];
      const needs = `needs the Calico CNI, and cni.type is ${cni(spec)}.`;
      return [
        ...when(network(spec).hostPorts === 'Enabled', 'spec.calicoNetwork.hostPorts', `Enabled ${needs}`),
        ...when(network(spec).multiInterfaceMode !== undefined, 'spec.calicoNetwork.multiInterfaceMode', needs),
        ...when(network(spec).containerIPForwarding !== undefined, 'spec.calicoNetwork.containerIPForwarding', needs),
      ];
    },
  },
  {
    group: 6,
    reason: 'InvalidConfigurationError',
    check: (spec) => {
      if (network(spec).linuxDataplane !== 'VPP') return [];
      return [
        ...when(
          spec.variant !== undefined && spec.variant !== 'Calico',
          'spec.variant',
          `VPP needs Calico, not ${spec.variant}.`,
        ),
        ...when(cni(spec) !== 'Calico', 'spec.cni.type', `VPP needs the Calico CNI, not ${cni(spec)}.`),
        ...when(network(spec).bgp === 'Disabled', 'spec.calicoNetwork.bgp', 'VPP needs BGP Enabled.'),
        ...when(
          network(spec).hostPorts === 'Disabled',
          'spec.calicoNetwork.hostPorts',
          'Disabled is not possible with VPP.',
        ),
      ];
    },
  },
  {
    group: 7,
    reason: 'InvalidConfigurationError',
    check: (spec) => {
      const seconds = network(spec).linuxPolicySetupTimeoutSeconds;
      if (seconds === undefined) return [];
      const field = 'spec.calicoNetwork.linuxPolicySetupTimeoutSeconds';
      const dataplane = network(spec).linuxDataplane;
      return [
        ...when(seconds < 0, field, `${seconds} is negative; 0 or more seconds are needed.`),
        ...when(
          dataplane === undefined || dataplane === 'VPP',
          field,
          `cannot be set with ${dataplane ?? 'no linuxDataplane'}.`,
        ),
      ];
    },
  },
  {
    group: 8,
    reason: 'InvalidConfigurationError',
    check: (spec) => [
      ...(['flexVolumePath', 'kubeletVolumePluginPath'] as const).flatMap((field) => {
        const path = spec[field];
        return when(
          path !== undefined && path !== 'None' && !path.startsWith('/'),
          `spec.${field}`,
          `${path} is neither None nor an absolute path.`,
        );
      }),
      ...when(
        spec.nodeUpdateStrategy?.type !== undefined && spec.nodeUpdateStrategy.type !== 'RollingUpdate',
        'spec.nodeUpdateStrategy.type',
        `${spec.nodeUpdateStrategy?.type} is not supported; RollingUpdate is.`,
      ),
      ...when(
        spec.controlPlaneReplicas !== undefined && spec.controlPlaneReplicas <= 0,
        'spec.controlPlaneReplicas',
        `${spec.controlPlaneReplicas} is not enough; 1 or more are needed.`,
      ),
      ...when(
        spec.controlPlaneNodeSelector?.['kubernetes.io/os'] !== undefined &&
          spec.controlPlaneNodeSelector['kubernetes.io/os'] !== 'linux',
        'spec.controlPlaneNodeSelector',
        `kubernetes.io/os=${spec.controlPlaneNodeSelector?.['kubernetes.io/os']} is not possible; the control plane runs on linux.`,
      ),
    ],
  },
  {
    group: 9,
    reason: 'InvalidConfigurationError',
    check: (spec) => {
      if (spec.nonPrivileged !== 'Enabled') return [];
      return [
        ...when(
          network(spec).linuxDataplane === 'BPF',
          'spec.nonPrivileged',
          'Enabled is not possible with eBPF: its agents need privileges.',
        ),
        ...when(
          spec.variant === 'TigeraSecureEnterprise',
          'spec.nonPrivileged',
          'Enabled is not possible with TigeraSecureEnterprise.',
        ),
      ];
    },
  },
  {
    group: 10,
    reason: 'InvalidConfigurationError',
    check: (spec, context) => {
      const windows = network(spec).windowsDataplane === 'HNS';
      return [
        ...when(
          windows && context.endpointKnown === false,
          'spec.calicoNetwork.windowsDataplane',
          'HNS needs the API endpoint in ConfigMap kubernetes-services-endpoint.',
        ),
        ...when(
          windows && (spec.serviceCIDRs ?? []).length === 0,
          'spec.serviceCIDRs',
          'is needed for windowsDataplane HNS.',
        ),
        ...pools(spec).flatMap((pool, index) =>
          when(
            windows && !isV6(pool.cidr) && !['VXLAN', 'None', ''].includes(pool.encapsulation ?? ''),
            poolPlace(pool, index, 'encapsulation'),
            `${pool.encapsulation} is not possible with windowsDataplane HNS; VXLAN or None is.`,
          ),
        ),
        ...when(
          !windows && spec.windowsNodes !== undefined,
          'spec.windowsNodes',
          'is set while windowsDataplane is Disabled.',
        ),
        ...when(
          spec.azure !== undefined && provider(spec) !== 'AKS',
          'spec.azure',
          `is for AKS only, and kubernetesProvider is ${provider(spec) || 'not set'}.`,
        ),
        ...when(
          spec.fipsMode === 'Enabled' && spec.variant === 'TigeraSecureEnterprise',
          'spec.fipsMode',
          'Enabled is not possible with TigeraSecureEnterprise.',
        ),
        ...when(
          spec.logging?.cni !== undefined && cni(spec) !== 'Calico',
          'spec.logging.cni',
          `needs the Calico CNI, and cni.type is ${cni(spec)}.`,
        ),
      ];
    },
  },
  {
    group: 11,
    reason: 'ResourceReadError',
    check: (spec, context) =>
      when(
        Boolean(spec.kubernetesProvider) && Boolean(context.provider) && spec.kubernetesProvider !== context.provider,
        'spec.kubernetesProvider',
        `${spec.kubernetesProvider} does not match the detected provider ${context.provider}.`,
      ),
  },
  {
    group: 12,
    reason: 'ResourceValidationError',
    check: (spec, context) => {
      if (network(spec).bpfNetworkBootstrap !== 'Enabled') return [];
      const field = 'spec.calicoNetwork.bpfNetworkBootstrap';
      const endpoints = context.apiServerEndpoints;
      return [
        ...when(
          network(spec).linuxDataplane !== 'BPF',
          field,
          `Enabled needs linuxDataplane BPF, not ${network(spec).linuxDataplane ?? 'Iptables'}.`,
        ),
        ...when(
          context.endpointConfigMap === true,
          field,
          'Enabled excludes ConfigMap kubernetes-services-endpoint; delete it, or do without the bootstrap.',
        ),
        ...when(endpoints === null, field, 'Enabled needs Service default/kubernetes, which cannot be read.'),
        ...when(
          Array.isArray(endpoints) && endpoints.length === 0,
          field,
          'Enabled needs the addresses of the API servers, and no EndpointSlice in namespace default is labelled kubernetes.io/service-name=kubernetes.',
        ),
      ];
    },
  },
  {
    group: 13,
    reason: 'ImageSetError',
    check: (spec, context) => {
      const product = spec.variant === 'TigeraSecureEnterprise' ? 'enterprise' : 'calico';
      const sets = (context.imageSets ?? []).filter((name) => name.startsWith(`${product}-`));
      const wanted = `${product}-${context.calicoVersion}`;
      const pinned = context.calicoVersion !== undefined && sets.length > 0 && !sets.includes(wanted);
      return when(
        pinned,
        'ImageSet',
        `${sets.join(', ')} pins another version; an ImageSet named ${wanted} is needed, or none.`,
      );
    },
  },
];

export type Refusal = Problem & { group: number; reason: RuleReason };

/** All problems of a spec, in the order of the table. Empty: the operator accepts it. */
export function validate(spec: InstallationSpec, context: Context = {}): Refusal[] {
  return rules.flatMap((rule) =>
    rule.check(spec, context).map((found) => ({ ...found, group: rule.group, reason: rule.reason })),
  );
}
