import { same } from '#lib/base/records.ts';
import { type Clock, type Kube, KubeError, type KubeObject, rolloutCounts } from '#lib/kube/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';
import { memberAt } from './difference.ts';
import { endpointMemory } from './endpoint.ts';
import { detectProvider } from './installation/provider.ts';
import { refusalToStart } from './installation/refusal.ts';
import { startCache } from './process/cache.ts';
import { type Operator, pace } from './process/operator.ts';
import { awaitKinds, becomeActive, bringDefinitions, bringsDefinitions } from './process/prerequisites.ts';
import { operatorImage, runProcess } from './process/process.ts';
import { createWriter } from './process/writer.ts';
import { lostRaces, type Races } from './races.ts';
import { listAll } from './reconcile/read.ts';
import { endpointConfigMapRef, operatorDeploymentRef, refs } from './reconcile/refs.ts';
import { type EmulatedOperator, emulatedByImage, releaseOf, releaseOfImage } from './releases.ts';
import { deploymentStatusOf } from './rollout.ts';
import { createMonitors } from './status/monitor.ts';

export type OperatorOptions = {
  kube: Kube;
  like: EmulatedOperator;
  clock: Clock;
  /** Ends the operator. The promise then resolves. */
  signal: AbortSignal;
  log(line: string, cause?: unknown): void;
  /** The variables that the kubelet would inject: KUBERNETES_SERVICE_HOST and PORT. */
  env: Readonly<Record<string, string | undefined>>;
  /** Outcomes of the public operator's races (races.ts). */
  races?: Races;
  /** Random numbers for pauses, in [0, 1). A fixed source makes runs repeatable. */
  random?: () => number;
  namespace?: string;
  /**
   * Only on test clusters and in sandboxes. `with-deployment` (the default): the operator works while its Deployment has a pod, as that pod's process
   * would. `by-itself`: it starts at once, with or without a Deployment.
   */
  lives?: 'with-deployment' | 'by-itself';
  /**
   * CRDs that the operator's image would carry. It creates the missing ones at its start if its Deployment asks for that (`-manage-crds`,
   * `-bootstrap-crds`).
   */
  definitions?: readonly KubeObject[];
};

/** Another operator is active, or may be. */
export class OperatorRefused extends Error {
  override readonly name = 'OperatorRefused';
}

type Supervised = OperatorOptions & { namespace: string; playground: boolean; random: () => number };

/**
 * Runs the stand-in for the public operator: it writes what that one was recorded to write, at the recorded pace.
 * Resolves when `signal` aborts. Rejects with OperatorRefused when it must not start or go on, and with a KubeError when it loses the cluster.
 * On test clusters and in sandboxes it lives as the pod of the tigera-operator Deployment would: it starts with that pod, a rollout of the pod
 * template restarts it, and it ends with the Deployment.
 */
export async function runOperator(options: OperatorOptions): Promise<void> {
  const { kube, signal, clock } = options;
  const namespace = options.namespace ?? names.operatorNamespace;
  const playground = await isPlayground(kube, signal);
  const refusal = refusalToStart({
    playground,
    ownNamespace: namespace,
    active: await kube.get(refs.activeOperator, { signal }),
    deployment: await kube.get(operatorDeploymentRef(namespace), { signal }),
    calicoNode: await kube.get(refs.calicoNode, { signal }),
    nowMs: clock.now(),
  });
  if (refusal) throw new OperatorRefused(refusal);

  const supervised: Supervised = { ...options, namespace, playground, random: options.random ?? Math.random };
  for (let life = 0; !signal.aborted; life++) {
    try {
      await live(supervised, life);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
  }
}

async function isPlayground(kube: Kube, signal: AbortSignal): Promise<boolean> {
  if (kube.source === 'sandbox') return true;
  const system = await kube.get({ resource: resources.namespaces, name: names.systemNamespace }, { signal });
  return system?.metadata.labels?.[names.testClusterLabel] === names.testClusterValue;
}

/** Runs one process of the operator, until the Deployment asks for a restart or `signal` aborts. */
async function live(options: Supervised, life: number): Promise<void> {
  const { kube, clock, log } = options;
  const end = new AbortController();
  const onAbort = () => end.abort(options.signal.reason);
  options.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const deployment = options.playground ? await followDeployment(options, end) : null;
    if (!options.playground) standAside(options, end);
    const like = emulatedFor(options, deployment);
    if (life > 0) await clock.sleep(pace.restartMs, end.signal);
    if (options.playground) await becomeActive({ kube, clock, signal: end.signal, namespace: options.namespace });
    if (bringsDefinitions(deployment)) await bringDefinitions(kube, options.definitions ?? [], end.signal);
    await awaitKinds({ kube, clock, signal: end.signal, log });
    const release = releaseOfImage(operatorImage(deployment)) ?? releaseOf(like);
    const provider = await detect(kube, end.signal);
    const configMap = await kube.get(endpointConfigMapRef(options.namespace), { signal: end.signal });
    log(`operator ${like} starts (${release.calicoVersion}${provider ? `, ${provider}` : ''})`);

    const make = (linuxNodes: () => string[]): Operator => ({
      release,
      lostRaces: lostRaces(options.races),
      kube,
      clock,
      signal: end.signal,
      namespace: options.namespace,
      provider,
      endpoint: endpointMemory(options.env, configMap),
      monitors: createMonitors(),
      write: createWriter({ kube, clock, signal: end.signal, stepMs: pace.stepMs }),
      linuxNodes,
      random: options.random,
      log,
    });
    await runProcess(make, end);
    if (end.signal.reason instanceof OperatorRefused) throw end.signal.reason;
  } catch (error) {
    if (end.signal.aborted && (end.signal.reason === restart || end.signal.reason === gone)) return;
    throw error;
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    end.abort(new KubeError('aborted', 'The operator stopped.'));
  }
}

/** Ends this operator where another one appears later, because two operators must never write side by side. */
function standAside(options: Supervised, end: AbortController): void {
  const { kube, namespace, log, clock } = options;
  const found: { active: KubeObject | null; deployment: KubeObject | null } = { active: null, deployment: null };
  const follow = (resource: Resource, where: string, name: string, member: keyof typeof found) =>
    startCache({
      kube,
      resource,
      namespace: where,
      fieldSelector: `metadata.name=${name}`,
      signal: end.signal,
      log,
      onChange: (_before, after) => {
        found[member] = after;
        const refusal = refusalToStart({
          ...found,
          playground: false,
          ownNamespace: namespace,
          calicoNode: null,
          nowMs: clock.now(),
        });
        if (refusal) end.abort(new OperatorRefused(refusal));
      },
      onLost: (error) => end.abort(error),
    });
  follow(resources.configMaps, names.calicoNamespace, names.activeOperatorConfigMap, 'active');
  follow(resources.deployments, namespace, names.operatorDeployment, 'deployment');
}

const restart = new KubeError('aborted', 'The operator restarts because its Deployment rolled out a new pod template.');

const templateOf = (deployment: KubeObject | null) => memberAt(deployment, 'spec', 'template');

/** The release to emulate: that of the Deployment's image where it is known, so that an upgrade changes the stand-in; else the given one. */
function emulatedFor(options: Supervised, deployment: KubeObject | null): EmulatedOperator {
  const image = operatorImage(deployment);
  return (image ? emulatedByImage(image) : null) ?? options.like;
}

const gone = new KubeError('aborted', 'The operator stops because its Deployment is gone, or wants no pod.');

/**
 * Follows the operator's Deployment. Aborts `end` when a new pod template has rolled out, as the process of the old pod would end. With
 * `with-deployment` it resolves once the Deployment has an available pod, and aborts `end` when the Deployment is gone or scaled to 0.
 */
async function followDeployment(options: Supervised, end: AbortController): Promise<KubeObject | null> {
  const waits = options.lives !== 'by-itself';
  const born = Promise.withResolvers<KubeObject | null>();
  let started: unknown;
  let following = false;
  const begin = (deployment: KubeObject | null) => {
    started = deployment ? templateOf(deployment) : undefined;
    following = true;
    born.resolve(deployment);
  };
  const cache = startCache({
    kube: options.kube,
    resource: resources.deployments,
    namespace: options.namespace,
    fieldSelector: `metadata.name=${names.operatorDeployment}`,
    signal: end.signal,
    log: options.log,
    onChange: (_before, after) => {
      if (!following) {
        if (waits && after && hasPod(after)) begin(after);
      } else if (waits && (!after || memberAt(after, 'spec', 'replicas') === 0)) end.abort(gone);
      else if (!after) return;
      else if (started === undefined) started = templateOf(after);
      else if (!same(started, templateOf(after)) && rolloutCounts(after).complete) end.abort(restart);
    },
    onLost: (error) => end.abort(error),
  });
  await cache.known;
  if (!waits) begin(cache.get(names.operatorDeployment));
  end.signal.addEventListener('abort', () => born.reject(end.signal.reason), { once: true });
  if (end.signal.aborted) throw end.signal.reason;
  return born.promise;
}

function hasPod(deployment: KubeObject): boolean {
  const status = deploymentStatusOf(deployment);
  return status.observedGeneration >= (deployment.metadata.generation ?? 1) && status.availableReplicas > 0;
}

async function detect(kube: Kube, signal: AbortSignal) {
  const op = { kube, signal };
  const inSystem = { namespace: names.systemNamespace };
  return detectProvider({
    discovery: await kube.discover({ signal }),
    nodes: await listAll(op, resources.nodes),
    configMaps: (await listAll(op, resources.configMaps, inSystem)).map((one) => one.metadata.name ?? ''),
    services: await listAll(op, resources.services, inSystem),
  });
}
