import { z } from 'zod';
import { evidenceSchema, subjectSchema } from './parts.ts';

/** The addresses of a NodeLocal DNSCache and the Services that it asks, from its `-localip` and its Corefile. */
const nodeLocalDnsCacheSchema = z.object({
  /** `kube-system/DaemonSet/node-local-dns`. */
  object: z.string(),
  /** Addresses that it listens at; null: unknown. */
  binds: z.array(z.string()).nullable(),
  services: z.array(
    z.object({
      /** `kube-system/Service/kube-dns`. */
      object: z.string(),
      addresses: z.array(z.string()),
      /** `bound`: the cache answers at its address; `asked`: the cache forwards to it. */
      bound: z.boolean(),
      asked: z.boolean(),
      /** Its own annotation keeps eBPF from translating its addresses. */
      isAnnotated: z.boolean(),
      /** FelixConfiguration bpfExcludeCIDRsFromNAT does so: for every address that the cache binds, or for any if it binds none. */
      isInCidrs: z.boolean(),
    }),
  ),
  evidence: z.array(evidenceSchema),
});
export type NodeLocalDnsCache = z.infer<typeof nodeLocalDnsCacheSchema>;

export const featuresSchema = z.object({
  floatingIps: z.array(subjectSchema),
  sctp: z.array(subjectSchema),
  logActions: z.array(subjectSchema),
  /** Workloads and pods with a hostPort. */
  hostPorts: z.array(subjectSchema),
  /** Pods without a DaemonSet, Deployment or StatefulSet that were not read whole, because they are too many or were refused. `first`: `namespace/name` of some. */
  otherPods: z.object({ count: z.number(), first: z.array(z.string()) }),
  /** Pods with annotations that limit their traffic. `limits`: rows of `trafficLimits` (lib/spec). */
  trafficLimits: z.array(
    subjectSchema.extend({
      limits: z.array(z.enum(['bandwidth-plugin', 'bandwidth', 'packet-rate', 'connections'])),
    }),
  ),
  /** Services of type LoadBalancer. `sourceRanges`: CIDRs as written; empty: everybody is let in. */
  loadBalancers: z.array(z.object({ namespace: z.string(), name: z.string(), sourceRanges: z.array(z.string()) })),
  /** DaemonSets of NodeLocal DNSCache. */
  nodeLocalDns: z.array(subjectSchema),
  /** The Services that each of them answers for or asks. Empty in facts of earlier versions. */
  nodeLocalDnsCaches: z.array(nodeLocalDnsCacheSchema),
  /** Service meshes: a pod of each, and the namespaces with members. */
  meshes: z.array(subjectSchema),
  /** Names of meshes whose CustomResourceDefinitions exist, with or without pods. */
  definedMeshes: z.array(z.string()),
  l7Logs: z.array(subjectSchema),
  applicationLayerPolicies: z.array(subjectSchema),
  waf: z.array(subjectSchema),
  adminNetworkPolicies: z.array(subjectSchema),
});
