import type { KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { type ControllerContext, controllerManager, deletePod } from './controller-context.ts';
import { decideDaemonSet, revisionLabel } from './daemon-set.ts';
import { tolerationsOfDaemonPod } from './placement.ts';
import { pinnedTo, podFromTemplate, podName } from './pod.ts';
import type { DaemonSetShape } from './shapes.ts';

/** Carries out what `decideDaemonSet` decides. */
export class DaemonSetController {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  async turn(key: string): Promise<void> {
    const { cache } = this.#context;
    const seen = cache.daemonSets.get(key);
    if (!seen || seen.shape.metadata.deletionTimestamp) return;
    const { object, shape } = seen;
    const own = cache.pods.inGroup('owner', shape.metadata.uid);
    const decision = decideDaemonSet(
      shape,
      cache.nodes.shapes(),
      own.map((pod) => pod.shape),
    );
    for (const pod of decision.remove) {
      const found = own.find((each) => each.shape === pod);
      if (found) await deletePod(this.#context, found.object);
    }
    for (const node of decision.create) await this.#createPod(object, shape, node, decision.hash);
    await this.#writeStatus(object, decision.status);
  }

  async #createPod(object: KubeObject, shape: DaemonSetShape, node: string, hash: string): Promise<void> {
    const { kube, cache, signal, saw } = this.#context;
    const { namespace } = shape.metadata;
    const seed = [node, hash, object.metadata.resourceVersion ?? ''];
    const name = podName(object, (taken) => cache.pods.isKnown(`${namespace}/${taken}`), ...seed);
    const pod = podFromTemplate(
      object,
      name,
      { [revisionLabel]: hash, 'pod-template-generation': String(shape.metadata.generation) },
      {
        affinity: pinnedTo(node),
        tolerations: tolerationsOfDaemonPod(shape.spec.template.spec),
      },
    );
    saw(await kube.create(resources.pods, pod, { fieldManager: controllerManager, signal }));
  }

  async #writeStatus(object: KubeObject, wanted: Record<string, number | null>): Promise<void> {
    const { kube, signal, saw } = this.#context;
    const before: Record<string, unknown> = { ...(object.status as object | undefined) };
    if (Object.entries(wanted).every(([field, value]) => (before[field] ?? null) === value)) return;
    saw(
      await kube.patch(
        {
          resource: resources.daemonSets,
          namespace: object.metadata.namespace ?? '',
          name: object.metadata.name ?? '',
        },
        { type: 'merge', body: { status: wanted } },
        { subresource: 'status', fieldManager: controllerManager, signal },
      ),
    );
  }
}
