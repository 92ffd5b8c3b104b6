import { z } from 'zod';
import {
  type AlwaysTested,
  alwaysTested,
  endpointSources,
  missingRuleSchema,
  onRequest,
  platformKinds,
  type TestedOnRequest,
} from '#lib/spec/index.ts';

/** Where a value was read: `kube-system/ConfigMap/kube-proxy`, `data['config.conf'].mode`, `ipvs`. Cluster-scoped objects have no namespace part: `Installation/default`. */
export const evidenceSchema = z.object({ object: z.string(), path: z.string(), value: z.unknown() });
export type Evidence = z.infer<typeof evidenceSchema>;

/** What a finding or fact is about. `detail` says what was read there, as a phrase. */
export const subjectSchema = z.object({
  kind: z.string(),
  namespace: z.string().nullable(),
  name: z.string(),
  detail: z.string(),
});
export type Subject = z.infer<typeof subjectSchema>;

/** An object as it was read, without managedFields; values of Secrets are masked. */
export const readObjectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string().optional(),
    generation: z.number().optional(),
    creationTimestamp: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});
export type ReadObject = z.infer<typeof readObjectSchema>;

const nodeSchema = z.object({
  name: z.string(),
  /** As its kubelet reports it, else by its label: `linux`, `windows`; empty: neither says one. */
  os: z.string(),
  /** Its label `kubernetes.io/os` where that says otherwise; empty: it has none. Absent: the label agrees. */
  osLabel: z.string().exactOptional(),
  architecture: z.string(),
  osImage: z.string(),
  distribution: z.object({ id: z.string(), version: z.string().nullable() }),
  kernel: z.string(),
  ready: z.boolean(),
  /** Why it is not ready, as its kubelet says it; `network`: nothing but a network is missing. Null: it is ready. */
  notReady: z.object({ waitsFor: z.enum(['network', 'other']), because: z.string() }).nullable(),
  /** Cordoned. */
  unschedulable: z.boolean(),
  /** Conditions that are true and should not be: `MemoryPressure`, `DiskPressure`, `PIDPressure`, `NetworkUnavailable`. */
  pressures: z.array(z.string()),
  /** InternalIPs first. */
  addresses: z.array(z.string()),
  /** What Calico's agent took for the node's own addresses, as it writes them on the node: `10.0.0.11/24`. Absent: it has written none. */
  calicoAddresses: z.array(z.string()).optional(),
  /** Of its label; absent: it has none. */
  zone: z.string().exactOptional(),
  /** What it shares with others on its way to the network, as a label names it (lib/spec: linkOf): `rack=r1`; absent: none does. */
  link: z.string().exactOptional(),
  roles: z.array(z.string()),
  providerID: z.string().nullable(),
  createdAt: z.string().nullable(),
  /** `eks.amazonaws.com/compute-type`: `auto` of EKS Auto Mode, `hybrid` of a machine outside of AWS. */
  computeType: z.string().nullable().default(null),
  /** The tool that made it, where its labels say so: `microk8s`. */
  installer: z.string().optional(),
  /** virtual-kubelet or Fargate: never runs an agent (operations.md › Proof of a node). */
  virtual: z.boolean(),
  /** Why the agent's DaemonSet cannot land here (nodeSelector, affinity, taint), or null. */
  agentCannotLand: z.string().nullable(),
});
export type NodeFact = z.infer<typeof nodeSchema>;

export const dataplanes = ['BPF', 'Iptables', 'Nftables', 'VPP'] as const;

/** Values of Installation `spec.kubernetesProvider` (calico.md §2.1); `''`: none. */
const providers = ['', 'EKS', 'GKE', 'AKS', 'OpenShift', 'DockerEnterprise', 'RKE2', 'TKG', 'Kind'] as const;

const installationSchema = z.object({
  method: z.enum(['operator', 'helm', 'manifest-kdd', 'manifest-etcd', 'none', 'unknown']),
  /** Which of the public files; its name without `.yaml`. */
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
    /** FELIX_BPFENABLED where every agent has the same: it beats each FelixConfiguration. */
    byEnvironment: z.boolean().optional(),
  }),
  cni: z.string().nullable(),
  /** Where Calico's workloads are. */
  namespace: z.string().nullable(),
  /** The DaemonSet that runs the agent, `kube-system/DaemonSet/canal-node`; null: there is none. */
  agent: z.string().nullable(),
  /**
   * DaemonSets of other products that connect pods, filter their packets or serve Services: where one is there, Calico is not alone. `connects`: the
   * pods are on its network; `serves`: it serves Services in place of kube-proxy; `attaches`: it
   * attaches eBPF programs of its own to their interfaces. Null: what was read does not say.
   */
  otherNetworks: z.array(
    z.object({
      product: z.string(),
      object: z.string(),
      connects: z.boolean().nullable().default(true),
      serves: z.boolean().nullable().default(null),
      /** Linux nodes on which it serves them, where it does not on all. */
      servesOn: z.object({ nodes: z.number(), of: z.number() }).optional(),
      attaches: z.boolean().nullable().default(null),
      evidence: z.array(evidenceSchema).default([]),
    }),
  ),
  /** Every Deployment of the operator. `active`: ConfigMap calico-system/active-operator names its namespace; null: nothing says which. */
  operators: z.array(z.object({ object: z.string(), version: z.string().nullable(), active: z.boolean().nullable() })),
  /** The operator is moving a manifest install to itself, node by node, or stopped doing so (calico.md §3.7). */
  migration: z
    .object({
      /** Nodes by their label `projectcalico.org/operator-node-migration`: `pre-operator` and `migrated`. */
      waiting: z.number(),
      migrated: z.number(),
      /** The manifest's DaemonSet and the operator's, where both are there. */
      agents: z.array(z.string()),
      evidence: z.array(evidenceSchema),
    })
    .nullable(),
  /** An installation that somebody began and that is not whole: what is there of it, and what it lacks. */
  unfinished: z.object({ has: z.array(subjectSchema), lacks: z.array(subjectSchema) }).nullable(),
  /** Where the endpoint ConfigMap is read: `tigera-operator` or `kube-system`. */
  endpointNamespace: z.string(),
  /** Nodes whose effective Felix data plane differs from the default, each with what says so. */
  deviatingNodes: z.array(subjectSchema),
  evidence: z.array(evidenceSchema),
});

const proxySchema = z.object({
  kind: z.enum(['daemonset', 'openshift', 'embedded', 'static-pods', 'none', 'unknown']),
  mode: z.enum(['iptables', 'ipvs', 'nftables', 'unknown']),
  /** Scheduled somewhere; null when it cannot be told. */
  running: z.boolean().nullable(),
  /** Desired and running pods of the DaemonSet, where there is one. */
  pods: z.object({ desired: z.number(), ready: z.number() }).nullable(),
  managedBy: z.string().nullable(),
  evidence: z.array(evidenceSchema),
});

const hostPort = z.object({ host: z.string(), port: z.string() });

const endpointSchema = z.object({
  /** The ConfigMap in the namespace where it is read. Empty strings where a key is missing. */
  configMap: hostPort.extend({ namespace: z.string() }).nullable(),
  /** The same name in another namespace, where nobody reads it. */
  strays: z.array(hostPort.extend({ namespace: z.string() })),
  /** What running workload templates carry: one row a container. */
  inUse: z.array(
    z.object({ object: z.string(), container: z.string(), host: z.string().nullable(), port: z.string().nullable() }),
  ),
  /** `address:port` of each API server, from EndpointSlice default/kubernetes. */
  apiServers: z.array(z.string()),
  /** ClusterIPs of default/kubernetes. */
  clusterIPs: z.array(z.string()),
  /** What every pod asks: the API's Service and cluster DNS, at their ClusterIPs; null: there is none, or it was not read. */
  services: z.object({ api: hostPort.nullable(), dns: hostPort.nullable() }).default({ api: null, dns: null }),
  suggested: z
    .object({
      host: z.string(),
      port: z.number(),
      because: z.string(),
      doubts: z.array(z.string()),
    })
    .nullable(),
  /** The row of lib/spec/endpoint-sources.ts that the suggestion comes from, and where it was read; no evidence for a name that a platform always has. */
  suggestedFrom: z
    .object({ source: z.enum(endpointSources.map(({ id }) => id)), evidence: z.array(evidenceSchema) })
    .nullable(),
  /** kube-vip, where it runs: the addresses that it holds, and whether it reaches its own machine's API server without a Service. */
  kubeVip: z.object({ object: z.string(), addresses: z.array(z.string()), usesOwnApiServer: z.boolean() }).nullable(),
});

const poolSchema = z.object({
  name: z.string(),
  cidr: z.string(),
  encapsulation: z.enum(['None', 'IPIP', 'IPIPCrossSubnet', 'VXLAN', 'VXLANCrossSubnet']),
  natOutgoing: z.boolean(),
  disabled: z.boolean(),
});

const tigeraStatusSchema = z.object({
  name: z.string(),
  conditions: z.array(
    z.object({
      type: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      message: z.string().nullable(),
      since: z.string().nullable(),
      observedGeneration: z.number().nullable(),
    }),
  ),
});

const accessSchema = missingRuleSchema.extend({ allowed: z.boolean() });

/** A mark that something else writes this object: `argocd.argoproj.io/tracking-id`, Flux' labels, Helm's annotations … */
const ownershipMarkSchema = z.object({
  object: z.string(),
  by: z.enum(['argocd', 'flux', 'fleet', 'addon-manager', 'gardener', 'kops', 'k0s', 'helm', 'other']),
  evidence: evidenceSchema,
  /** `paused`: it leaves the object alone for now; `hidden`: what would tell is not on this cluster, or may not be read. */
  state: z.enum(['acts', 'paused', 'hidden']),
  /** What tells the tool to write the object, `argocd/Application/platform`, where it was read. */
  source: z.string().nullable(),
  /** Where it was not read, the same as the mark names it. */
  sought: z.string().optional(),
  /** Of the fields that a switch changes, those whose value of now the tool wrote itself: `spec.calicoNetwork.linuxDataplane`. */
  writes: z.array(z.string()),
});

/**
 * A field that a run of ours set for its own duration (the cleanup flag) and did not set back, because it ended before that: `value` is ours,
 * `before` is what was there; null: nothing.
 */
const leftBehindSchema = z.object({
  object: z.string(),
  path: z.array(z.string()),
  value: z.unknown(),
  before: z.unknown(),
  run: z.string(),
  evidence: z.array(evidenceSchema),
});
export type LeftBehind = z.infer<typeof leftBehindSchema>;

const helmReleaseSchema = z.object({
  name: z.string(),
  namespace: z.string(),
  chart: z.string().nullable(),
  revision: z.number(),
  status: z.string(),
  /** Where that revision is unfinished or failed: the one before it that was deployed, to go back to. Left out where there is none. */
  deployedBefore: z.number().optional(),
  /** Where Helm keeps the record; left out: in Secrets, or not known. */
  driver: z.literal('configmap').optional(),
  /**
   * `definitions`: it has Calico's definitions and no operator, by its chart (definition-charts.ts), else by what Helm recorded, or where that cannot be
   * read by Helm's marks. `operator`: it has the operator by a chart of another name than the operator's own. Left out: neither, or the operator's chart.
   */
  holds: z.enum(['definitions', 'operator']).optional(),
  /** User values, without anything that looks like a secret; null when the record cannot be read. */
  values: z.record(z.string(), z.unknown()).nullable(),
});

/** A webhook that can refuse what an operation writes, with `failurePolicy: Fail` (pain H10). */
const webhookSchema = z.object({
  /** `ValidatingWebhookConfiguration/rancher.cattle.io`, and the name of the webhook in it. */
  object: z.string(),
  webhook: z.string(),
  /** Which of `namespaces`, `daemonsets`, `pods` it is asked about, in which of our namespaces. */
  asked: z.array(z.string()),
  namespaces: z.array(z.string()),
  backend: z.object({ object: z.string(), onHostNetwork: z.boolean().nullable() }),
});
export type WebhookFact = z.infer<typeof webhookSchema>;

/**
 * A CustomResourceDefinition of Calico, without its schema: that is two megabytes of them all. `fingerprint` is `schemaFingerprint` of lib/spec.
 * `writers`: who is recorded as having written which fields of its spec (`spec.versions`); statuses are left out.
 */
const definitionSchema = z.object({
  name: z.string(),
  fingerprint: z.string(),
  /** `controller-gen.kubebuilder.io/version`, where it is marked with one. */
  generator: z.string().nullable(),
  /** Size of what client-side `kubectl apply` left in an annotation; null: nothing. */
  lastAppliedBytes: z.number().nullable(),
  writers: z.array(z.object({ manager: z.string(), operation: z.string(), fields: z.array(z.string()) })),
});
export type DefinitionFact = z.infer<typeof definitionSchema>;

/** A workload or pod, and the version of the one image in it that is asked about; null: its tag is no version. */
const versionedSchema = z.object({ subject: subjectSchema, image: z.string(), version: z.string().nullable() });

/** What a NodeLocal DNSCache listens at and whom it asks, from its `-localip` and its Corefile. */
const nodeLocalDnsCacheSchema = z.object({
  /** `kube-system/DaemonSet/node-local-dns`. */
  object: z.string(),
  /** Addresses; null: nothing that was read says. */
  binds: z.array(z.string()).nullable(),
  services: z.array(
    z.object({
      /** `kube-system/Service/kube-dns`. */
      object: z.string(),
      addresses: z.array(z.string()),
      /** The cache answers at its address; the cache forwards to it. */
      bound: z.boolean(),
      asked: z.boolean(),
      /** An annotation of its own keeps eBPF from translating its addresses. */
      isAnnotated: z.boolean(),
      /** So does FelixConfiguration bpfExcludeCIDRsFromNAT: for every address that the cache binds; where it binds none, for any of them. */
      isInCidrs: z.boolean(),
    }),
  ),
  evidence: z.array(evidenceSchema),
});
export type NodeLocalDnsCache = z.infer<typeof nodeLocalDnsCacheSchema>;

/**
 * An object of any kind that one of `projectcalico.org/v3` owns: its references to such owners exactly as they are, and the field managers that wrote
 * them. `uid`: its own.
 */
const dependantSchema = z.object({
  resource: z.object({
    group: z.string(),
    version: z.string(),
    kind: z.string(),
    plural: z.string(),
    namespaced: z.boolean(),
  }),
  namespace: z.string().nullable(),
  name: z.string(),
  uid: z.string(),
  references: z.array(
    z.object({
      apiVersion: z.string(),
      kind: z.string(),
      name: z.string(),
      uid: z.string(),
      controller: z.boolean().exactOptional(),
      blockOwnerDeletion: z.boolean().exactOptional(),
    }),
  ),
  writers: z.array(z.string()),
});
export type Dependant = z.infer<typeof dependantSchema>;

/** What only an upgrade asks about. */
const upgradeSchema = z.object({
  /** Names: `calico-v3.31.4`. */
  imageSets: z.array(z.string()),
  definitions: z.array(definitionSchema),
  /** Objects with ownerReferences to `projectcalico.org/v3`; `detail` names the owners. */
  ownerReferences: z.array(subjectSchema),
  /** The same with what an upgrade needs to take the references away and to bring them back. */
  dependants: z.array(dependantSchema),
  hostEndpoints: z.object({
    /** `spec.controllers.node.hostEndpoint.autoCreate` of KubeControllersConfiguration default; null: not said. */
    autoCreate: z.enum(['Enabled', 'Disabled']).nullable(),
    /** `createDefaultHostEndpoint` beside it: without one there are those of templates alone; null: not said. */
    createDefault: z.enum(['Enabled', 'Disabled']).nullable().default(null),
    /** How many the controllers made. */
    automatic: z.number(),
    /** Those for all interfaces that somebody else made. */
    allInterfaces: z.array(subjectSchema),
    /** The same, with their labels, profiles and the names of their ports. `node`: null where it names none. Empty for facts of earlier versions. */
    byHand: z
      .array(
        z.object({
          name: z.string(),
          node: z.string().nullable(),
          labels: z.record(z.string(), z.string()),
          profiles: z.array(z.string()).default([]),
          ports: z.array(z.string()).default([]),
        }),
      )
      .default([]),
    /**
     * Global policies that would select a host as soon as there are automatic host endpoints, by the labels that nodes have now. `nodes`: how many, and
     * the first of them; null: the selector cannot be read. Empty for facts of earlier versions.
     */
    wouldSelect: z
      .array(
        z.object({
          policy: z.string(),
          selector: z.string(),
          nodes: z.object({ count: z.number(), first: z.array(z.string()) }).nullable(),
        }),
      )
      .default([]),
    /** Global policies that select one of `byHand` now, or that cannot be read. Empty for facts of earlier versions. */
    selecting: z
      .array(
        z.object({
          policy: z.string(),
          selector: z.string().nullable(),
          namespaceSelector: z.string().nullable(),
          serviceAccountSelector: z.string().nullable(),
        }),
      )
      .default([]),
  }),
  /** `allow-all-upgrade`, under whatever prefix. */
  temporaryPolicies: z.array(subjectSchema),
  /** Calico's policies in the default tier: how many, and the first of them. */
  defaultTierPolicies: z.object({ count: z.number(), first: z.array(subjectSchema) }),
  calicoctls: z.array(versionedSchema),
  /** One row a workload with the sidecar of application layer policy: by its pods, as Istio's injector marks them, or by its template. */
  sidecars: z.array(
    versionedSchema.extend({
      /** The workload's own template has it (`istioctl kube-inject`): a restart keeps it, whatever the injector adds. `unknown`: it could not be read. */
      inTemplate: z.literal([true, 'unknown']).optional(),
    }),
  ),
  /** Workloads of Calico and its operator that give no pod to a new release, whatever it is. Empty for facts of earlier versions. */
  stuck: z
    .array(
      z.object({
        /** `detail`: why, as a phrase. */
        subject: subjectSchema,
        /** `no-node`: none takes its pod; `paused`: its Deployment is; `on-delete`: its DaemonSet waits until somebody deletes each pod. */
        by: z.enum(['no-node', 'paused', 'on-delete']),
      }),
    )
    .default([]),
  /** Workloads of kube-system, and what of it their pods name, each by its id: `kube-system/ConfigMap/old`. Empty for facts of earlier versions. */
  users: z.array(z.object({ user: z.string(), uses: z.array(z.string()) })).default([]),
});

/** What the console's machine saw of the chosen or proposed endpoint; null when nothing was dialled, `because` says why. */
const dialledSchema = z.object({
  connection: z.union([
    z.object({ made: z.literal(true), latencyMs: z.number() }),
    /** `notTested`: the address was left alone, and `because` says why. */
    z.object({ made: z.literal(false), because: z.string(), notTested: z.literal(true).exactOptional() }),
  ]),
  /** `names`: subject alternative names. `expiresAt`: RFC 3339. */
  certificate: z
    .union([
      z.object({ verified: z.literal(true), names: z.array(z.string()) }),
      z.object({ verified: z.literal(false), names: z.array(z.string()), because: z.string() }),
    ])
    .and(z.object({ issuer: z.string().nullable(), expiresAt: z.string().nullable() }))
    .nullable(),
  /** `failing`: the parts that `/readyz?verbose` names as failed. `refusesStrangers`: an API server answered 401 or 403, as nobody's credentials were sent. */
  ready: z
    .object({
      status: z.number(),
      ok: z.boolean(),
      failing: z.array(z.string()),
      refusesStrangers: z.literal(true).exactOptional(),
    })
    .nullable(),
});

const endpointProbeSchema = dialledSchema.extend({
  endpoint: z.object({ host: z.string(), port: z.number() }),
  name: z.union([
    z.object({
      resolved: z.literal(true),
      addresses: z.array(z.string()),
      /** `machine`: this machine knows the name and DNS does not, so it stands in a hosts file or comes from mDNS; `undecided`: DNS did not answer. */
      by: z.enum(['address', 'dns', 'machine', 'undecided']),
      records: z.array(z.object({ type: z.enum(['A', 'AAAA']), address: z.string(), ttlSeconds: z.number() })),
      /** Names that it leads over (CNAME), in order. */
      aliases: z.array(z.string()),
    }),
    z.object({ resolved: z.literal(false), because: z.string() }),
  ]),
  /** Of three connections, in milliseconds; null where none was made. */
  latency: z.object({ minMs: z.number(), medianMs: z.number() }).nullable(),
  /** Each API server of EndpointSlice default/kubernetes, dialled by itself. */
  servers: z.array(dialledSchema.extend({ address: z.string() })),
  /** Every `address:port` to which a connection was tried. */
  dialled: z.array(z.string()),
  /** Every `address:port` that the cluster names and that was not dialled; `because` follows the address: *is a loopback address: …*. */
  leftAlone: z.array(z.object({ address: z.string(), because: z.string() })),
});

const testOutcomeSchema = z.union([
  z.object({ kind: z.literal('passed') }),
  z.object({ kind: z.enum(['failed', 'not-run']), because: z.string() }),
]);

/** The outcome of each test of one node (lib/spec/node-tests.ts). */
const testsSchema = z.object({
  ...(Object.fromEntries(alwaysTested.map((id) => [id, testOutcomeSchema])) as Record<
    AlwaysTested,
    typeof testOutcomeSchema
  >),
  /** Absent: it was not asked for. */
  ...(Object.fromEntries(onRequest.map((id) => [id, testOutcomeSchema.exactOptional()])) as Record<
    TestedOnRequest,
    z.ZodExactOptional<typeof testOutcomeSchema>
  >),
});

const measuredNodeSchema = z.object({
  node: z.string(),
  /** How long the API server took to answer there; null: it did not. */
  ms: z.number().nullable(),
  /** Of the API address a connection alone; absent: its certificate was verified too. */
  asked: z.literal('connection').optional(),
  /** Between which of its addresses VXLAN was tested; absent: it was not said. */
  addresses: z.array(z.string()).optional(),
  /** Bytes, of the link that carries its address; null: it did not say. */
  linkMtu: z.number().nullable().optional(),
  /** What serves Services there; null: it did not say. */
  proxy: z.enum(['none', 'rules', 'in-pod', 'outside']).nullable().optional(),
  tests: testsSchema,
});

/** What was measured on nodes (lib/spec/node-tests.ts), and for which address. */
export const measurementSchema = z.object({
  endpoint: z.object({ host: z.string(), port: z.string() }).nullable(),
  /** What it was measured for: another release, image or folder was not tested. */
  plan: z.object({
    release: z.string(),
    images: z.array(z.string()),
    flexVolumeFolder: z.string().nullable(),
    /** Ids of all that the test had made. */
    objects: z.array(z.string()).optional(),
    /** What became of them: `left` where some may still be there against its will. */
    ended: z.enum(['removed', 'kept', 'left']).optional(),
  }),
  nodes: z.array(measuredNodeSchema),
});

/** Null: nothing was measured. `plan` is absent where the nodes answer for any. */
const measuredSchema = measurementSchema.partial({ plan: true }).nullable();

/**
 * The parts of Facts that checks name in `reads`; coverage is told for each.
 * `unfinished` also the operators and a migration on its way. `endpoint` is `clusterIPs` and `apiServers` together; `endpointConfigMaps` the ConfigMap and its strays; `workloads` what `endpoint.inUse` tells; `agents` where the agents of Calico can land;
 * `dataplane` what is wanted and what is actual; `felix` the FelixConfigurations (`deviatingNodes`, `resources.objects`);
 * `rollouts` the workloads that are stuck; `upgradePolicies` the temporary policies and those of the default tier; `manifestConfig` the ConfigMap of a manifest installation.
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

/** Why a fact, or a part of it, is not known: kinds that were refused, not served or not in the dump. */
const coverageSchema = z.object({
  covered: z.boolean(),
  missing: z.array(
    z.object({
      kind: z.string(),
      because: z.string(),
      rule: missingRuleSchema.optional(),
      /** Nothing was refused: for what was asked of the cluster it did not have to be read. */
      notAsked: z.literal(true).optional(),
    }),
  ),
});
export type Coverage = z.infer<typeof coverageSchema>;

export const podCidrSources = [
  'openshift',
  'kubeadm',
  'controller-manager',
  'distribution',
  'kube-proxy',
  'nodes',
] as const;

/** cli.md › JSON shapes › inspect: a public contract. Add fields; never rename or remove one. */
export const factsSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('Facts'),
  observedAt: z.string(),
  cluster: z.object({
    name: z.string(),
    source: z.enum(['live', 'dump', 'sandbox']),
    kubernetesVersion: z.string().nullable(),
    serviceCIDRs: z.array(z.string()),
    /** Where the cluster expects its pods' addresses: what an IP pool has to lie in. Empty: nothing says. */
    podCIDRs: z.array(z.string()),
    /** What said so, strongest first; `nodes`: the smallest range that holds the ranges of all nodes, so the whole may be larger. */
    podCIDRsFrom: z.enum(podCidrSources).nullable(),
    /** What has to be said of the way to this cluster: its certificate is not verified, or it is reached without TLS. */
    warnings: z.array(z.string()),
    evidence: z.array(evidenceSchema),
  }),
  platform: z.object({
    kind: z.enum(platformKinds),
    evidence: z.array(evidenceSchema),
    /** What the operator detects by itself when it starts (calico.md §3.1); null: what would tell was not read. */
    provider: z.object({ detected: z.enum(providers), evidence: z.array(evidenceSchema) }).nullable(),
  }),
  nodes: z.array(nodeSchema),
  installation: installationSchema,
  proxy: proxySchema,
  endpoint: endpointSchema,
  pools: z.array(poolSchema),
  features: z.object({
    floatingIps: z.array(subjectSchema),
    sctp: z.array(subjectSchema),
    logActions: z.array(subjectSchema),
    /** Workloads and pods that ask for a port of the node. */
    hostPorts: z.array(subjectSchema),
    /** Pods that no DaemonSet, Deployment or StatefulSet made and that were not read whole: there are too many, or they were refused. `first`: `namespace/name` of a few. */
    otherPods: z.object({ count: z.number(), first: z.array(z.string()) }),
    /** Pods whose annotations limit their traffic; `limits`: rows of `trafficLimits`. */
    trafficLimits: z.array(
      subjectSchema.extend({
        limits: z.array(z.enum(['bandwidth-plugin', 'bandwidth', 'packet-rate', 'connections'])),
      }),
    ),
    /** Services of type LoadBalancer. `sourceRanges`: CIDRs as they are written; none lets everybody in. */
    loadBalancers: z.array(z.object({ namespace: z.string(), name: z.string(), sourceRanges: z.array(z.string()) })),
    /** DaemonSets of NodeLocal DNSCache. */
    nodeLocalDns: z.array(subjectSchema),
    /** The Services that each of them stands in for or asks. Empty for facts of earlier versions. */
    nodeLocalDnsCaches: z.array(nodeLocalDnsCacheSchema),
    /** Service meshes: a pod of each itself, and the namespaces that have members. */
    meshes: z.array(subjectSchema),
    /** Meshes whose definitions are there, by name, whether or not a pod of theirs was seen. */
    definedMeshes: z.array(z.string()),
    l7Logs: z.array(subjectSchema),
    applicationLayerPolicies: z.array(subjectSchema),
    waf: z.array(subjectSchema),
    adminNetworkPolicies: z.array(subjectSchema),
  }),
  resources: z.object({
    podCount: z.number().nullable(),
    serviceCount: z.number().nullable(),
    /** Objects that a plan may change or guard, by id (`tigera-operator/ConfigMap/kubernetes-services-endpoint`); null: read, and not there. Absent key: not read. */
    objects: z.record(z.string(), readObjectSchema.nullable()),
    tigeraStatuses: z.array(tigeraStatusSchema),
    ownership: z.array(ownershipMarkSchema),
    leftBehind: z.array(leftBehindSchema),
    helmReleases: z.array(helmReleaseSchema),
    access: z.array(accessSchema),
    apis: z.object({
      v3Available: z.boolean().nullable(),
      failing: z.array(z.object({ groupVersion: z.string(), because: z.string() })),
      /** Kinds that were chosen to be written and that nobody serves: `stagednetworkpolicies.crd.projectcalico.org`. Absent: none was looked for. */
      notServed: z.array(z.string()).exactOptional(),
    }),
    /** What the API server says of Calico's aggregated API where that is not available. */
    v3Unavailable: z.string().nullable(),
    webhooks: z.array(webhookSchema),
    endpointProbe: z.union([endpointProbeSchema, z.object({ because: z.string() })]),
  }),
  measured: measuredSchema.default(null),
  upgrade: upgradeSchema,
  coverage: z.record(z.enum(factKeys), coverageSchema),
});
export type Facts = z.infer<typeof factsSchema>;
