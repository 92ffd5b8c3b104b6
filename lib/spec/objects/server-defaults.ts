const core = { source: 'kubernetes/kubernetes pkg/apis/core/v1/defaults.go', read: '2026-11-23' };
const apps = { source: 'kubernetes/kubernetes pkg/apis/apps/v1/defaults.go', read: '2026-11-23' };
const rbac = { source: 'kubernetes/kubernetes pkg/apis/rbac/v1/defaults.go', read: '2026-11-23' };

type ServerDefault = {
  readonly field: string;
  readonly values: readonly unknown[];
  readonly source: string;
  readonly read: string;
};

/**
 * Defaults that the API server writes into an object, by field name: a field with its default is no change by hand. e2e/cluster/upgrade/manifest.test.ts compares
 * them with a real server.
 */
export const serverDefaults: readonly ServerDefault[] = [
  { field: 'apiGroup', values: ['', 'rbac.authorization.k8s.io'], ...rbac },
  { field: 'apiVersion', values: ['v1'], ...core },
  { field: 'defaultMode', values: [420], ...core },
  { field: 'dnsPolicy', values: ['ClusterFirst'], ...core },
  { field: 'failureThreshold', values: [3], ...core },
  { field: 'imagePullPolicy', values: ['IfNotPresent', 'Always'], ...core },
  { field: 'initialDelaySeconds', values: [0], ...core },
  { field: 'internalTrafficPolicy', values: ['Cluster'], ...core },
  { field: 'maxSurge', values: [0, '25%'], ...apps },
  { field: 'maxUnavailable', values: [1, '25%'], ...apps },
  { field: 'periodSeconds', values: [10], ...core },
  { field: 'progressDeadlineSeconds', values: [600], ...apps },
  { field: 'protocol', values: ['TCP'], ...core },
  { field: 'replicas', values: [1], ...apps },
  { field: 'restartPolicy', values: ['Always'], ...core },
  { field: 'revisionHistoryLimit', values: [10], ...apps },
  { field: 'schedulerName', values: ['default-scheduler'], ...core },
  { field: 'scheme', values: ['HTTP'], ...core },
  { field: 'sessionAffinity', values: ['None'], ...core },
  { field: 'successThreshold', values: [1], ...core },
  { field: 'terminationGracePeriodSeconds', values: [30], ...core },
  { field: 'terminationMessagePath', values: ['/dev/termination-log'], ...core },
  { field: 'terminationMessagePolicy', values: ['File'], ...core },
  { field: 'timeoutSeconds', values: [1], ...core },
  { field: 'type', values: ['RollingUpdate', 'ClusterIP', ''], ...core },
];

/** Fields in which zero means unset: the server replaces it by its default (core/v1/defaults.go; they are not pointers). */
export const zeroIsUnset: ReadonlySet<string> = new Set([
  'failureThreshold',
  'periodSeconds',
  'successThreshold',
  'timeoutSeconds',
]);

/** Fields that the server sets itself, with any value: addresses of a Service, and older names of fields. */
export const serversOwn: ReadonlySet<string> = new Set([
  'clusterIP',
  'clusterIPs',
  'ipFamilies',
  'ipFamilyPolicy',
  'serviceAccount',
  'creationTimestamp',
  // For pods on the node's network, the server copies the container's port.
  'hostPort',
  // For Services whose file has only the port.
  'targetPort',
  'nodePort',
]);

/** Parts of an object that releases and users set; others belong to the API server and controllers. */
export const editedParts = ['data', 'binaryData', 'spec', 'rules', 'subjects', 'imagePullSecrets'] as const;
/** The same for metadata; not finalizers and owners. */
export const editedMetadata = ['labels', 'annotations'] as const;

/** Annotations and labels that controllers and clients write, not users. */
export const writtenByMachines: readonly { readonly key: RegExp; readonly source: string; readonly read: string }[] = [
  {
    key: /^kubectl\.kubernetes\.io\/last-applied-configuration$/,
    source: 'kubernetes/kubernetes staging/src/k8s.io/api/core/v1/annotation_key_constants.go',
    read: '2026-11-23',
  },
  {
    key: /^deployment\.kubernetes\.io\//,
    source: 'kubernetes/kubernetes pkg/controller/deployment/util/deployment_util.go',
    read: '2026-11-23',
  },
  {
    key: /^deprecated\.daemonset\.template\.generation$/,
    source: 'kubernetes/kubernetes staging/src/k8s.io/api/apps/v1/types.go',
    read: '2026-11-23',
  },
];
