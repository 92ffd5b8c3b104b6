import type { KubeObject } from '#lib/kube/index.ts';

/**
 * What may differ between a cluster before `enable` and after its undo, each exception by name (operations.md › Allowed residue).
 * `leaveOut`: the object says nothing. `forget`: paths that say nothing; `*` is any key or element.
 */
export type Exception = {
  readonly name: string;
  readonly because: string;
  readonly of: (object: KubeObject) => boolean;
} & ({ readonly leaveOut: true } | { readonly forget: readonly (readonly string[])[] });

const every = () => true;
const madeAgain: ReadonlySet<string> = new Set([
  'ConfigMap/kube-proxy',
  'DaemonSet/aws-node',
  'DaemonSet/openshift-kube-proxy',
]);
const kind =
  (...kinds: string[]) =>
  (object: KubeObject) =>
    kinds.includes(object.kind);

const timeKeys = [
  'creationTimestamp',
  'lastTransitionTime',
  'lastHeartbeatTime',
  'lastUpdateTime',
  'lastProbeTime',
  'renewTime',
  'acquireTime',
  'startTime',
  'startedAt',
  'finishedAt',
];

/** The allowed residue of operations.md. */
const residue: readonly Exception[] = [
  {
    name: 'nftablesMode',
    because: 'the operator wrote it with eBPF and leaves it',
    of: kind('FelixConfiguration'),
    forget: [['spec', 'nftablesMode']],
  },
  {
    name: "the operator's mark",
    because: 'annotation operator.tigera.io/bpfEnabled',
    of: kind('FelixConfiguration'),
    forget: [['metadata', 'annotations', 'operator.tigera.io/bpfEnabled']],
  },
  {
    name: 'generations',
    because: 'they only grow',
    of: every,
    forget: [
      ['metadata', 'generation'],
      ['status', 'observedGeneration'],
      ['status', 'conditions', '*', 'observedGeneration'],
      ['metadata', 'annotations', 'deprecated.daemonset.template.generation'],
    ],
  },
  {
    name: 'revisions',
    because: 'the history of templates that workload controllers keep',
    of: kind('ControllerRevision'),
    leaveOut: true,
  },
  {
    name: 'revisions of Deployments',
    because: 'ReplicaSets that want no pod are that history',
    of: (object) => object.kind === 'ReplicaSet' && (object.spec as { replicas?: number }).replicas === 0,
    leaveOut: true,
  },
  {
    name: 'revision numbers',
    because: 'they only grow',
    of: kind('Deployment', 'ReplicaSet'),
    forget: [
      ['metadata', 'annotations', 'deployment.kubernetes.io/revision'],
      ['metadata', 'annotations', 'deployment.kubernetes.io/revision-history'],
    ],
  },
  { name: 'Events', because: 'what happened', of: kind('Event'), leaveOut: true },
  {
    name: 'our namespace',
    because: 'of journals, with what Kubernetes puts into every namespace',
    of: ({ kind, metadata }) =>
      kind === 'Namespace'
        ? metadata.name === 'signalbox'
        : metadata.namespace === 'signalbox' && ['kube-root-ca.crt', 'default'].includes(metadata.name ?? ''),
    leaveOut: true,
  },
  {
    name: 'our journal',
    because: 'one ConfigMap a run',
    of: (object) => object.kind === 'ConfigMap' && /^signalbox-run-/.test(object.metadata.name ?? ''),
    leaveOut: true,
  },
  {
    name: 'our Lease',
    because: 'kept without a holder',
    of: (object) => object.kind === 'Lease' && object.metadata.name === 'signalbox',
    leaveOut: true,
  },
];

/** What the server and its controllers count and stamp. */
const bookkeeping: readonly Exception[] = [
  {
    name: 'versions and managers',
    because: "the server's own",
    of: every,
    forget: [
      ['metadata', 'resourceVersion'],
      ['metadata', 'managedFields'],
    ],
  },
  {
    name: 'times',
    because: 'when something happened is not what it is',
    of: every,
    forget: [
      ...timeKeys.map((key) => ['metadata', key]),
      ...timeKeys.map((key) => ['spec', key]),
      ...timeKeys.map((key) => ['status', key]),
      ...timeKeys.map((key) => ['status', 'conditions', '*', key]),
      ['metadata', 'annotations', 'endpoints.kubernetes.io/last-change-trigger-time'],
    ],
  },
  {
    name: 'identity of pods',
    because:
      'a template that changed twice leaves new pods: name, UID, address, node of a Deployment’s pod, containers',
    of: kind('Pod'),
    forget: [
      ['metadata', 'name'],
      ['metadata', 'uid'],
      ['metadata', 'annotations', 'cni.projectcalico.org/*'],
      ['metadata', 'labels', 'pod-template-generation'],
      ['metadata', 'ownerReferences', '*', 'uid'],
      ['spec', 'hostname'],
      ['spec', 'volumes', '*', 'name'],
      ['spec', 'containers', '*', 'volumeMounts'],
      ['spec', 'initContainers', '*', 'volumeMounts'],
      ['spec', 'nodeName'],
      ['status', 'hostIP'],
      ['status', 'hostIPs'],
      ['status', 'podIP'],
      ['status', 'podIPs'],
      ['status', 'initContainerStatuses'],
      ['status', 'containerStatuses'],
    ],
  },
  {
    name: 'identity of ReplicaSets',
    because: 'one that was tidied away and made again has another UID',
    of: kind('ReplicaSet'),
    forget: [['metadata', 'uid']],
  },
  {
    name: 'identity of statuses',
    because:
      'the operator deletes TigeraStatus kubeproxy-monitor while it does not manage the proxy, and makes it again',
    of: kind('TigeraStatus'),
    forget: [['metadata', 'uid']],
  },
  {
    name: 'identity of what is made again',
    because:
      'what a plan deletes (kubeadm’s ConfigMap, aws-node, OpenShift’s proxy) its undo makes anew, from what was recorded',
    of: ({ kind, metadata }) => madeAgain.has(`${kind}/${metadata.name}`),
    forget: [['metadata', 'uid']],
  },
  {
    name: 'addresses of pods',
    because: 'new pods of the same workload have new ones',
    of: kind('EndpointSlice', 'Endpoints'),
    forget: [['endpoints'], ['subsets']],
  },
  {
    name: 'turns of controllers',
    because: 'leader Leases of other programs change hands by themselves',
    of: kind('Lease'),
    forget: [['spec']],
  },
];

export const exceptions: readonly Exception[] = [...residue, ...bookkeeping];
