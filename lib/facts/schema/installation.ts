import { z } from 'zod';
import { evidenceSchema, subjectSchema } from './parts.ts';

export const dataplanes = ['BPF', 'Iptables', 'Nftables', 'VPP'] as const;

/** Values of Installation `spec.kubernetesProvider` (calico.md §2.1); `''`: none. */
export const providers = ['', 'EKS', 'GKE', 'AKS', 'OpenShift', 'DockerEnterprise', 'RKE2', 'TKG', 'Kind'] as const;

export const installationSchema = z.object({
  method: z.enum(['operator', 'helm', 'manifest-kdd', 'manifest-etcd', 'none', 'unknown']),
  /** The public file that an installation by manifest was made from, without `.yaml`; null: none, or unknown. */
  manifest: z
    .enum(['calico', 'calico-vxlan', 'calico-typha', 'calico-bpf', 'policy-only', 'canal', 'calico-etcd', 'canal-etcd'])
    .nullable(),
  version: z.string().nullable(),
  /** Version of the operator's image, `v1.40.7`, or null. */
  operatorVersion: z.string().nullable(),
  datastore: z.enum(['kubernetes', 'etcd']).nullable(),
  dataplane: z.object({
    wanted: z.enum(dataplanes).nullable(),
    actual: z.enum([...dataplanes, 'mixed', 'unknown']),
    /** FELIX_BPFENABLED if all agents have the same value; it wins over every FelixConfiguration. */
    byEnvironment: z.boolean().optional(),
  }),
  cni: z.string().nullable(),
  /** Namespace of Calico's workloads. */
  namespace: z.string().nullable(),
  /** The DaemonSet that runs the agent, `kube-system/DaemonSet/canal-node`; null: there is none. */
  agent: z.string().nullable(),
  /**
   * DaemonSets of other products that connect pods, filter their packets or serve Services. `connects`: pods are on its network; `serves`: it serves
   * Services in place of kube-proxy; `attaches`: it attaches eBPF programs to the pods' interfaces. Null: what was read does not show it.
   */
  otherNetworks: z.array(
    z.object({
      product: z.string(),
      object: z.string(),
      connects: z.boolean().nullable().default(true),
      serves: z.boolean().nullable().default(null),
      /** Linux nodes on which it serves Services, if these are not all. */
      servesOn: z.object({ nodes: z.number(), of: z.number() }).optional(),
      attaches: z.boolean().nullable().default(null),
      evidence: z.array(evidenceSchema).default([]),
    }),
  ),
  /** Every Deployment of the operator. `active`: ConfigMap calico-system/active-operator names its namespace; null: unknown. */
  operators: z.array(z.object({ object: z.string(), version: z.string().nullable(), active: z.boolean().nullable() })),
  /** A migration of an installation by manifest to the operator, under way or stopped half-way (calico.md §3.7); null: none. */
  migration: z
    .object({
      /** Nodes with the label `projectcalico.org/operator-node-migration`: `pre-operator` waits, `migrated` is done. */
      waiting: z.number(),
      migrated: z.number(),
      /** The DaemonSets of the manifest and of the operator, as far as they exist. */
      agents: z.array(z.string()),
      evidence: z.array(evidenceSchema),
    })
    .nullable(),
  /** An installation that was begun and is not complete: what exists of it and what is missing; null: complete, or none. */
  unfinished: z.object({ has: z.array(subjectSchema), lacks: z.array(subjectSchema) }).nullable(),
  /** Namespace in which Calico reads the endpoint ConfigMap: `tigera-operator` or `kube-system`. */
  endpointNamespace: z.string(),
  /** Nodes whose data plane in Felix differs from the default. `detail`: the setting that says so. */
  deviatingNodes: z.array(subjectSchema),
  /** FelixConfigurations `node.<name>` of existing nodes that have Calico delete the service proxy's rules there, whatever `default` says. */
  cleaningUp: z.array(subjectSchema),
  evidence: z.array(evidenceSchema),
});

export const proxySchema = z.object({
  kind: z.enum(['daemonset', 'openshift', 'embedded', 'static-pods', 'none', 'unknown']),
  mode: z.enum(['iptables', 'ipvs', 'nftables', 'unknown']),
  /** Whether it runs on any node; null: unknown. */
  running: z.boolean().nullable(),
  /** Pods of the DaemonSet; null: there is no DaemonSet. */
  pods: z.object({ desired: z.number(), ready: z.number() }).nullable(),
  managedBy: z.string().nullable(),
  evidence: z.array(evidenceSchema),
});

export const poolSchema = z.object({
  name: z.string(),
  cidr: z.string(),
  encapsulation: z.enum(['None', 'IPIP', 'IPIPCrossSubnet', 'VXLAN', 'VXLANCrossSubnet']),
  natOutgoing: z.boolean(),
  disabled: z.boolean(),
});
