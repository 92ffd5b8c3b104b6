import { containerNamed, felixOf, type KubeObject, workloadOf, writtenAt } from '#lib/kube/index.ts';
import { cgroupFolderOf, felixDefaults, isOnForFelix, names } from '#lib/spec/index.ts';
import type { Plane } from './seen-node.ts';

/** What configures the agents: the environment in their DaemonSet, and every FelixConfiguration by its name. */
export type FelixSources = {
  readonly daemonSet: KubeObject | null;
  readonly configurations: ReadonlyMap<string, KubeObject>;
};

/** What one node's agent is configured to, as far as it shows from outside. */
export type FelixOnNode = {
  /** What `bpfEnabled` comes to; null where neither a variable nor FelixConfiguration `default` could be read. */
  wanted: Plane | null;
  /** What decides it, as a name in a sentence. */
  decidedBy: string;
  /** It is not what FelixConfiguration `default` has for all other nodes. */
  differs: boolean;
  /** When what decides was written last, ms; null where nobody is recorded, and for the environment: its pods are made with it. */
  since: number | null;
  /** Of the log, `logSeverityScreen`; null is Info. */
  severity: string | null;
  /** Where its agent mounts cgroup2. */
  cgroupFolder: string;
  /** How the interfaces of its pods begin: one at least. */
  podInterfaces: readonly string[];
};

const nodePrefix = 'node.';
const everywhere = 'FelixConfiguration';

/**
 * Felix takes each parameter from the first source that has it: environment, configuration file, FelixConfiguration `node.<name>`, FelixConfiguration
 * `default`; a value that is empty counts as none (calico.md §5; felix/config/config_params.go `SourcesInDescendingOrder`, `UpdateFrom`;
 * https://docs.tigera.io/calico/latest/reference/felix/configuration). The file lies on the node and does not show from here; configurations by
 * nodeSelector (tech preview in 3.32) are not read. Pure.
 */
export function felixOn(node: string, { daemonSet, configurations }: FelixSources): FelixOnNode {
  const agent = daemonSet && containerNamed(workloadOf(daemonSet), names.nodeContainer);
  const variable = (name: string) => agent?.env.find((one) => one.name === name)?.value || null;
  const own = configurations.get(nodePrefix + node);
  const shared = configurations.get(names.felixConfiguration);
  const setting = (name: string, field: 'logSeverityScreen' | 'cgroupV2Path' | 'interfacePrefix') =>
    variable(name) ?? (felixOf(own).spec[field] || felixOf(shared).spec[field] || null);

  const ofAll = shared ? (enabledIn(shared) ?? 'standard') : null;
  const byVariable = variable('FELIX_BPFENABLED');
  const byOwn = own ? enabledIn(own) : null;
  const [wanted, decidedBy, decider] =
    byVariable !== null
      ? [planeOf(isOnForFelix(byVariable)), 'FELIX_BPFENABLED', undefined]
      : byOwn !== null
        ? [byOwn, `${everywhere} ${nodePrefix}${node}`, own]
        : [ofAll, everywhere, shared];
  return {
    wanted,
    decidedBy,
    differs: ofAll !== null && wanted !== ofAll,
    since: decider ? writtenAt(decider, ['spec', 'bpfEnabled']) : null,
    severity: setting('FELIX_LOGSEVERITYSCREEN', 'logSeverityScreen'),
    cgroupFolder: cgroupFolderOf(setting('FELIX_CGROUPV2PATH', 'cgroupV2Path')),
    podInterfaces: prefixesIn(setting('FELIX_INTERFACEPREFIX', 'interfacePrefix')),
  };
}

function enabledIn(configuration: KubeObject): Plane | null {
  const { bpfEnabled } = felixOf(configuration).spec;
  return bpfEnabled === null ? null : planeOf(bpfEnabled);
}

function prefixesIn(set: string | null): readonly string[] {
  const prefixes = (set ?? '').split(',').filter((prefix) => prefix !== '');
  return prefixes.length > 0 ? prefixes : [felixDefaults.interfacePrefix];
}

function planeOf(isEnabled: boolean): Plane {
  return isEnabled ? 'bpf' : 'standard';
}
