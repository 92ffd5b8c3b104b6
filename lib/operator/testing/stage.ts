import { type Clock, createStore, instantClock, type KubeObject, type Store } from '#lib/kube/index.ts';
import {
  aNode,
  answersAnnotation,
  defaultPool,
  normalTimings,
  simulateWorkloads,
  type Timings,
} from '#lib/sandbox/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { sandboxDefinitions } from '../crds.ts';
import { refs } from '../reconcile/refs.ts';
import { type OperatorOptions, runOperator } from '../run.ts';

/** A cluster in memory and virtual time for tests of the operator: four nodes, kube-proxy, simulated workloads. */
export type Stage = {
  kube: Store;
  clock: Clock;
  log: string[];
  /** Starts an operator. The one before must have been stopped. */
  start(like: OperatorOptions['like'], options?: Partial<OperatorOptions>): void;
  stop(): Promise<void>;
  /** Lets virtual time pass. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
};

export type StageOptions = { objects?: readonly KubeObject[]; timings?: Timings };

/** Starts pods within 0.4 s, for tests that do not depend on their pace. */
const quick: Timings = {
  ...normalTimings,
  syncMs: 25,
  bindMs: 20,
  startMs: [100, 150],
  readyMs: [100, 200],
  felixRestartMs: [0, 0],
  proxySyncMs: 0,
};

const settlingSeconds = 20;

export async function aStage({ objects = [], timings = quick }: StageOptions = {}): Promise<Stage> {
  const clock = instantClock();
  const store = createStore({
    name: 'stage',
    source: 'sandbox',
    clock,
    objects: [...sandboxDefinitions(), ...cluster(), ...objects],
  });
  const world = new AbortController();
  const log: string[] = [];
  const simulation = simulateWorkloads({ kube: store, clock, signal: world.signal, timings });
  simulation.ended.catch((error: unknown) => log.push(`simulation: ${error}`));
  await clock.sleep(settlingSeconds * 1_000);

  let life: { end: AbortController; ended: Promise<void> } | null = null;
  const stop = async () => {
    life?.end.abort();
    await life?.ended;
    life = null;
  };
  return {
    kube: store,
    clock,
    log,
    start: (like, options = {}) => {
      const end = new AbortController();
      const ended = runOperator({
        kube: store,
        like,
        clock,
        signal: end.signal,
        env: {},
        random: () => 0.5,
        lives: 'by-itself',
        log: (line) => log.push(line),
        ...options,
      });
      life = { end, ended: ended.catch((error: unknown) => void log.push(`operator: ${error}`)) };
    },
    stop,
    pass: (seconds) => clock.sleep(seconds * 1_000),
    close: async () => {
      await stop();
      world.abort();
      await simulation.ended.catch(() => {});
    },
  };
}

/** The objects of a cluster with four nodes, kube-proxy on each of them, and the API server's Service. */
function cluster(): KubeObject[] {
  const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return [
    ...['default', 'kube-system', 'kube-public', names.operatorNamespace].map(namespace),
    ...['cp-0', 'worker-1', 'worker-2', 'worker-3'].map((name) => aNode({ name })),
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: {
        name: names.kubeProxyDaemonSet,
        namespace: names.systemNamespace,
        generation: 1,
        labels: { 'k8s-app': 'kube-proxy' },
      },
      spec: {
        selector: { matchLabels: { 'k8s-app': 'kube-proxy' } },
        template: {
          metadata: { labels: { 'k8s-app': 'kube-proxy' } },
          spec: {
            hostNetwork: true,
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            tolerations: [{ operator: 'Exists' }],
            // KWOK made this pod ready after 3 s, as every pod. The simulation waits only for pods with a probe.
            containers: [
              {
                name: 'kube-proxy',
                image: 'registry.k8s.io/kube-proxy:v1.34.3',
                readinessProbe: { tcpSocket: { port: 10256 } },
              },
            ],
          },
        },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'cluster-info',
        namespace: 'kube-public',
        annotations: { [answersAnnotation]: 'api.lab.example:6443,api2.lab.example:6443' },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kubernetes', namespace: 'default' },
      spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
    },
  ];
}

export const apiServerSlice: KubeObject = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'kubernetes', namespace: 'default', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.10.0.1'], conditions: { ready: true } }],
  ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
};

export function endpointConfigMap(host: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: names.endpointConfigMap, namespace: names.operatorNamespace },
    data: { [names.endpointHostKey]: host, [names.endpointPortKey]: '6443' },
  };
}

export const patchInstallation = (kube: Store, network: Record<string, unknown>) =>
  kube.patch(refs.installation, { type: 'merge', body: { spec: { calicoNetwork: network } } });

export const createInstallation = (kube: Store, network: Record<string, unknown> = {}) =>
  kube.create(resources.installations, {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: names.installation },
    spec: { calicoNetwork: { ipPools: [defaultPool], ...network } },
  });

export const endpointRef = {
  resource: resources.configMaps,
  namespace: names.operatorNamespace,
  name: names.endpointConfigMap,
} as const;
