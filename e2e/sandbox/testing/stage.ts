import { type AProcess, aProcess, clusterContents, enableAnswers, planEnable } from '#e2e/journey/index.ts';
import { isKubeError, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { type EmulatedOperator, type Races, releaseDefinitions, releaseOf, runOperator } from '#lib/operator/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import {
  aCluster,
  type ClusterShape,
  holdAnnotation,
  type NodeDescription,
  type OpenSandbox,
  openSandbox,
} from '#lib/sandbox/index.ts';
import { type Choices, names, type Resource, resources } from '#lib/spec/index.ts';
import { type ChangeLog, changeLog } from './change-log.ts';

export type StageOptions = {
  nodes?: number;
  /** The release whose operator runs; default: v3.31.4. */
  like?: EmulatedOperator;
  /** `none`: no operator reacts to the Installation until `startOperator`. */
  operator?: 'runs' | 'none';
  races?: Races;
  shape?: Partial<ClusterShape>;
  /** `absent`: a cluster without Calico, whose operator starts with its Deployment. */
  calico?: 'installed' | 'absent';
  /** Changes the sample's objects before it is opened. */
  objects?: (objects: KubeObject[]) => KubeObject[];
};

/** A cluster in memory with operator and nodes, whose time jumps. */
export type Stage = OpenSandbox & {
  /** The cluster for Signalbox's user, whose changes `log` records. */
  ours: Kube;
  log: ChangeLog;
  startOperator(): void;
  contents(): Promise<KubeObject[]>;
  pass(seconds: number): Promise<void>;
  /** Lets time pass until `holds` is true. Throws if that takes more than these seconds. */
  until(what: string, holds: () => boolean | Promise<boolean>, seconds?: number): Promise<void>;
  /** Makes pods that start on this node never become ready, until `release`. */
  hold(node: string): Promise<void>;
  release(node: string): Promise<void>;
  process(options?: { install?: string; to?: 'live' | 'die'; kube?: Kube }): AProcess;
  plan(answers?: Partial<Choices>): Promise<Plan>;
  nodeNames(): Promise<string[]>;
  agentLog(node: string): Promise<string>;
  /** The data plane of this node's agent, by its log since its last start. */
  agentMode(node: string): Promise<'eBPF' | 'standard'>;
};

export const goodEndpoint = '10.0.0.11:6443';

/** An opened sandbox in which the operator has made its first writes. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { nodes = 4, like = 'v3.31.4', races, shape, objects: change = (objects) => objects } = options;
  const sample = aCluster({ now: Date.UTC(2026, 0, 1), nodes: someNodes(nodes), ...shape }, options.calico);
  const objects = change(asRelease(sample, like));
  const sandbox = await openSandbox('standard', { speed: 'instant', objects });
  const { store, clock } = sandbox;
  const log = changeLog(store);
  const stop = new AbortController();
  let operator: Promise<void> = Promise.resolve();
  const startOperator = () => {
    operator = (async () => {
      while (!stop.signal.aborted) {
        try {
          await runOperator({
            kube: store,
            like,
            ...(races ? { races } : {}),
            clock,
            signal: stop.signal,
            log: () => undefined,
            env: { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' },
            random: () => 0.5,
            definitions: releaseDefinitions(),
          });
        } catch (error) {
          // Restarted by the kubelet, as a pod whose process ended.
          if (!isKubeError(error, 'unreachable')) throw error;
          await clock.sleep(5_000, stop.signal);
        }
      }
    })();
    // Closing the stage reports a failure.
    operator.catch(() => undefined);
  };
  if (options.operator !== 'none') startOperator();
  const memories = new Map();
  const ours = store.as({ name: 'signalbox', rules: [{ verbs: ['*'], groups: ['*'], resources: ['*'] }] });
  const stage: Stage = {
    ...sandbox,
    ours,
    log,
    startOperator,
    contents: () => clusterContents(store),
    pass: (seconds) => clock.sleep(seconds * 1000),
    until: async (what, holds, seconds = 900) => {
      const end = clock.now() + seconds * 1000;
      while (!(await holds())) {
        if (clock.now() > end) throw new Error(`${what} did not happen within ${seconds} s`);
        await clock.sleep(250);
      }
    },
    hold: (node) => annotate(store, node, { [holdAnnotation]: '' }),
    release: (node) => annotate(store, node, { [holdAnnotation]: null }),
    process: ({ kube = ours, ...rest } = {}) => aProcess({ kube, clock, memories, ...rest }),
    plan: async (answers = {}) => (await planEnable(ours, clock, enableAnswers(goodEndpoint, answers))).plan,
    nodeNames: async () => (await listed(store, resources.nodes)).map(({ metadata }) => metadata.name ?? ''),
    agentLog: (node) => agentLog(store, node),
    agentMode: async (node) => {
      const lines = (await agentLog(store, node)).split('\n');
      const last = lines.slice(lines.findLastIndex((line) => line.includes('Felix starting up')));
      return last.some((line) => line.includes('BPF enabled, starting')) ? 'eBPF' : 'standard';
    },
    close: async () => {
      stop.abort(new KubeError('aborted', 'The stage was closed.'));
      await operator;
      await sandbox.close();
    },
  };
  await stage.pass(60);
  return stage;
}

async function annotate(kube: Kube, name: string, annotations: Record<string, string | null>): Promise<void> {
  await kube.patch({ resource: resources.nodes, name }, { type: 'merge', body: { metadata: { annotations } } });
}

async function listed(kube: Kube, resource: Resource, labelSelector?: string): Promise<KubeObject[]> {
  const found: KubeObject[] = [];
  for await (const page of kube.list(resource, labelSelector ? { labelSelector } : {})) found.push(...page.items);
  return found;
}

async function agentLog(kube: Kube, node: string): Promise<string> {
  const pods = await listed(kube, resources.pods, `k8s-app=${names.nodeDaemonSet}`);
  const pod = pods.find(({ spec }) => (spec as { nodeName?: string }).nodeName === node);
  if (!pod) throw new Error(`no agent on ${node}`);
  const { namespace = '', name = '' } = pod.metadata;
  return kube.logs({ namespace, name }, { container: names.nodeContainer });
}

/** So many nodes: one control plane node, and workers. */
export function someNodes(count: number, differs: Record<string, Partial<NodeDescription>> = {}): NodeDescription[] {
  return Array.from({ length: count }, (_, index) => {
    const name = index === 0 ? 'control-1' : `worker-${index}`;
    return {
      name,
      role: index === 0 ? 'control-plane' : 'worker',
      address: `10.0.0.${11 + index}`,
      podCIDR: `192.168.${index}.0/24`,
      ...differs[name],
    };
  });
}

/** Gives the sample's objects an older release's images. That release's operator writes all other differences when it starts. */
function asRelease(objects: KubeObject[], like: EmulatedOperator): KubeObject[] {
  const { calicoVersion, operator } = releaseOf(like);
  const text = JSON.stringify(objects)
    .replaceAll('v3.31.4', calicoVersion)
    .replaceAll('v1.40.7', `v${operator.join('.')}`);
  return JSON.parse(text) as KubeObject[];
}
