import { shellWordInSentence } from './shell-word.ts';

/** How the cluster was chosen. Paths are absolute, because a shown command is copied into a shell with another working directory. */
export type NamedCluster = {
  /** Name of a sandbox; then all other fields are undefined. */
  readonly sandbox?: string | undefined;
  readonly context?: string | undefined;
  /** One file for `--kubeconfig`, or several in the form of the variable KUBECONFIG. Undefined: kubectl's default file. */
  readonly kubeconfig?: KubeconfigNamed | undefined;
  readonly journalNamespace?: string | undefined;
  readonly etcd?: EtcdNamed | undefined;
  /** The files and folders of an offline dump. */
  readonly dump?: readonly string[] | undefined;
};

export type KubeconfigNamed = { readonly file: string } | { readonly files: string };

/** How to reach Calico's data in etcd: `endpoints` is a list separated by commas, as calicoctl takes it; the others are paths of files. */
type EtcdNamed = {
  readonly endpoints: string;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
};

/**
 * What a command of each program needs to reach one cluster; `withClusterFlags` inserts it. `environment` (for signalbox, kubectl and helm) and `calicoctl`
 * are variables before the program, each followed by a space. The others are flags, each with a space before it. For commands of Signalbox: `journals` if
 * they read journals, `etcd` if they read Calico's data, `dump` if a dump is enough for them, `kubeconfig` if they list contexts. All are quoted for a shell
 * and for a sentence with the command in backticks, and empty if nothing is needed.
 */
export type FlagsByProgram = {
  readonly environment: string;
  readonly signalbox: string;
  readonly kubectl: string;
  readonly helm: string;
  readonly calicoctl: string;
  readonly journals: string;
  readonly etcd: string;
  readonly dump: string;
  readonly kubeconfig: string;
};

/** Leaves commands as they are. */
export const noFlags: FlagsByProgram = {
  environment: '',
  signalbox: '',
  kubectl: '',
  helm: '',
  calicoctl: '',
  journals: '',
  etcd: '',
  dump: '',
  kubeconfig: '',
};

/**
 * The only place that decides how a command names a cluster. kubectl and Signalbox have the same flags; helm has `--kube-context`. Several kubeconfig files
 * can only be named by KUBECONFIG, which all three read. kubectl reaches a sandbox only while it is served; otherwise the context is missing and kubectl
 * fails. calicoctl is suggested only if Calico keeps its data in etcd, where a context does not help: it reads its own variables
 * (https://docs.tigera.io/calico/latest/operations/calicoctl/configure/etcd, read 2026-11-27).
 */
export function flagsByProgram(named: NamedCluster): FlagsByProgram {
  const { sandbox, kubeconfig, journalNamespace, etcd, dump = [] } = named;
  const context = sandbox === undefined ? named.context : contextOfSandbox(sandbox);
  const file = flag('kubeconfig', kubeconfig !== undefined && 'file' in kubeconfig ? kubeconfig.file : undefined);
  return {
    environment: kubeconfig !== undefined && 'files' in kubeconfig ? variables({ KUBECONFIG: kubeconfig.files }) : '',
    signalbox: sandbox === undefined ? `${flag('context', context)}${file}` : flag('sandbox', sandbox),
    kubectl: `${flag('context', context)}${file}`,
    helm: `${flag('kube-context', context)}${file}`,
    calicoctl: etcd
      ? variables({
          DATASTORE_TYPE: 'etcdv3',
          ETCD_ENDPOINTS: etcd.endpoints,
          ETCD_CA_CERT_FILE: etcd.ca,
          ETCD_CERT_FILE: etcd.cert,
          ETCD_KEY_FILE: etcd.key,
        })
      : '',
    journals: flag('journal-namespace', journalNamespace),
    etcd: etcd
      ? [
          flag('etcd-endpoints', etcd.endpoints),
          flag('etcd-ca', etcd.ca),
          flag('etcd-cert', etcd.cert),
          flag('etcd-key', etcd.key),
        ].join('')
      : '',
    dump: dump.map((path) => flag('from', path)).join(''),
    kubeconfig: file,
  };
}

/** The context in the kubeconfig of a served sandbox. */
export function contextOfSandbox(name: string): string {
  return `sandbox-${name}`;
}

/** A value that begins with a hyphen would be taken for the next flag, by Signalbox too. */
function flag(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` --${name}${value.startsWith('-') ? '=' : ' '}${shellWordInSentence(value)}`;
}

function variables(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${shellWordInSentence(value)} `]))
    .join('');
}
