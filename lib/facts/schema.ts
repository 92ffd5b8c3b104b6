import { z } from 'zod';
import { platformKinds } from '#lib/spec/index.ts';
import { endpointSchema } from './schema/endpoint.ts';
import { featuresSchema } from './schema/features.ts';
import { installationSchema, poolSchema, providers, proxySchema } from './schema/installation.ts';
import { measuredSchema } from './schema/measured.ts';
import { nodeSchema } from './schema/node.ts';
import { coverageSchema, evidenceSchema } from './schema/parts.ts';
import { resourcesSchema } from './schema/resources.ts';
import { upgradeSchema } from './schema/upgrade.ts';

export type { NodeLocalDnsCache } from './schema/features.ts';
export { dataplanes } from './schema/installation.ts';
export { measurementSchema } from './schema/measured.ts';
export type { NodeFact } from './schema/node.ts';
export {
  type Coverage,
  type Evidence,
  evidenceSchema,
  type ReadObject,
  readObjectSchema,
  type Subject,
  subjectSchema,
} from './schema/parts.ts';
export type { LeftBehind, WebhookFact } from './schema/resources.ts';
export type { DefinitionFact, Dependant } from './schema/upgrade.ts';

/**
 * Parts of Facts that checks name in `reads`, each with a coverage of its own. Those without a section of their name: `unfinished` also covers operators
 * and a migration; `endpoint` is `clusterIPs` and `apiServers` together; `endpointConfigMaps` covers the ConfigMap and its strays; `workloads`:
 * `endpoint.inUse`; `agents`: where agents can land; `felix`: FelixConfigurations (`deviatingNodes`, `resources.objects`); `rollouts`: `upgrade.stuck`;
 * `upgradePolicies`: temporary policies and those of the default tier; `manifestConfig`: the ConfigMap of an installation by manifest.
 */
export const factKeys = [
  'cluster',
  'serviceCIDRs',
  'podCIDRs',
  'platform',
  'provider',
  'nodes',
  'agents',
  'installation',
  'otherNetworks',
  'unfinished',
  'dataplane',
  'proxy',
  'endpoint',
  'clusterIPs',
  'clusterServices',
  'apiServers',
  'kubeVip',
  'endpointConfigMaps',
  'workloads',
  'pools',
  'felix',
  'tigeraStatuses',
  'operator',
  'ownership',
  'helm',
  'access',
  'apis',
  'webhooks',
  'endpointProbe',
  'floatingIps',
  'sctp',
  'logActions',
  'hostPorts',
  'trafficLimits',
  'loadBalancers',
  'nodeLocalDns',
  'meshes',
  'l7Logs',
  'applicationLayerPolicies',
  'waf',
  'adminNetworkPolicies',
  'podCount',
  'serviceCount',
  'imageSets',
  'definitions',
  'ownerReferences',
  'hostEndpoints',
  'upgradePolicies',
  'calicoctls',
  'sidecars',
  'rollouts',
  'users',
  'manifestConfig',
] as const;
export type FactKey = (typeof factKeys)[number];

export const podCidrSources = [
  'openshift',
  'kubeadm',
  'controller-manager',
  'distribution',
  'kube-proxy',
  'nodes',
] as const;

/** All that is read of a cluster: a public contract (cli.md › JSON shapes › inspect). Add fields; never rename or remove one. */
export const factsSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('Facts'),
  observedAt: z.string(),
  cluster: z.object({
    name: z.string(),
    source: z.enum(['live', 'dump', 'sandbox']),
    kubernetesVersion: z.string().nullable(),
    serviceCIDRs: z.array(z.string()),
    /** Ranges of the pods' addresses, in which IP pools must lie. Empty: unknown. */
    podCIDRs: z.array(z.string()),
    /** Source of these ranges. `nodes`: the smallest range with those of all nodes, so the real one may be larger. Null: unknown. */
    podCIDRsFrom: z.enum(podCidrSources).nullable(),
    /** Warnings about the connection to the cluster: its certificate is not verified, or there is no TLS. */
    warnings: z.array(z.string()),
    evidence: z.array(evidenceSchema),
  }),
  platform: z.object({
    kind: z.enum(platformKinds),
    evidence: z.array(evidenceSchema),
    /** The provider that the operator detects when it starts (calico.md §3.1); null: unknown. */
    provider: z.object({ detected: z.enum(providers), evidence: z.array(evidenceSchema) }).nullable(),
  }),
  nodes: z.array(nodeSchema),
  installation: installationSchema,
  proxy: proxySchema,
  endpoint: endpointSchema,
  pools: z.array(poolSchema),
  features: featuresSchema,
  resources: resourcesSchema,
  measured: measuredSchema.default(null),
  upgrade: upgradeSchema,
  coverage: z.record(z.enum(factKeys), coverageSchema),
});
export type Facts = z.infer<typeof factsSchema>;
