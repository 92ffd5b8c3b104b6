import { containerNamed, felixOf, type KubeObject, workloadOf, writtenAt } from '#lib/kube/index.ts';
import { isOnForFelix, names } from '#lib/spec/index.ts';
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
  const severity = (object: KubeObject | undefined) => felixOf(object).spec.logSeverityScreen || null;

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
    severity: variable('FELIX_LOGSEVERITYSCREEN') ?? severity(own) ?? severity(shared),
  };
}

function enabledIn(configuration: KubeObject): Plane | null {
  const { bpfEnabled } = felixOf(configuration).spec;
  return bpfEnabled === null ? null : planeOf(bpfEnabled);
}

function planeOf(isEnabled: boolean): Plane {
  return isEnabled ? 'bpf' : 'standard';
}
