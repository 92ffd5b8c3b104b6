import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { type Answers, cutOffContainer } from './answering-endpoints.ts';
import { type ControllerContext, deletePod, timeOf } from './controller-context.ts';
import { nodeOf } from './daemon-set.ts';
import { mayBeScheduled, toleratesNotReady } from './placement.ts';
import { backOffMs, crashingStatus, runningStatus, startingStatus, unschedulableStatus } from './pod.ts';
import { isReady, type NodeShape, nodeAddress, type PodShape, runsOn } from './shapes.ts';
import { numberBetween } from './template-hash.ts';

/**
 * On a Node: pods that start there run, and never become ready. The value is the name of a DaemonSet where a sample shows its rollout stuck at this
 * node (rolled-out.ts).
 */
export const holdAnnotation = 'signalbox.dev/hold';

export type KubeletsOptions = ControllerContext & {
  again(podKey: string, delayMs: number): void;
  answers(): Answers;
  hasServices(node: string): boolean;
};

/** A step, the time until its end, and the status that the kubelet then writes. */
type Step = { name: string; ms: number; status: () => Record<string, unknown> };

/** Scheduler, kubelets and the node's own controllers: they carry a pod from its creation until it is ready, and act when its node fails. */
export class Kubelets {
  readonly #options: KubeletsOptions;
  /** When each step under way ends, by `uid/step`. */
  readonly #ends = new Map<string, number>();

  constructor(options: KubeletsOptions) {
    this.#options = options;
  }

  async turn(key: string): Promise<void> {
    const { cache } = this.#options;
    const seen = cache.pods.get(key);
    if (!seen) return;
    const { object, shape: pod } = seen;
    if (pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed') return;
    if (!pod.spec.nodeName) return this.#bind(key, object, pod);
    const node = cache.nodes.get(`/${pod.spec.nodeName}`)?.shape;
    // On a real cluster the pod garbage collector deletes the pods of a node that is gone.
    if (!node) return deletePod(this.#options, object);
    if (runsOn(node) === 'host network' && !toleratesNotReady(pod.spec, 'NoExecute'))
      return this.#evict(key, object, pod);
    const step = this.#nextStep(object, pod, node);
    if (!step || this.#takesLonger(key, pod, step)) return;
    await this.#writeStatus(object, step.status());
  }

  #nextStep(object: KubeObject, pod: PodShape, node: NodeShape): Step | null {
    const { timings, cache } = this.#options;
    const now = timeOf(this.#options.clock);
    const { name } = pod.metadata;
    const running = pod.status.containerStatuses.some(({ state }) => state.running);
    const address = () => this.#addressFor(pod, node);
    const runs = runsOn(node);
    if (runs === 'nothing') {
      if (!isReady(pod)) return null;
      return { name: 'lost', ms: 0, status: () => runningStatus(pod, address(), false, now) };
    }
    if (isReady(pod)) return null;
    if (pod.status.containerStatuses.length === 0)
      return { name: 'start', ms: 0, status: () => startingStatus(pod, node, now) };
    // The kubelet cannot make the pod's sandbox: the pod stays at ContainerCreating.
    if (runs === 'host network' && !pod.spec.hostNetwork) return null;
    const cutOff = cutOffContainer(pod, this.#options.answers(), this.#options.hasServices(node.metadata.name));
    if (cutOff !== null) {
      const restarts = crashesOf(pod);
      const ms = restarts === 0 ? timings.giveUpMs : backOffMs(restarts);
      return { name: `crash ${restarts}`, ms, status: () => crashingStatus(pod, cutOff, address(), now, restarts + 1) };
    }
    const held = cache.nodes.get(`/${node.metadata.name}`)?.object.metadata.annotations?.[holdAnnotation] !== undefined;
    const probed = hasReadinessProbe(object);
    if (!running || crashesOf(pod) > 0) {
      const ms = numberBetween(timings.startMs, name);
      return { name: 'run', ms, status: () => runningStatus(pod, address(), !probed && !held, now) };
    }
    if (held) return null;
    const ms = probed ? numberBetween(timings.readyMs, name, 'ready') : 0;
    return { name: 'ready', ms, status: () => runningStatus(pod, address(), true, now) };
  }

  /** True while the step is under way. The first call starts it. */
  #takesLonger(key: string, pod: PodShape, { name, ms }: Step): boolean {
    if (ms === 0) return false;
    const now = this.#options.clock.now();
    const step = `${pod.metadata.uid}/${name}`;
    const ends = this.#ends.get(step);
    if (ends !== undefined && now >= ends) {
      this.#ends.delete(step);
      return false;
    }
    if (ends === undefined) this.#ends.set(step, now + ms);
    this.#options.again(key, (ends ?? now + ms) - now);
    return true;
  }

  async #bind(key: string, object: KubeObject, pod: PodShape): Promise<void> {
    const { kube, signal, timings, saw } = this.#options;
    const node = this.#nodeFor(pod);
    if (!node) return this.#sayWhyPending(object, pod);
    if (this.#takesLonger(key, pod, { name: 'bind', ms: timings.bindMs, status: () => ({}) })) return;
    const ref = refTo(object);
    saw(
      await kube.patch(
        ref,
        { type: 'merge', body: { spec: { nodeName: node } } },
        { fieldManager: 'kube-scheduler', signal },
      ),
    );
  }

  /** Says that a pod is pending because its nodes wait for a network, as on every new cluster. Other reasons are not simulated. */
  async #sayWhyPending(object: KubeObject, pod: PodShape): Promise<void> {
    const nodes = this.#options.cache.nodes.shapes();
    const wanted = unschedulableStatus(pod, nodes, timeOf(this.#options.clock));
    const lastMessage = pod.status.conditions.find(({ type }) => type === 'PodScheduled')?.message;
    if (wanted && lastMessage !== wanted.conditions[0]?.message) await this.#writeStatus(object, wanted);
  }

  /**
   * Deletes a pod of a node that lost its network, so that its controller makes a new one, which waits. On a real cluster the pod stays and reaches
   * nobody; here it goes, so that an uninstalled sandbox looks as it did before the installation.
   */
  async #evict(key: string, object: KubeObject, pod: PodShape): Promise<void> {
    const ms = this.#options.timings.evictMs;
    if (this.#takesLonger(key, pod, { name: 'evict', ms, status: () => ({}) })) return;
    await deletePod(this.#options, object);
  }

  /**
   * The node for a pod. A DaemonSet's pod names its node. Others go to the node with the fewest pods of the same owner, and among these to the one
   * with the fewest pods.
   */
  #nodeFor(pod: PodShape): string | null {
    const { cache } = this.#options;
    const wanted = nodeOf(pod);
    if (wanted !== '') return cache.nodes.get(`/${wanted}`) ? wanted : null;
    const owner = pod.metadata.ownerReferences[0]?.uid;
    const load = (node: NodeShape): [number, number] => {
      const there = cache.pods.inGroup('node', node.metadata.name).map(({ shape }) => shape);
      const siblings = there.filter(
        (each) => sharesLabels(each, pod) || each.metadata.ownerReferences[0]?.uid === owner,
      );
      return [siblings.length, there.length];
    };
    const best = cache.nodes
      .shapes()
      .filter((node) => mayBeScheduled(pod.spec, node))
      .map((node) => ({ name: node.metadata.name, load: load(node) }))
      .sort((a, b) => a.load[0] - b.load[0] || a.load[1] - b.load[1] || (a.name < b.name ? -1 : 1));
    return best[0]?.name ?? null;
  }

  #addressFor(pod: PodShape, node: NodeShape): string {
    if (pod.spec.hostNetwork) return nodeAddress(node);
    if (pod.status.podIP) return pod.status.podIP;
    const [prefix = '10.244.0'] = /^\d+\.\d+\.\d+/.exec(node.spec.podCIDR ?? '') ?? [];
    const taken = new Set(this.#options.cache.pods.shapes().map((each) => each.status.podIP));
    for (let host = 2; ; host++) if (!taken.has(`${prefix}.${host}`)) return `${prefix}.${host}`;
  }

  async #writeStatus(object: KubeObject, status: Record<string, unknown>): Promise<void> {
    const { kube, signal, saw } = this.#options;
    const options = { subresource: 'status', fieldManager: 'kubelet', signal } as const;
    saw(await kube.patch(refTo(object), { type: 'merge', body: { status } }, options));
  }
}

const probes = z.looseObject({
  spec: z.looseObject({ containers: z.array(z.looseObject({ readinessProbe: z.unknown().optional() })) }),
});

function hasReadinessProbe(object: KubeObject): boolean {
  return probes.parse(object).spec.containers.some(({ readinessProbe }) => readinessProbe !== undefined);
}

/** How often the crashing container has been restarted. 0: none crashes. */
function crashesOf(pod: PodShape): number {
  const statuses = [...pod.status.containerStatuses, ...pod.status.initContainerStatuses];
  const crashing = statuses.find(
    ({ restartCount, state }) => restartCount > 0 && JSON.stringify(state ?? {}).includes('CrashLoopBackOff'),
  );
  return crashing?.restartCount ?? 0;
}

function sharesLabels(a: PodShape, b: PodShape): boolean {
  const app = a.metadata.labels['k8s-app'];
  return app !== undefined && app === b.metadata.labels['k8s-app'];
}

function refTo(object: KubeObject) {
  return {
    resource: resources.pods,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
  };
}
