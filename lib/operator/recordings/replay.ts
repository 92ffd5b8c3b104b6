import { type Clock, createStore, instantClock, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { aNode, answersAnnotation, holdAnnotation, simulateWorkloads, type Timings } from '#lib/sandbox/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { sandboxDefinitions } from '../crds.ts';
import { refs } from '../reconcile/refs.ts';
import { type OperatorOptions, runOperator } from '../run.ts';
import { distil, type RecordedEvent } from './distil.ts';
import type { Recording, Step } from './row.ts';

/** Pods at the pace of the recordings' KWOK stages: about 3 s each. Agents do not lose readiness there when Felix restarts. */
const recordedPace: Timings = {
  syncMs: 25,
  bindMs: 20,
  startMs: [300, 400],
  readyMs: [2_200, 2_700],
  felixRestartMs: [0, 0],
  proxySyncMs: 0,
};

export type Actor = {
  kube: Kube;
  clock: Clock;
  start(like: OperatorOptions['like']): void;
  stop(): Promise<void>;
};

export type Play = {
  recording: Recording;
  like: OperatorOptions['like'];
  races?: OperatorOptions['races'];
  /** How long the operator ran already when the first mark came: places its 5 s ticks. */
  runningForSeconds: number;
  objects?: readonly KubeObject[];
  /** What each mark does, by the mark's own words; `end` does nothing. */
  acts: Readonly<Record<string, (actor: Actor) => Promise<unknown>>>;
};

/** Does what the marks say at their times, on a store with simulated workloads in virtual time, and distils what follows. */
export async function replay(play: Play): Promise<{ steps: Step[]; log: string[] }> {
  const clock = instantClock();
  const store = createStore({
    name: 'replay',
    source: 'sandbox',
    clock,
    objects: [...sandboxDefinitions(), ...cluster(), ...(play.objects ?? [])],
  });
  const world = new AbortController();
  const log: string[] = [];
  const simulation = simulateWorkloads({ kube: store, clock, signal: world.signal, timings: recordedPace });
  simulation.ended.catch((error: unknown) => log.push(`simulation: ${error}`));
  await clock.sleep(20_000);

  let life: { end: AbortController; ended: Promise<void> } | null = null;
  const actor: Actor = {
    kube: store,
    clock,
    start: (like) => {
      const end = new AbortController();
      const races = play.races;
      const ended = runOperator({
        kube: store,
        like,
        clock,
        signal: end.signal,
        env: {},
        random: () => 0.5,
        log: (line) => log.push(line),
        ...(races ? { races } : {}),
      });
      life = { end, ended: ended.catch((error: unknown) => void log.push(`operator: ${error}`)) };
    },
    stop: async () => {
      life?.end.abort();
      await life?.ended;
    },
  };
  actor.start(play.like);
  await clock.sleep(play.runningForSeconds * 1_000);

  const { steps } = play.recording;
  const began = clock.now() - (steps[0]?.at ?? 0) * 1_000;
  const seconds = () => (clock.now() - began) / 1_000;
  const events: RecordedEvent[] = [];
  for (const object of store.snapshot().objects) events.push({ t: 0, gone: false, object });
  const forget = store.onChange((change) =>
    events.push({ t: seconds(), gone: change.type === 'deleted', object: change.object }),
  );
  for (const { mark, at } of steps) {
    await clock.sleep(Math.max(0, at - seconds()) * 1_000);
    events.push({ t: seconds(), mark });
    if (mark !== 'end') await act(play, mark)(actor);
  }
  forget();
  await actor.stop();
  world.abort();
  await simulation.ended.catch(() => {});
  return { steps: distil(events), log };
}

function act(play: Play, mark: string) {
  const found = play.acts[mark];
  if (!found) throw new Error(`no act for the mark "${mark}"`);
  return found;
}

/** Four nodes, kube-proxy everywhere, the API server's Service. */
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
            // KWOK gave it the same 3 s as every pod; the simulation asks for a probe before it waits.
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

const pool = {
  name: 'default-ipv4-ippool',
  blockSize: 26,
  cidr: '192.168.0.0/16',
  encapsulation: 'VXLANCrossSubnet',
  natOutgoing: 'Enabled',
  nodeSelector: 'all()',
};

export const createInstallation =
  (network: Record<string, unknown> = {}) =>
  ({ kube }: Actor) =>
    kube.create(resources.installations, {
      apiVersion: 'operator.tigera.io/v1',
      kind: 'Installation',
      metadata: { name: names.installation },
      spec: { calicoNetwork: { ipPools: [pool], ...network } },
    });

export const patchInstallation =
  (network: Record<string, unknown>) =>
  ({ kube }: Actor) =>
    kube.patch(refs.installation, { type: 'merge', body: { spec: { calicoNetwork: network } } });

const endpointRef = {
  resource: resources.configMaps,
  namespace: names.operatorNamespace,
  name: names.endpointConfigMap,
} as const;

export const createEndpoint =
  (host: string) =>
  ({ kube }: Actor) =>
    kube.create(resources.configMaps, endpointConfigMap(host));

export const changeEndpoint =
  (host: string) =>
  ({ kube }: Actor) =>
    kube.patch(endpointRef, { type: 'merge', body: { data: { [names.endpointHostKey]: host } } });

export const deleteEndpoint = ({ kube }: Actor) => kube.delete(endpointRef);

export const holdBack =
  (node: string) =>
  ({ kube }: Actor) =>
    kube.patch(
      { resource: resources.nodes, name: node },
      { type: 'merge', body: { metadata: { annotations: { [holdAnnotation]: 'true' } } } },
    );

const comesUpMs = 6_000;

/** Another process after a while, as the recordings' operator needed to come up (endpoint-configmap-3.31.4.jsonl, t=189.43 to 195.81). */
export const restartAs =
  (like: OperatorOptions['like']) =>
  async ({ clock, stop, start }: Actor) => {
    await stop();
    void clock.sleep(comesUpMs).then(() => start(like));
  };
