import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { forwardFile, logFile, loggingContainers, prepareNodeFiles } from './objects/node-files.ts';

/**
 * KWOK's configuration: the life cycle of emulated nodes and pods, and their logs. What KWOK v0.8.0 can and cannot do, from its
 * source and from trying it:
 *
 * - A stage's selector sees one object only. "This pod must not become ready" works as an annotation or label on the pod;
 *   "no pod of this node" needs the node's name in the selector (`.spec.nodeName NotIn`), hence a new configuration.
 *   Static configuration is read once, at start: the supervisor restarts KWOK (0.3 s; all state is in the API, but each KWOK process
 *   holds the nodes' leases under a random name, so they are deleted in between) when the set of
 *   nodes or of held nodes changes. Stages as custom resources would be dynamic, but put KWOK's CRDs into the cluster under test.
 * - `ClusterLogs` and `ClusterExec` choose pods by exact names and namespaces, no patterns, no labels; `Logs` and `Exec` by the one
 *   pod that has their name. A rollout renames pods, so kubelet.ts asks KWOK under a name that stays: that of the node.
 * - Logs are read by the kubelet's own reader (k8s.io/cri-client): CRI or Docker-JSON lines only (anything else: 400 `unsupported
 *   log format`), a missing file is 400; `sinceTime` keeps lines at or after it, and comes with whole seconds because the API server
 *   sends RFC 3339 without fractions; `limitBytes` counts from the first line that is kept, so a reader gets the oldest bytes since
 *   `sinceTime`, the last line cut in the middle; `timestamps` and `follow` work; `follow` never ends by itself.
 *   `tailLines` counts before `sinceTime` is applied.
 * - `ClusterExec` with `local` runs the given command on this machine as whoever runs KWOK. Nothing of what a test or a user
 *   types may get there: kubelet.ts replaces the command by a `cat` of an answer file.
 */
export type KwokConfig = {
  readonly dir: string;
  readonly nodes: readonly string[];
  /** Nodes whose pods are created and scheduled but never become ready. */
  readonly heldNodes: readonly string[];
  readonly pace: Pace;
};

/** How long a pod takes from scheduled to ready. `slow` is the pace of the recordings of the public operator. */
export type Pace = 'normal' | 'slow';
const podReadyMs: Readonly<Record<Pace, { from: number; to: number }>> = {
  normal: { from: 150, to: 450 },
  slow: { from: 2500, to: 6000 },
};

/** Annotation or label of a pod, or annotation of a node for all its pods: they stay as they were created and never become ready. */
export const holdMark = 'signalbox.dev/hold';
/** An API server address that does not answer: pods configured with it never become ready, as with a wrong endpoint. */
export const nowhere = 'nowhere.signalbox.test';
/** Annotation on a node. `stopped`: the node becomes NotReady and starts no pods. */
export const kubeletMark = 'signalbox.dev/kubelet';
/** Name of the pod for which KWOK runs the commands of kubelet.ts, and whose ports echo what they receive. */
export const answeringPod = 'signalbox-answers';

/** This port of any pod forwards to the address of `setForward`. Every other port echoes what it receives. */
const forwardedPort = 7443;
const forwardProgram = fileURLToPath(new URL('forward-port.mjs', import.meta.url));

/** Writes the configuration, and every file that it names, into the cluster's folder. Returns its path. */
export function writeKwokConfig(config: KwokConfig): string {
  const quiet = join(config.dir, 'nodes', '.quiet.log');
  for (const node of config.nodes) prepareNodeFiles(config.dir, node);
  writeFileSync(quiet, '');
  const documents = [
    nodeInitialise,
    nodeHeartbeat,
    nodeStopped,
    podReady(config),
    podComplete,
    podDelete,
    ...config.nodes.map((node) => ({
      apiVersion: 'kwok.x-k8s.io/v1alpha1',
      kind: 'ClusterLogs',
      metadata: { name: `of-${node}` },
      spec: {
        selector: { matchNames: [node] },
        logs: [
          ...loggingContainers.map((name) => ({ containers: [name], logsFile: logFile(config.dir, node, name) })),
          { logsFile: quiet },
        ],
      },
    })),
    {
      apiVersion: 'kwok.x-k8s.io/v1alpha1',
      kind: 'ClusterExec',
      metadata: { name: 'answers' },
      spec: { selector: { matchNames: [answeringPod] }, execs: [{ local: { workDir: config.dir } }] },
    },
    {
      apiVersion: 'kwok.x-k8s.io/v1alpha1',
      kind: 'ClusterPortForward',
      metadata: { name: 'echo' },
      spec: {
        selector: { matchNames: [answeringPod] },
        forwards: [
          { ports: [forwardedPort], command: [process.execPath, forwardProgram, forwardFile(config.dir)] },
          { command: ['cat'] },
        ],
      },
    },
  ];
  const path = join(config.dir, 'kwok.yaml');
  writeFileSync(path, documents.map((document) => stringify(document)).join('---\n'));
  return path;
}

type Requirement = { key: string; operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'; values?: readonly string[] };

function stage(
  name: string,
  kind: 'Node' | 'Pod',
  matchExpressions: readonly Requirement[],
  next: Readonly<Record<string, unknown>>,
  delay?: { from: number; to: number },
) {
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: {
      resourceRef: { apiGroup: 'v1', kind },
      selector: { matchExpressions },
      ...(delay ? { delay: { durationMilliseconds: delay.from, jitterDurationMilliseconds: delay.to } } : {}),
      next,
    },
  };
}

const readyCondition = '.status.conditions.[] | select( .type == "Ready" ) | .status';
const kubeletRuns: Requirement = {
  key: `.metadata.annotations["${kubeletMark}"]`,
  operator: 'NotIn',
  values: ['stopped'],
};

const conditions = `
{{ $now := Now }}
conditions:
{{ range NodeConditions }}
- lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $now | Quote }}
  message: {{ .message | Quote }}
  reason: {{ .reason | Quote }}
  status: {{ .status | Quote }}
  type: {{ .type | Quote }}
{{ end }}
`;

/** Unlike KWOK's own stage it writes conditions and the kubelet's port only: addresses and nodeInfo are what the test gave. */
const nodeInitialise = stage(
  'node-initialise',
  'Node',
  [{ key: readyCondition, operator: 'NotIn', values: ['True'] }, kubeletRuns],
  {
    statusTemplate: `${conditions}
daemonEndpoints:
  kubeletEndpoint:
    Port: {{ NodePort }}
phase: Running
`,
  },
);

/** Rarely: the Lease, which KWOK renews by itself, is what says that a node lives. */
const nodeHeartbeat = stage(
  'node-heartbeat',
  'Node',
  [{ key: readyCondition, operator: 'In', values: ['True'] }, kubeletRuns],
  {
    statusTemplate: `
{{ $now := Now }}
conditions:
{{ range .status.conditions }}
- lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ .lastTransitionTime | Quote }}
  message: {{ .message | Quote }}
  reason: {{ .reason | Quote }}
  status: {{ .status | Quote }}
  type: {{ .type | Quote }}
{{ end }}
`,
  },
  { from: 300_000, to: 310_000 },
);

const nodeStopped = stage(
  'node-stopped',
  'Node',
  [
    { key: readyCondition, operator: 'In', values: ['True'] },
    { key: `.metadata.annotations["${kubeletMark}"]`, operator: 'In', values: ['stopped'] },
  ],
  {
    statusTemplate: `
{{ $now := Now }}
conditions:
- lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $now | Quote }}
  message: Kubelet stopped posting node status.
  reason: NodeStatusUnknown
  status: "Unknown"
  type: Ready
`,
  },
);

/** One step from scheduled to running, init containers included; what a kubelet would fill in, from ids made of the pod's uid. */
function podReady({ heldNodes, pace }: KwokConfig) {
  return stage(
    'pod-ready',
    'Pod',
    [
      { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' },
      { key: '.status.phase', operator: 'In', values: ['Pending'] },
      { key: readyCondition, operator: 'NotIn', values: ['True'] },
      { key: `.metadata.annotations["${holdMark}"]`, operator: 'NotIn', values: ['true'] },
      { key: `.metadata.labels["${holdMark}"]`, operator: 'NotIn', values: ['true'] },
      {
        key: '.spec.containers[].env[]? | select(.name == "KUBERNETES_SERVICE_HOST") | .value',
        operator: 'NotIn',
        values: [nowhere],
      },
      ...(heldNodes.length > 0 ? [{ key: '.spec.nodeName', operator: 'NotIn' as const, values: heldNodes }] : []),
    ],
    {
      statusTemplate: `
{{ $now := Now }}
{{ $uid := or .metadata.uid "" }}
conditions:
{{ range list "PodReadyToStartContainers" "Initialized" "Ready" "ContainersReady" }}
- lastTransitionTime: {{ $now | Quote }}
  status: "True"
  type: {{ . | Quote }}
{{ end }}
{{ range .spec.readinessGates }}
- lastTransitionTime: {{ $now | Quote }}
  status: "True"
  type: {{ .conditionType | Quote }}
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- containerID: {{ printf "containerd://%s" (sha256sum (printf "%s/%s" $uid .name)) | Quote }}
  image: {{ .image | Quote }}
  imageID: {{ printf "%s@sha256:%s" .image (sha256sum .image) | Quote }}
  name: {{ .name | Quote }}
  ready: true
  restartCount: 0
  started: true
  state:
    running:
      startedAt: {{ $now | Quote }}
{{ end }}
initContainerStatuses:
{{ range .spec.initContainers }}
- containerID: {{ printf "containerd://%s" (sha256sum (printf "%s/%s" $uid .name)) | Quote }}
  image: {{ .image | Quote }}
  imageID: {{ printf "%s@sha256:%s" .image (sha256sum .image) | Quote }}
  name: {{ .name | Quote }}
  ready: true
  restartCount: 0
  {{ if eq .restartPolicy "Always" }}
  started: true
  state:
    running:
      startedAt: {{ $now | Quote }}
  {{ else }}
  started: false
  state:
    terminated:
      exitCode: 0
      finishedAt: {{ $now | Quote }}
      reason: Completed
      startedAt: {{ $now | Quote }}
  {{ end }}
{{ end }}
{{ $hostIPs := NodeIPsWith .spec.nodeName }}
{{ with $hostIPs }}
hostIP: {{ index . 0 | Quote }}
hostIPs:
{{ range . }}
- ip: {{ . | Quote }}
{{ end }}
{{ end }}
{{ $podIPs := PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) }}
{{ with $podIPs }}
podIP: {{ index . 0 | Quote }}
podIPs:
{{ range . }}
- ip: {{ . | Quote }}
{{ end }}
{{ end }}
phase: Running
startTime: {{ $now | Quote }}
`,
    },
    podReadyMs[pace],
  );
}

const podComplete = stage(
  'pod-complete',
  'Pod',
  [
    { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' },
    { key: '.status.phase', operator: 'In', values: ['Running'] },
    { key: '.metadata.ownerReferences.[].kind', operator: 'In', values: ['Job'] },
  ],
  {
    statusTemplate: `
{{ $now := Now }}
containerStatuses:
{{ range .spec.containers }}
- image: {{ .image | Quote }}
  name: {{ .name | Quote }}
  ready: false
  restartCount: 0
  started: false
  state:
    terminated:
      exitCode: 0
      finishedAt: {{ $now | Quote }}
      reason: Completed
      startedAt: {{ $now | Quote }}
{{ end }}
phase: Succeeded
`,
  },
);

const podDelete = stage('pod-delete', 'Pod', [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }], {
  delete: true,
});
