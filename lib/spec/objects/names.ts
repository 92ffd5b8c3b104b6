import { labelName } from '#lib/base/object-names.ts';

/** Every identifier of Calico, Kubernetes and Signalbox that the product reads or writes, once. product.md › Names. */
export const names = {
  operatorNamespace: 'tigera-operator',
  calicoNamespace: 'calico-system',
  /** Where the API server's pods were up to v3.30 (calico.md §9). */
  earlierApiServerNamespace: 'calico-apiserver',
  systemNamespace: 'kube-system',

  endpointConfigMap: 'kubernetes-services-endpoint',
  endpointHostKey: 'KUBERNETES_SERVICE_HOST',
  endpointPortKey: 'KUBERNETES_SERVICE_PORT',
  /** MKE's name for the reverse proxy to the API servers that every node runs, and resolves without DNS (spec › Per-platform values). */
  proxyOfMke: 'proxy.local',

  installation: 'default',
  felixConfiguration: 'default',
  operatorDeployment: 'tigera-operator',
  nodeDaemonSet: 'calico-node',
  nodeContainer: 'calico-node',
  /** Set in the agents by the operator while it has flow logs to send somewhere (calico.md §3.1). */
  flowLogsServerEnv: 'FELIX_FLOWLOGSGOLDMANESERVER',
  typhaDeployment: 'calico-typha',
  kubeControllersDeployment: 'calico-kube-controllers',
  apiServerDeployment: 'calico-apiserver',
  kubeProxyDaemonSet: 'kube-proxy',

  /** The operator's record that it wrote FelixConfiguration.spec.bpfEnabled itself (calico.md §3.5). */
  bpfEnabledAnnotation: 'operator.tigera.io/bpfEnabled',
  /** The operator updates no object that has it with the value `true` (tigera/operator pkg/controller/utils/utils.go `IgnoreObject`; read 2026-11-28). */
  ignoreAnnotation: 'unsupported.operator.tigera.io/ignore',
  /** nodeSelector key by which an administrator turns kube-proxy off; no node has it (spec › Service proxy). */
  nonCalicoSelector: 'non-calico',
  /** The operator's own key for the same, written when kubeProxyManagement is Enabled (calico.md §3.6). */
  operatorProxySelector: 'operator.tigera.io/disable-kube-proxy',
  createdByLabel: 'projectcalico.org/created-by',
  /** On stored objects of Calico: their own labels and annotations, as text (calico.md §12). */
  metadataAnnotation: 'projectcalico.org/metadata',
  floatingIpsAnnotation: 'cni.projectcalico.org/floatingIPs',

  kubeDnsService: 'kube-dns',
  /** What calico-node found by autodetection, with the length of its prefix (docs.tigera.io › Configuring calico/node › IP autodetection; read 2026-11-23). */
  nodeAddressAnnotations: ['projectcalico.org/IPv4Address', 'projectcalico.org/IPv6Address'],
  /** https://kubernetes.io/docs/reference/labels-annotations-taints/ */
  zoneLabel: 'topology.kubernetes.io/zone',
  /** On a Service: eBPF does not translate it, because another component handles it, e.g. NodeLocal DNSCache (pain E2). */
  natExcludeAnnotation: 'projectcalico.org/natExcludeService',
  /** Namespace and DaemonSet of the proxy that OpenShift's network operator runs. */
  openshiftProxy: 'openshift-kube-proxy',
  /** The operator's TigeraStatus about the proxy that it manages (calico.md §3.6). */
  proxyMonitorStatus: 'kubeproxy-monitor',

  fieldManager: 'signalbox',
  lease: 'signalbox',
  /** Namespace of journals and the Lease. The first run creates it; deleting the last journal deletes it. */
  journalNamespace: 'signalbox',
  /** On the namespace of a test of nodes that is kept for inspection. */
  keptAnnotation: 'signalbox.dev/kept',
  /** On the same namespace: its holder while the test runs, and the time of the last renewal. */
  holderAnnotation: 'signalbox.dev/holder',
  renewedAnnotation: 'signalbox.dev/renewed',
  /** Namespace of the pods that query Services during a run. */
  watchNamespace: 'signalbox-services',
  /** On the operator's pod template: hash of the endpoint that its process was started with (operations.md › endpoint.restart-operator). */
  endpointHashAnnotation: 'signalbox.dev/endpoint-hash',
  /** On kube-proxy's pod template: the mode that its pods were restarted for (operations.md › proxy.ipvs-to-iptables). */
  proxyModeAnnotation: 'signalbox.dev/proxy-mode',
  requestAnnotation: 'signalbox.dev/request',
  /** On objects created by a run under a name that others may use too: the run's id, so that its undo deletes only its own. */
  madeByAnnotation: 'signalbox.dev/made-by-run',
  runLabel: 'signalbox.dev/run',
  /** On kube-system of clusters of `npm run cluster`: only there may our operator stand in for the public one beside its Deployment. */
  testClusterLabel: 'signalbox.dev/cluster',
  testClusterValue: 'test',

  /** The public operator's field manager, which ours also uses (`Update` entries in managedFields). */
  operatorFieldManager: 'operator',
  /** In calico-system; says in `activeNamespaceKey` which operator may act (calico.md §3.1). */
  activeOperatorConfigMap: 'active-operator',
  activeNamespaceKey: 'active-namespace',
  /** On that ConfigMap if our operator wrote it, so that ours recognises itself after a restart. */
  operatorOwnerAnnotation: 'signalbox.dev/operator',
  /** Finalizers that the operator puts on the Installation (calico.md §2.1; order as recorded). */
  installationFinalizer: 'operator.tigera.io/installation-controller',
  cleanupFinalizer: 'tigera.io/operator-cleanup',
  apiServerFinalizer: 'operator.tigera.io/apiserver-controller',
  managedByLabel: 'app.kubernetes.io/managed-by',
} as const;

/** Namespaces of an installation by the operator: the operator's, the product's, and the one of its API server before v3.30. */
export const calicoNamespaces = [
  names.operatorNamespace,
  names.calicoNamespace,
  names.earlierApiServerNamespace,
] as const;

/** Names of the temporary policy from the preparation for v3.14, without and with its tier (spec › Versioning). */
export const temporaryPolicies: readonly string[] = ['allow-all-upgrade', 'default.allow-all-upgrade'];

/**
 * The DaemonSets that run Calico's agent: the operator's, and those of the public manifests of Calico and of Canal, the last one with etcd. The first
 * existing one counts. Pods carry the name as label `k8s-app`.
 */
export const agentDaemonSets = [
  { namespace: names.calicoNamespace, name: names.nodeDaemonSet, source: 'calico.md §9', read: '2026-11-24' },
  { namespace: names.systemNamespace, name: names.nodeDaemonSet, source: 'calico.md §9', read: '2026-11-24' },
  { namespace: names.systemNamespace, name: 'canal', source: 'canal.yaml of v3.31.4', read: '2026-11-24' },
  { namespace: names.systemNamespace, name: 'canal-node', source: 'canal-etcd.yaml of v3.31.4', read: '2026-11-24' },
] as const;

/** Label selector of the agents' pods, for all of these namespaces. */
export const agentPodsSelector = `k8s-app in (${[...new Set(agentDaemonSets.map(({ name }) => name))].join(',')})`;

/** Whether the text is a valid name of a namespace (RFC 1123 › label). */
export function isNamespaceName(text: string): boolean {
  return labelName.test(text);
}
