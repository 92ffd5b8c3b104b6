import { z } from 'zod';
import { labelName, objectName } from '#lib/base/object-names.ts';

export const goals = ['install', 'enable', 'upgrade', 'undo', 'restore', 'flow-logs', 'policy'] as const;
export type Goal = (typeof goals)[number];

/** Optional steps after an upgrade, once the new release runs (operations.md › Journeys, 3). */
export const afterwards = ['host-endpoints', 'allow-all-upgrade', 'flow-logs', 'sidecars'] as const;
export type Afterwards = (typeof afterwards)[number];

/** Names in `changes` about host endpoints and labels of their nodes, which apply to every method of installation. */
export const hostAnswer = /^(?:Node\/|HostEndpoint(?:\/|$))/;

export const platformKinds = [
  'kubeadm',
  'kops',
  'openshift',
  'aks',
  'eks',
  'gke',
  'tkg',
  'rke',
  'rke2',
  'k3s',
  'mke',
  'kind',
  'talos',
  'generic',
] as const;
export type PlatformKind = (typeof platformKinds)[number];

/** The path in `set` of the Installation's field that lets the operator turn kube-proxy off (calico.md §3.6). */
export const proxyManagementSetting = 'calicoNetwork.kubeProxyManagement';

const notAName = 'is not the name of an object';

/** A policy of one namespace, as `flows suggest` writes it. Calico validates its spec. */
export const policySchema = z.strictObject({
  apiVersion: z.literal('projectcalico.org/v3'),
  kind: z.enum(['StagedNetworkPolicy', 'NetworkPolicy']),
  metadata: z.strictObject({
    name: z.string().max(253).regex(objectName, notAName),
    namespace: z.string().max(63).regex(labelName, notAName),
  }),
  spec: z.record(z.string(), z.unknown()),
});
/** Most characters of a remark, and most remarks. */
export const [remarkLength, remarksKept] = [400, 50];

export type PolicyChoice = z.infer<typeof policySchema>;

/**
 * The administrator's answers. Flags, `--choices FILE` and the wizard's forms use the same schema (cli.md › Choices). Host and port stay as typed; the check
 * `endpoint.form` validates them.
 */
export const choicesSchema = z.strictObject({
  goal: z.enum(goals),
  platform: z.enum(platformKinds).optional(),
  endpoint: z.strictObject({ host: z.string(), port: z.string() }).optional(),
  /** Calico's version, `v3.31.4`. */
  release: z.string().optional(),
  /** Source of the release's files: an address, a folder, a `release-<v>.tgz` or an OCP bundle. Default: the public address. */
  source: z.string().optional(),
  /** Never download the release's files: use only folders, bundles and the cache. */
  airGapped: z.boolean().optional(),
  /** *install*: the data plane of the installation. Default: eBPF. */
  dataplane: z.enum(['BPF', 'Iptables']).optional(),
  /** *install*: the whole Installation `spec`, edited in the wizard or from a file; `set` overrides it. Default: the proposal. */
  installation: z.record(z.string(), z.unknown()).optional(),
  /** The typed text of `installation`, with comments and order, only to show it again. `installation` decides; a text that differs from it is not shown. */
  installationText: z
    .string()
    .max(128 * 1024)
    .optional(),
  /**
   * *install*: text of a custom resources file that replaces the release's own: an Installation, which `installation` and `set` modify, and other resources of the
   * operator. Calico Enterprise needs its own (spec › `spec.variant`). The plan contains it, so it must have no secrets.
   */
  customResources: z
    .string()
    .max(128 * 1024)
    .optional(),
  method: z.enum(['operator', 'helm', 'manifest']).optional(),
  /**
   * *upgrade* of an installation by Helm: the operator's chart, in a form that helm accepts. Default: the public repository. `{version}` in it is replaced by each
   * target release; an upgrade with a hop has two.
   */
  chart: z
    .string()
    .regex(
      /^[A-Za-z0-9/.](?:[A-Za-z0-9/._:+~-]|\{version\}){0,1000}$/,
      'is not where a chart can be: a folder, a packed chart, an address or repository/chart',
    )
    .optional(),
  /** Direct Server Return: FelixConfiguration bpfExternalServiceMode DSR. */
  dsr: z.boolean().optional(),
  /** Leave the service proxy running beside eBPF (spec › Service proxy cannot be disabled). */
  keepProxy: z.boolean().optional(),
  /** Query Services from every node, or a sample of many, while the run changes their data plane, with temporary pods. */
  watchServices: z.boolean().optional(),
  /** bpfNetworkBootstrap and kubeProxyManagement instead of the ConfigMap and our proxy operation. */
  automatic: z.boolean().optional(),
  acknowledge: z.record(z.string(), z.string().min(1)).default({}),
  fix: z.array(z.string()).default([]),
  acceptProposals: z.boolean().default(false),
  /** Installation fields by dotted path below `spec`. */
  set: z.record(z.string(), z.unknown()).default({}),
  /**
   * *upgrade* of an installation by manifest: the decision about a change by hand, by its name
   * (`kube-system/DaemonSet/calico-node:spec.template.spec.containers[calico-node].env[FELIX_LOGSEVERITYSCREEN].value`), by its object, or for `all` others.
   * `keep`: the cluster's value; `take`: the new file's; `write`: this value.
   */
  changes: z.record(z.string(), z.union([z.enum(['keep', 'take']), z.strictObject({ write: z.unknown() })])).optional(),
  /** *upgrade* of an installation by manifest: objects to delete because the new release no longer has them: `kube-system/ConfigMap/old`. */
  remove: z.array(z.string()).optional(),
  /**
   * *upgrade*: steps once the new release runs on every node. If a node and its old host endpoint have different values of a label, `changes` decides under the
   * name `Node/worker-1:metadata.labels.role`: `keep` the node's, `take` the endpoint's. If an automatic endpoint would behave differently from the old one,
   * `take` for `HostEndpoint/worker-1`, or `HostEndpoint` for all, accepts that; `keep` leaves the old one.
   */
  afterwards: z.array(z.enum(afterwards)).optional(),
  /** *upgrade* with a hop: the run pauses once every node runs the intermediate release, and can be resumed, stopped or undone there. */
  pauseBetween: z.boolean().optional(),
  /** *policy*: the policy to create. */
  policy: policySchema.optional(),
  /** *policy*: sentences about what the suggestion cannot express, or allows beyond the seen flows. */
  policyRemarks: z.array(z.string().max(remarkLength)).max(remarksKept).optional(),
  /** Delete kube-system/ConfigMap/kube-proxy after the proxy is off, so that `kubeadm upgrade` does not bring it back. */
  forgetKubeadmProxy: z.boolean().optional(),
});

export type Choices = z.infer<typeof choicesSchema>;
