import type { FlagTable } from './flags.ts';

/** Flags of every command. */
export const outputFlags = {
  output: {
    value: 'FORMAT',
    short: 'o',
    help: 'table (default), json or yaml; plan also shell and gitops, report also gitops, check also junit, spec also markdown',
  },
  color: { value: 'auto|always|never', help: 'colour; auto: on a terminal without NO_COLOR' },
  quiet: { short: 'q', help: 'only data and errors' },
  verbose: { short: 'v', help: 'causes and requests too' },
  help: { short: 'h', help: 'this text' },
} as const satisfies FlagTable;

/** Which cluster (cli.md). */
export const clusterFlags = {
  context: { value: 'NAME', help: 'context of the kubeconfig' },
  kubeconfig: { value: 'FILE', help: "kubeconfig; else KUBECONFIG, else kubectl's default" },
  sandbox: { value: 'NAME', help: 'a sample cluster on this machine: empty, standard, bpf, …' },
  from: { value: 'PATH', many: true, help: 'an offline dump: file or folder of YAML or JSON objects; may be repeated' },
  timeout: { value: 'DURATION', help: 'for each call to the cluster (default 30s)' },
  instant: { help: 'sandbox: no delays' },
} as const satisfies FlagTable;

/** Where Calico keeps its data in etcd: how that is reached. Nothing of it is kept. */
export const etcdFlags = {
  'etcd-endpoints': {
    value: 'URLS',
    help: 'Calico with its data in etcd: read its version and objects there, e.g. https://10.0.0.5:2379',
  },
  'etcd-ca': { value: 'FILE', help: 'authority of etcd, as PEM' },
  'etcd-cert': { value: 'FILE', help: 'certificate by which etcd knows this client, as PEM' },
  'etcd-key': { value: 'FILE', help: 'its key; read into memory, and written nowhere' },
} as const satisfies FlagTable;

/** What the administrator answers (cli.md › Choices). */
export const choiceFlags = {
  goal: { value: 'GOAL', help: 'install, enable, upgrade, undo, restore or flow-logs; proposed from what runs' },
  choices: { value: 'FILE', help: 'answers as YAML; flags win over it' },
  platform: { value: 'KIND', help: 'kubeadm, kops, openshift, aks, eks, …; else as recognised' },
  endpoint: { value: 'HOST:PORT', help: 'stable address of the API server' },
  release: { value: 'VERSION', help: 'Calico release' },
  source: { value: 'URL|DIR|TGZ', help: 'where its manifests come from' },
  'air-gapped': { help: 'never leave this machine for them: folders, bundles, and what was downloaded before' },
  'custom-resources': {
    value: 'FILE',
    help: "install: custom resources in the place of the release's own, such as Calico Enterprise's",
  },
  method: { value: 'METHOD', help: 'operator, helm or manifest' },
  chart: {
    value: 'CHART',
    help: 'upgrade by Helm: the chart of the operator as helm takes it, {version} for the release; else projectcalico/tigera-operator',
  },
  dsr: { help: 'direct server return for NodePorts' },
  'watch-services': {
    help: 'ask ClusterIP, DNS and a NodePort from every node during the run, by pods that are removed again; pauses it when one stays silent; so after a preflight of this plan',
  },
  'no-watch-services': { help: 'ask nothing from the nodes during the run, also after a preflight' },
  'pause-between': {
    help: 'upgrade by way of another release: pause the run once every node runs that one; resume, stop or undo it there',
  },
  'keep-proxy': { help: 'leave the service proxy running beside eBPF' },
  automatic: { help: "the operator's own bootstrap and proxy management" },
  'forget-kubeadm-proxy': {
    help: "delete kube-proxy's ConfigMap in the end, so that kubeadm upgrade does not bring it back",
  },
  acknowledge: {
    value: 'ID=REASON',
    many: true,
    help: 'accept a warning or an unknown, with a reason (not-measured: all that needs a measurement on the nodes); may be repeated',
  },
  fix: { value: 'ID', many: true, help: "add a finding's fix to the plan; may be repeated" },
  'accept-proposals': { help: 'accept what is proposed: the endpoint, and each fix that the plan can hold' },
  keep: {
    value: 'CHANGE',
    many: true,
    help: 'upgrade of a manifest: this change by hand stays, as check names it; its object or all; may be repeated',
  },
  take: { value: 'CHANGE', many: true, help: 'the same, as the new file has it' },
  write: { value: 'CHANGE=VALUE', many: true, help: 'the same, with this value' },
  remove: {
    value: 'OBJECT',
    many: true,
    help: 'upgrade of a manifest: delete this object, which the new release no longer has; may be repeated',
  },
  afterwards: {
    value: 'WHAT',
    many: true,
    help: 'upgrade: once the new release runs, also host-endpoints (automatic ones in place of those made by hand), allow-all-upgrade (delete that policy) flow-logs (turn them on, which restarts every agent) or sidecars (of application layer policy, one workload after the other); may be repeated',
  },
  set: { value: 'PATH=VALUE', many: true, help: 'an Installation field; may be repeated' },
} as const satisfies FlagTable;

export const journalFlags = {
  'journal-namespace': {
    value: 'NAMESPACE',
    help: 'where journal and Lease live (default signalbox; journals of earlier versions are found in kube-system too)',
  },
} as const satisfies FlagTable;
