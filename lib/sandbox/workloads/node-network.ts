import { resources } from '#lib/spec/index.ts';
import { type ControllerContext, controllerManager, timeOf } from './controller-context.ts';
import { agentNode, connectsPods } from './network-agents.ts';
import { notReadyTaint, readyCondition, waitsForNetwork } from './node-readiness.ts';
import { type NodeShape, runsOn } from './shapes.ts';

/**
 * What kubelet and node lifecycle controller write about a node's network. The node becomes Ready once an agent that connects pods runs there, and
 * stops being Ready once the last such agent is gone from the cluster. It keeps its network while an agent is replaced. A stopped kubelet writes
 * nothing.
 */
export class NodeNetwork {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  async turn(name: string): Promise<void> {
    const { cache, clock } = this.#context;
    const node = cache.nodes.get(`/${name}`)?.shape;
    if (!node || runsOn(node) === 'nothing' || node.metadata.labels['kubernetes.io/os'] === 'windows') return;
    const had = runsOn(node) === 'every pod';
    const has = had ? !this.#isWithoutAgents(name) : this.#agentRunsOn(name);
    if (has !== had) await this.#sayReady(node, has, timeOf(clock));
    await this.#taint(node, has);
  }

  #agentRunsOn(name: string): boolean {
    return this.#context.cache.pods
      .all()
      .some(
        ({ object, shape }) =>
          agentNode(object) === name && shape.status.containerStatuses.some(({ state }) => state.running),
      );
  }

  #isWithoutAgents(name: string): boolean {
    const { daemonSets, pods } = this.#context.cache;
    return (
      !daemonSets.all().some(({ object }) => connectsPods(object)) &&
      !pods.all().some(({ object }) => agentNode(object) === name)
    );
  }

  async #sayReady({ metadata, status }: NodeShape, has: boolean, now: string): Promise<void> {
    const { kube, signal, saw } = this.#context;
    const conditions = [...status.conditions.filter(({ type }) => type !== 'Ready'), readyCondition(has, now)];
    saw(
      await kube.patch(
        { resource: resources.nodes, name: metadata.name },
        { type: 'merge', body: { status: { conditions } } },
        { subresource: 'status', fieldManager: 'kubelet', signal },
      ),
    );
  }

  async #taint({ metadata, spec }: NodeShape, has: boolean): Promise<void> {
    const { kube, signal, saw } = this.#context;
    const isTainted = spec.taints.some(({ key }) => key === notReadyTaint);
    if (isTainted !== has) return;
    const others = spec.taints.filter(({ key }) => key !== notReadyTaint);
    const taints = has ? others : [...others, waitsForNetwork];
    saw(
      await kube.patch(
        { resource: resources.nodes, name: metadata.name },
        { type: 'merge', body: { spec: { taints: taints.length > 0 ? taints : null } } },
        { fieldManager: controllerManager, signal },
      ),
    );
  }
}
