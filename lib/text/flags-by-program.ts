import { shellWord } from './shell-word.ts';

/** What named the cluster where a command is shown. Paths are absolute: the command is copied into a shell that stands elsewhere. */
export type NamedCluster = {
  /** Its name: nothing else is given beside it. */
  readonly sandbox?: string | undefined;
  readonly context?: string | undefined;
  /** One file for `--kubeconfig`, or several as KUBECONFIG has them. Undefined: the file that kubectl takes by itself. */
  readonly kubeconfig?: KubeconfigNamed | undefined;
  readonly journalNamespace?: string | undefined;
  readonly etcd?: EtcdNamed | undefined;
};

export type KubeconfigNamed = { readonly file: string } | { readonly files: string };

/** How Calico's data in etcd are reached: `endpoints` as calicoctl lists them, the rest files. */
export type EtcdNamed = {
  readonly endpoints: string;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
};

/**
 * What leads a command of each program to one cluster (`ledToCluster`). `environment` stands before signalbox, kubectl and helm, and `calicoctl` before that
 * program, each with a space behind it; the others are flags with a space before them. `journals`: for commands of Signalbox that read journals. All are
 * quoted for a shell, and empty where nothing is needed.
 */
export type FlagsByProgram = {
  readonly environment: string;
  readonly signalbox: string;
  readonly kubectl: string;
  readonly helm: string;
  readonly calicoctl: string;
  readonly journals: string;
};

/** Commands stay as they are. */
export const unled: FlagsByProgram = {
  environment: '',
  signalbox: '',
  kubectl: '',
  helm: '',
  calicoctl: '',
  journals: '',
};

/**
 * The one place that decides what names a cluster in a command. kubectl and Signalbox have the same flags; helm calls a context otherwise. Several files can
 * only be named by the variable, which all three read. kubectl reaches a sandbox while it is served; else its context is missing, and nothing is reached.
 * calicoctl is offered only where Calico keeps its data in etcd, so that no context leads it: it reads variables of its own
 * (https://docs.tigera.io/calico/latest/operations/calicoctl/configure/etcd, read 2026-11-27).
 */
export function flagsByProgram(named: NamedCluster): FlagsByProgram {
  const { sandbox, kubeconfig, journalNamespace, etcd } = named;
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
  };
}

/** Of the kubeconfig with which a sandbox is served. */
export function contextOfSandbox(name: string): string {
  return `sandbox-${name}`;
}

/** A value that begins with a hyphen would be taken for the next flag, by Signalbox too. */
function flag(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` --${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;
}

function variables(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${shellWord(value)} `]))
    .join('');
}
