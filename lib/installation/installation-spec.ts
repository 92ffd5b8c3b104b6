import { z } from 'zod';
import { nearest } from '#lib/base/nearest.ts';

/** The providers that the operator knows (calico.md §3.1); `''`: none of them. */
const providers = ['', 'EKS', 'GKE', 'AKS', 'OpenShift', 'DockerEnterprise', 'RKE2', 'TKG', 'Kind'] as const;
export type Provider = (typeof providers)[number];

export const cniType = z.enum(['Calico', 'GKE', 'AmazonVPC', 'AzureVNET']);
export type Cni = z.infer<typeof cniType>;

const ipamType = z.enum(['Calico', 'HostLocal', 'AmazonVPC', 'AzureVNET']);
export type Ipam = z.infer<typeof ipamType>;

const onOff = z.enum(['Enabled', 'Disabled']);

const autodetection = z.looseObject({
  firstFound: z.boolean().optional(),
  kubernetes: z.enum(['NodeInternalIP']).optional(),
  interface: z.string().optional(),
  skipInterface: z.string().optional(),
  canReach: z.string().optional(),
  cidrs: z.array(z.string()).optional(),
});

const ipPool = z.looseObject({
  name: z.string().optional(),
  cidr: z.string(),
  encapsulation: z.enum(['IPIP', 'IPIPCrossSubnet', 'VXLAN', 'VXLANCrossSubnet', 'None', '']).optional(),
  natOutgoing: z.enum(['Enabled', 'Disabled', '']).optional(),
  nodeSelector: z.string().optional(),
  blockSize: z.int().optional(),
  disableBGPExport: z.boolean().optional(),
  disableNewAllocations: z.boolean().optional(),
  allowedUses: z.array(z.string()).optional(),
  assignmentMode: z.enum(['Automatic', 'Manual']).optional(),
});

/** The fields of Installation.spec that the operator reads (calico.md §2.1); others are kept as they are. */
export const installationSpec = z.looseObject({
  variant: z.enum(['Calico', 'TigeraSecureEnterprise']).optional(),
  registry: z.string().optional(),
  imagePath: z.string().optional(),
  imagePrefix: z.string().optional(),
  imagePullSecrets: z.array(z.looseObject({ name: z.string().optional() })).optional(),
  kubernetesProvider: z.enum(providers).optional(),
  cni: z
    .looseObject({
      type: cniType.optional(),
      ipam: z.looseObject({ type: ipamType.optional() }).optional(),
      binDir: z.string().optional(),
      confDir: z.string().optional(),
    })
    .optional(),
  calicoNetwork: z
    .looseObject({
      linuxDataplane: z.enum(['Iptables', 'BPF', 'VPP', 'Nftables']).optional(),
      bpfNetworkBootstrap: onOff.optional(),
      kubeProxyManagement: onOff.optional(),
      windowsDataplane: z.enum(['HNS', 'Disabled']).optional(),
      bgp: onOff.optional(),
      ipPools: z.array(ipPool).max(25).optional(),
      mtu: z.int().optional(),
      nodeAddressAutodetectionV4: autodetection.optional(),
      nodeAddressAutodetectionV6: autodetection.optional(),
      hostPorts: onOff.optional(),
      multiInterfaceMode: z.enum(['None', 'Multus']).optional(),
      containerIPForwarding: onOff.optional(),
      linuxPolicySetupTimeoutSeconds: z.int().optional(),
    })
    .optional(),
  flexVolumePath: z.string().optional(),
  kubeletVolumePluginPath: z.string().optional(),
  nodeUpdateStrategy: z
    .looseObject({
      type: z.string().optional(),
      rollingUpdate: z
        .looseObject({
          maxUnavailable: z.union([z.int(), z.string()]).optional(),
          maxSurge: z.union([z.int(), z.string()]).optional(),
        })
        .optional(),
    })
    .optional(),
  controlPlaneReplicas: z.int().optional(),
  controlPlaneNodeSelector: z.record(z.string(), z.string()).optional(),
  controlPlaneTolerations: z.array(z.looseObject({})).optional(),
  nodeMetricsPort: z.int().optional(),
  nonPrivileged: onOff.optional(),
  fipsMode: onOff.optional(),
  logging: z
    .looseObject({
      cni: z
        .looseObject({
          logSeverity: z.string().optional(),
          logFileMaxSize: z.union([z.string(), z.int()]).optional(),
          logFileMaxAgeDays: z.int().optional(),
          logFileMaxCount: z.int().optional(),
        })
        .optional(),
    })
    .optional(),
  serviceCIDRs: z.array(z.string()).optional(),
  windowsNodes: z.looseObject({}).optional(),
  azure: z.looseObject({}).optional(),
});

export type InstallationSpec = z.infer<typeof installationSpec>;
export type Pool = z.infer<typeof ipPool>;

/** Absent means the standard data plane (calico.md §2.1). */
export function wantsBpf(spec: InstallationSpec): boolean {
  return spec.calicoNetwork?.linuxDataplane === 'BPF';
}

export function managesProxy(spec: InstallationSpec): boolean {
  return spec.calicoNetwork?.kubeProxyManagement === 'Enabled';
}

/**
 * The field that a path below `spec` probably means; null if the path is known, or is not like any. A path that is unknown here may still be right: a
 * release may have more fields.
 */
export function nearestField(path: string): string | null {
  return known.some((one) => path === one || path.startsWith(`${one}.`)) ? null : nearest(path, known);
}

const known = pathsOf(installationSpec);

/** Paths of fields without fields of their own that are known. */
function pathsOf(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
    const below = inner instanceof z.ZodObject ? pathsOf(inner) : [];
    return below.length === 0 ? [key] : below.map((path) => `${key}.${path}`);
  });
}
