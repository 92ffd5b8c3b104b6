import { felixLines } from '#lib/spec/index.ts';
import { type Api, ApiError, type KubeObject } from './api.ts';
import { iptablesSave, type ServicePort } from './kube-proxy-rules.ts';
import type { Pace } from './kwok-config.ts';
import { agentLog, setAnswer } from './objects/node-files.ts';

/**
 * Calico's agent and kube-proxy on every pretended node, as far as one can see them from outside: log lines and answers to commands.
 *
 * The agent (container calico-node) reads FelixConfiguration `default`, then `node.<name>`, when it starts and when they change.
 * Any change of what results makes it end with status 129 and start again inside its container, so the pod does not change (calico.md §3).
 * On a start with `bpfEnabled: true` it writes one of two lines, which are all that tells from outside whether the node is on eBPF.
 *
 * kube-proxy has its rules a moment after its pod runs. They outlive the pod, but only the pod can be asked for them.
 * While the agent is on eBPF and `bpfKubeProxyIptablesCleanupEnabled` is not false, it deletes them again: both live beside
 * each other only with the flag off.
 */
export const agentMark = 'signalbox.dev/agent';
/** Values of the node annotation `signalbox.dev/agent`: the kernel is refused; or neither log nor maps say anything. */
export type AgentMark = 'refuses' | 'silent';
/** Node annotation: `silent` leaves kube-proxy's rules out although its pod runs. */
export const proxyMark = 'signalbox.dev/proxy';

const proxySyncMs = 400;
const restartMs: Readonly<Record<Pace, { from: number; to: number }>> = {
  normal: { from: 100, to: 600 },
  slow: { from: 1000, to: 4000 },
};

type Level = 'INFO' | 'WARNING' | 'ERROR';
type FelixSpec = {
  readonly bpfEnabled?: boolean;
  readonly bpfKubeProxyIptablesCleanupEnabled?: boolean;
  readonly logSeverityScreen?: string;
};
type Agent = { readonly container: string; configuration: string; active: boolean; restartAt: number | null };
type Observed = {
  readonly nodes: readonly KubeObject[];
  readonly pods: readonly Pod[];
  readonly felix: ReadonlyMap<string, FelixSpec>;
  readonly services: readonly ServicePort[];
};
type Pod = {
  readonly node: string;
  readonly app: string;
  readonly container: string;
  readonly startedAt: number;
};

export class Agents {
  readonly #api: Api;
  readonly #dir: string;
  readonly #pace: Pace;
  readonly #agents = new Map<string, Agent>();
  readonly #proxyRules = new Map<string, string | null>();
  readonly #proxySyncedAt = new Map<string, number>();

  constructor(options: { readonly api: Api; readonly dir: string; readonly pace: Pace }) {
    this.#api = options.api;
    this.#dir = options.dir;
    this.#pace = options.pace;
  }

  /** Looks at the cluster once and lets every agent do what is due. Rejects when the API cannot be read; call it again later. */
  async tick(nodes: readonly KubeObject[]): Promise<void> {
    const observed = await observe(this.#api, nodes);
    for (const node of observed.nodes) {
      this.#agentOf(node, observed);
      this.#proxyOf(node, observed);
    }
  }

  /** When the node's kube-proxy wrote its rules, ms; 0 when it has not, null when none runs. */
  proxySyncedAt(node: string): number | null {
    return this.#proxySyncedAt.get(node) ?? null;
  }

  #agentOf(node: KubeObject, observed: Observed): void {
    const name = node.metadata.name;
    const pod = observed.pods.find((each) => each.node === name && each.app === 'calico-node');
    if (!pod) {
      this.#agents.delete(name);
      return;
    }
    const felix = { ...observed.felix.get('default'), ...observed.felix.get(`node.${name}`) };
    const configuration = JSON.stringify(Object.entries(felix).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = this.#agents.get(name);
    if (known?.container !== pod.container) {
      const agent: Agent = { container: pod.container, configuration, active: false, restartAt: null };
      this.#agents.set(name, agent);
      agentLog(this.#dir, name).startAnew();
      this.#start(node, agent, felix);
    } else if (known.restartAt !== null) {
      if (Date.now() < known.restartAt) return;
      known.restartAt = null;
      known.configuration = configuration;
      this.#start(node, known, felix);
    } else if (known.configuration !== configuration) {
      const { from, to } = restartMs[this.#pace];
      known.restartAt = Date.now() + from + Math.random() * (to - from);
      this.#say(node, felix, 'WARNING', 'felix/daemon.go 718', 'Felix is shutting down reason="config changed"');
    }
  }

  /** What Felix writes when it starts; the line about eBPF comes last and only when eBPF is asked for. */
  #start(node: KubeObject, agent: Agent, felix: FelixSpec): void {
    this.#say(node, felix, 'INFO', 'felix/daemon.go 373', 'Felix starting up GOMAXPROCS=4');
    const wanted = felix.bpfEnabled ?? false;
    this.#say(node, felix, 'INFO', 'felix/daemon.go 614', `Successfully loaded configuration. BPFEnabled=${wanted}`);
    const mark = node.metadata.annotations?.[agentMark];
    const refuses = mark === 'refuses';
    agent.active = wanted && !refuses;
    if (wanted && refuses)
      this.#say(node, felix, 'ERROR', 'felix/daemon.go 636', `${felixLines.bpfRefused}  Disabling BPF mode.`);
    if (agent.active) this.#say(node, felix, 'INFO', 'felix/int_dataplane.go 642', felixLines.bpfEnabled);
    const natDump = ['calico-node', '-bpf', 'nat', 'dump'];
    const dump = '10.96.0.1 port 443 proto 6 id 0 count 1 local 0\n\t0:0\t 198.18.0.11:6443\n';
    setAnswer(this.#dir, node.metadata.name, 'calico-node', natDump, agent.active && mark !== 'silent' ? dump : null);
  }

  #say(node: KubeObject, felix: FelixSpec, level: Level, place: string, text: string): void {
    if (node.metadata.annotations?.[agentMark] === 'silent') return;
    if (!isWritten(level, felix.logSeverityScreen)) return;
    const now = new Date();
    const time = now.toISOString().replace('T', ' ').replace('Z', '');
    agentLog(this.#dir, node.metadata.name).append(`${time} [${level}][71] ${place}: ${text}`, now);
  }

  #proxyOf(node: KubeObject, observed: Observed): void {
    const name = node.metadata.name;
    const pod = observed.pods.find((each) => each.node === name && each.app === 'kube-proxy');
    const felix = { ...observed.felix.get('default'), ...observed.felix.get(`node.${name}`) };
    const deletedByAgent = this.#agents.get(name)?.active && felix.bpfKubeProxyIptablesCleanupEnabled !== false;
    const silent = node.metadata.annotations?.[proxyMark] === 'silent';
    const synced = pod !== undefined && !silent && Date.now() - pod.startedAt > proxySyncMs;
    if (pod === undefined) this.#proxySyncedAt.delete(name);
    else this.#proxySyncedAt.set(name, synced ? pod.startedAt + proxySyncMs : 0);
    const rules = pod === undefined ? null : iptablesSave(synced && !deletedByAgent ? observed.services : []);
    if (this.#proxyRules.get(name) === rules) return;
    this.#proxyRules.set(name, rules);
    setAnswer(this.#dir, name, 'kube-proxy', ['iptables-save', '-t', 'nat'], rules);
  }
}

/** Felix's own ranking; Info is the default. */
function isWritten(level: Level, threshold: string | undefined): boolean {
  const ranks = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'FATAL'];
  return ranks.indexOf(level) >= Math.max(0, ranks.indexOf((threshold ?? 'Info').toUpperCase()));
}

/** `resourceVersion=0` lets the API server answer from its cache: this is asked four times a second. */
async function observe(api: Api, nodes: readonly KubeObject[]): Promise<Observed> {
  const podsOf = (app: string, where = '') =>
    api.list(`/api/v1${where}/pods?resourceVersion=0&labelSelector=k8s-app%3D${app}`);
  const [calico, proxies, felix, services] = await Promise.all([
    podsOf('calico-node', '/namespaces/calico-system'),
    // In kube-system, and on OpenShift in a namespace of its own.
    podsOf('kube-proxy'),
    api.list('/apis/crd.projectcalico.org/v1/felixconfigurations?resourceVersion=0').catch(noneWhereNotServed),
    api.list('/api/v1/services?resourceVersion=0'),
  ]);
  return {
    nodes,
    pods: [...runningPods(calico, 'calico-node'), ...runningPods(proxies, 'kube-proxy')],
    felix: new Map(felix.map((each) => [each.metadata.name, (each.spec ?? {}) as FelixSpec])),
    services: services.flatMap(portsOf),
  };
}

/** Only "no such kind" means that nothing is configured; any other error must not look to the agents like eBPF switched off. */
function noneWhereNotServed(error: unknown): readonly KubeObject[] {
  if (error instanceof ApiError && error.status === 404) return [];
  throw error;
}

function runningPods(pods: readonly KubeObject[], app: string): Pod[] {
  return pods.flatMap((pod) => {
    const { nodeName } = pod.spec as { nodeName?: string };
    const { containerStatuses } = pod.status as {
      containerStatuses?: { name: string; containerID?: string; state?: { running?: { startedAt: string } } }[];
    };
    const status = containerStatuses?.find((each) => each.name === app);
    if (!nodeName || !status?.containerID || !status.state?.running) return [];
    return [
      { node: nodeName, app, container: status.containerID, startedAt: Date.parse(status.state.running.startedAt) },
    ];
  });
}

function portsOf(service: KubeObject): ServicePort[] {
  const { clusterIP, ports } = service.spec as {
    clusterIP?: string;
    ports?: { name?: string; port: number; protocol?: string }[];
  };
  if (!clusterIP || clusterIP === 'None') return [];
  return (ports ?? []).map(({ name, port, protocol }) => ({
    name: `${service.metadata.namespace}/${service.metadata.name}${name ? `:${name}` : ''}`,
    address: clusterIP,
    port,
    protocol: (protocol ?? 'TCP').toLowerCase(),
  }));
}
