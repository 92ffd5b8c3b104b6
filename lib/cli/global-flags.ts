import type { Flags, FlagTable } from './flags.ts';

/** Flags of every command. */
export const outputFlags = {
  output: { value: 'FORMAT', short: 'o', help: 'table (default), json or yaml' },
  color: { value: 'auto|always|never', help: 'colour; auto: on a terminal without NO_COLOR' },
  quiet: { short: 'q', help: 'only data and errors' },
  verbose: { short: 'v', help: 'also causes and requests' },
  help: { short: 'h', help: 'this text' },
} as const satisfies FlagTable;

/** The same for a command with other formats. */
export function outputIn(formats: string) {
  return { ...outputFlags, output: { ...outputFlags.output, help: formats } } as const satisfies FlagTable;
}

/** The same for a command that prints no data. */
export const withoutOutput = {
  ...outputFlags,
  output: { ...outputFlags.output, help: 'no effect here', unused: true },
} as const satisfies FlagTable;

/** Flags that name the cluster (cli.md). */
export const clusterFlags = {
  context: { value: 'NAME', help: 'context of the kubeconfig' },
  kubeconfig: { value: 'FILE', help: "kubeconfig; else KUBECONFIG, else kubectl's default" },
  sandbox: { value: 'NAME', help: 'a sample cluster on this machine: empty, standard, bpf, …' },
  from: { value: 'PATH', many: true, help: 'an offline dump: file or folder of YAML or JSON objects; may be repeated' },
  timeout: { value: 'DURATION', help: 'for each call to the cluster (default 30s)' },
  instant: { help: 'sandbox: no delays' },
} as const satisfies FlagTable;

/** The same for a command that cannot work on a dump: `help` says why in its list of flags, `refusal` where a dump is given. */
export function liveClusterFlags({ help, refusal }: { help: string; refusal: string }) {
  return { ...clusterFlags, from: { ...clusterFlags.from, help, refusal } } as const satisfies FlagTable;
}

/** The same for a command that changes the cluster. */
export const changingFlags = liveClusterFlags({
  help: 'not possible here: a dump cannot be changed',
  refusal: '--from is a dump, which cannot be changed. Name the cluster with --context',
});

/** The dumps that are named as the cluster. The `--from` of `flows` is a workload, and names none. */
export function dumpsOf(flags: Flags): string[] {
  return flags.table.from?.value === clusterFlags.from.value ? flags.list('from') : [];
}

/** Access to etcd, if Calico keeps its data there. Not stored. */
export const etcdFlags = {
  'etcd-endpoints': {
    value: 'URLS',
    help: 'where Calico stores its data in etcd: read version and objects there, e.g. https://10.0.0.5:2379',
  },
  'etcd-ca': { value: 'FILE', help: "authority that signed etcd's certificate, as PEM" },
  'etcd-cert': { value: 'FILE', help: 'client certificate for etcd, as PEM' },
  'etcd-key': { value: 'FILE', help: 'key of that certificate, as PEM; never written to disk' },
} as const satisfies FlagTable;

/** Answers as flags (cli.md › Choices). */
export const choiceFlags = {
  goal: {
    value: 'GOAL',
    help: 'install, enable, upgrade, undo, restore, flow-logs or policy (default: enable where Calico runs without eBPF, install where there is none)',
  },
  choices: { value: 'FILE', help: 'answers as YAML; flags override them' },
  platform: { value: 'KIND', help: 'kubeadm, kops, openshift, aks, eks, … (default: as detected)' },
  endpoint: { value: 'HOST:PORT', help: 'stable address of the API server' },
  release: { value: 'VERSION', help: 'Calico release' },
  source: { value: 'URL|DIR|TGZ', help: 'where to get the manifests of the release' },
  'air-gapped': { help: 'never download manifests: use folders, bundles and earlier downloads' },
  'custom-resources': {
    value: 'FILE',
    help: "install: use these custom resources instead of the release's own, for Calico Enterprise for example",
  },
  policy: { value: 'FILE', help: 'policy: the policy to make, as `flows suggest` prints it' },
  method: { value: 'METHOD', help: 'operator, helm or manifest' },
  chart: {
    value: 'CHART',
    help: 'upgrade by Helm: chart of the operator, as helm takes it; {version} stands for the release (default projectcalico/tigera-operator)',
  },
  dsr: { help: 'direct server return for NodePorts' },
  'watch-services': {
    help: 'test ClusterIP, DNS and a NodePort from every node (a sample of 50 if there are more) during the run, with pods that are removed again, and pause the run when one stops answering (default after a preflight of this plan)',
  },
  'no-watch-services': { help: 'do not test Services during the run, even after a preflight' },
  'pause-between': {
    help: 'upgrade by way of another release: pause the run when every node runs that release; then resume, stop or undo it',
  },
  'keep-proxy': { help: 'keep the service proxy running beside eBPF' },
  automatic: { help: 'let the operator do its own bootstrap and proxy management' },
  'forget-kubeadm-proxy': {
    help: "delete kube-proxy's ConfigMap at the end, so that kubeadm upgrade does not reinstall kube-proxy",
  },
  acknowledge: {
    value: 'ID=REASON',
    many: true,
    help: 'accept a warning or an unknown, with a reason; ID not-measured: all that must be measured on the nodes; may be repeated',
  },
  fix: { value: 'ID', many: true, help: "add a finding's fix to the plan; may be repeated" },
  'accept-proposals': { help: 'accept the proposed endpoint, and add each fix that the plan can hold' },
  keep: {
    value: 'CHANGE',
    many: true,
    help: 'upgrade by manifest: keep this manual change (named as check names it, or by its object, or all); may be repeated',
  },
  take: {
    value: 'CHANGE',
    many: true,
    help: "upgrade by manifest: replace this manual change by the new file's value; may be repeated",
  },
  write: {
    value: 'CHANGE=VALUE',
    many: true,
    help: 'upgrade by manifest: replace this manual change by this value; may be repeated',
  },
  remove: {
    value: 'OBJECT',
    many: true,
    help: 'upgrade by manifest: delete this object, which the new release no longer has; may be repeated',
  },
  afterwards: {
    value: 'WHAT',
    many: true,
    help: 'upgrade: also do this once the new release runs: host-endpoints (replace manual ones by automatic ones), allow-all-upgrade (delete that policy), flow-logs (turn them on; restarts every agent) or sidecars (renew those of application layer policy, one workload after the other); may be repeated',
  },
  set: {
    value: 'PATH=VALUE',
    many: true,
    help: 'set a field of the Installation, such as calicoNetwork.mtu=1400; may be repeated',
  },
} as const satisfies FlagTable;

export const journalFlags = {
  'journal-namespace': {
    value: 'NAMESPACE',
    help: 'namespace of journals and Leases (default signalbox; journals of earlier versions are also found in kube-system)',
  },
} as const satisfies FlagTable;
