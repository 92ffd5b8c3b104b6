import { z } from 'zod';
import { labelName, objectName } from '#lib/base/object-names.ts';

export const goals = ['install', 'enable', 'upgrade', 'undo', 'restore', 'flow-logs', 'policy'] as const;
export type Goal = (typeof goals)[number];

/** What an upgrade may do once the new release runs, each only where it is asked for (operations.md › Journeys, 3). */
export const afterwards = ['host-endpoints', 'allow-all-upgrade', 'flow-logs', 'sidecars'] as const;
export type Afterwards = (typeof afterwards)[number];

/** Names in `changes` that are about host endpoints and labels of their nodes: decided however Calico was installed. */
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

const notAName = 'is not the name of an object';

/** A policy of one namespace, as `flows suggest` writes it. What its spec may say is Calico's to decide. */
export const policySchema = z.strictObject({
  apiVersion: z.literal('projectcalico.org/v3'),
  kind: z.enum(['StagedNetworkPolicy', 'NetworkPolicy']),
  metadata: z.strictObject({
    name: z.string().max(253).regex(objectName, notAName),
    namespace: z.string().max(63).regex(labelName, notAName),
  }),
  spec: z.record(z.string(), z.unknown()),
});
/** Of remarks: characters of each, and how many. */
export const [remarkLength, remarksKept] = [400, 50];

export type PolicyChoice = z.infer<typeof policySchema>;

/**
 * What the administrator answered. The same schema reads flags, `--choices FILE` and the wizard's forms (cli.md › Choices).
 * Host and port stay as they were typed: whether they are an address is for the check `endpoint.form` to say, in its own words.
 */
export const choicesSchema = z.strictObject({
  goal: z.enum(goals),
  platform: z.enum(platformKinds).optional(),
  endpoint: z.strictObject({ host: z.string(), port: z.string() }).optional(),
  /** Calico's version, `v3.31.4`. */
  release: z.string().optional(),
  /** Where the release's files are: an address, a folder, a `release-<v>.tgz` or an OCP bundle; without one the public address. */
  source: z.string().optional(),
  /** Never leave this machine for the release's files: only folders, bundles and what was downloaded before. */
  airGapped: z.boolean().optional(),
  /** *install*: which data plane the installation begins with; eBPF unless said. */
  dataplane: z.enum(['BPF', 'Iptables']).optional(),
  /** *install*: the whole Installation `spec` as edited in the wizard or given in a file; `set` lies on top. Without one it is proposed. */
  installation: z.record(z.string(), z.unknown()).optional(),
  /** `installation` as it was typed, with its comments and order: only for showing it again. What counts is `installation`; a text that says something else is not shown. */
  installationText: z
    .string()
    .max(128 * 1024)
    .optional(),
  /**
   * *install*: the text of a custom resources file, in the place of the release's own: an Installation, with which `installation` and `set` begin, and
   * other resources of the operator. Calico Enterprise has one of its own (spec › `spec.variant`). It stands in the plan, so it holds no secret.
   */
  customResources: z
    .string()
    .max(128 * 1024)
    .optional(),
  method: z.enum(['operator', 'helm', 'manifest']).optional(),
  /**
   * *upgrade* of an installation by Helm: where the chart of the operator is, as helm takes it; without one the public repository. `{version}` in it
   * stands for the release that is gone to: with a hop there are two.
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
  /** Ask services from every node while the run changes what carries their traffic, by pods that are removed again. */
  watchServices: z.boolean().optional(),
  /** bpfNetworkBootstrap and kubeProxyManagement instead of the ConfigMap and our proxy operation. */
  automatic: z.boolean().optional(),
  acknowledge: z.record(z.string(), z.string().min(1)).default({}),
  fix: z.array(z.string()).default([]),
  acceptProposals: z.boolean().default(false),
  /** Installation fields by dotted path below `spec`. */
  set: z.record(z.string(), z.unknown()).default({}),
  /**
   * *upgrade* of an installation by manifest: what becomes of a change that somebody made by hand, by its name
   * (`kube-system/DaemonSet/calico-node:spec.template.spec.containers[calico-node].env[FELIX_LOGSEVERITYSCREEN].value`), by its object, or for `all` that
   * is not named. `keep`: what the cluster has; `take`: what the new file has; or this value.
   */
  changes: z.record(z.string(), z.union([z.enum(['keep', 'take']), z.strictObject({ write: z.unknown() })])).optional(),
  /** *upgrade* of an installation by manifest: objects that the new release no longer has, to be deleted: `kube-system/ConfigMap/old`. */
  remove: z.array(z.string()).optional(),
  /**
   * *upgrade*: what follows once the new release runs on every node. Where a node has a label of its old host endpoint with another value, `changes`
   * says which of both stays: `keep` the node's, `take` the endpoint's, by the name `Node/worker-1:metadata.labels.role`. Where an automatic
   * endpoint does not do what the old one does, `take` of `HostEndpoint/worker-1`, or of all by `HostEndpoint`, accepts it; `keep` leaves the old one.
   */
  afterwards: z.array(z.enum(afterwards)).optional(),
  /** *upgrade* by way of another release: the run pauses once every node runs that one, and can be stopped, undone or carried on there. */
  pauseBetween: z.boolean().optional(),
  /** *policy*: the policy to make. */
  policy: policySchema.optional(),
  /** *policy*: what the suggestion could not say, or says more broadly than what was seen; sentences. */
  policyRemarks: z.array(z.string().max(remarkLength)).max(remarksKept).optional(),
  /** Delete kube-system/ConfigMap/kube-proxy after the proxy is off, so that `kubeadm upgrade` does not bring it back. */
  forgetKubeadmProxy: z.boolean().optional(),
});

export type Choices = z.infer<typeof choicesSchema>;
