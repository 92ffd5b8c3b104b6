import type { KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { injected, injector, wantsSidecar } from '../sidecar-injector.ts';
import { type ControllerContext, controllerManager, deletePod, timeOf } from './controller-context.ts';
import { decideDeployment } from './deployment.ts';
import { podFromTemplate, podName } from './pod.ts';
import { decideReplicaSet, podTemplateHashLabel, replicaSetFor, replicaSets } from './replica-set.ts';
import { revisionAnnotation } from './revision-annotation.ts';

/** Carries out what `decideDeployment` and `decideReplicaSet` decide. */
export class DeploymentController {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  async turn(key: string): Promise<void> {
    const { cache, kube, clock, signal, saw } = this.#context;
    const seen = cache.deployments.get(key);
    if (!seen || seen.shape.metadata.deletionTimestamp) return;
    const { object, shape } = seen;
    const own = cache.replicaSets.inGroup('owner', shape.metadata.uid);
    const decision = decideDeployment(
      shape,
      own.map((each) => each.shape),
      timeOf(clock),
    );
    const options = { fieldManager: controllerManager, signal };
    const { namespace } = shape.metadata;
    if (decision.create !== null) {
      saw(
        await kube.create(
          replicaSets,
          replicaSetFor(object, decision.hash, decision.revision, decision.create),
          options,
        ),
      );
    }
    for (const { replicaSet, replicas } of decision.scale) {
      const body = { spec: { replicas } };
      const ref = { resource: replicaSets, namespace, name: replicaSet.metadata.name };
      saw(await kube.patch(ref, { type: 'merge', body }, options));
    }
    for (const replicaSet of decision.remove) {
      const found = own.find((each) => each.shape === replicaSet);
      if (!found) continue;
      await kube.delete({ resource: replicaSets, namespace, name: replicaSet.metadata.name }, { signal });
      this.#context.deleted(found.object);
    }
    const fresh = own.find((each) => hashOf(each.object) === decision.hash);
    // Going back to an earlier template makes the ReplicaSet of that template the newest revision again.
    if (fresh && fresh.object.metadata.annotations?.[revisionAnnotation] !== decision.revision) {
      const body = { metadata: { annotations: { [revisionAnnotation]: decision.revision } } };
      const ref = { resource: replicaSets, namespace, name: fresh.shape.metadata.name };
      saw(await kube.patch(ref, { type: 'merge', body }, options));
    }
    await this.#writeStatus(resources.deployments, object, decision.status, decision.revision);
  }

  async replicaSetTurn(key: string): Promise<void> {
    const { cache, kube, signal, saw } = this.#context;
    const seen = cache.replicaSets.get(key);
    if (!seen || seen.shape.metadata.deletionTimestamp) return;
    const { object, shape } = seen;
    const own = cache.pods.inGroup('owner', shape.metadata.uid);
    const decision = decideReplicaSet(
      shape,
      own.map((pod) => pod.shape),
    );
    for (const pod of decision.remove) {
      const found = own.find((each) => each.shape === pod);
      if (found) await deletePod(this.#context, found.object);
    }
    const { namespace } = shape.metadata;
    for (let index = 0; index < decision.create; index++) {
      const name = podName(
        object,
        (taken) => cache.pods.isKnown(`${namespace}/${taken}`),
        hashOf(object),
        object.metadata.resourceVersion ?? '',
      );
      const pod = podFromTemplate(object, name, {});
      const template = wantsSidecar(pod) ? await kube.get(injector, { signal }) : null;
      saw(await kube.create(resources.pods, injected(pod, template), { fieldManager: controllerManager, signal }));
    }
    await this.#writeStatus(replicaSets, object, decision.status);
  }

  /** Writes the revision together with the status, because a write to the status does not count as a new generation. */
  async #writeStatus(
    resource: Resource,
    object: KubeObject,
    wanted: Record<string, unknown>,
    revision?: string,
  ): Promise<void> {
    const { kube, signal, saw } = this.#context;
    const before: Record<string, unknown> = { ...(object.status as object | undefined) };
    const same = Object.entries(wanted).every(
      ([field, value]) => JSON.stringify(before[field] ?? null) === JSON.stringify(value),
    );
    const newRevision = revision !== undefined && object.metadata.annotations?.[revisionAnnotation] !== revision;
    if (same && !newRevision) return;
    const body = {
      ...(newRevision ? { metadata: { annotations: { [revisionAnnotation]: revision } } } : {}),
      status: wanted,
    };
    const ref = { resource, namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
    const options = { subresource: 'status', fieldManager: controllerManager, signal } as const;
    saw(await kube.patch(ref, { type: 'merge', body }, options));
  }
}

function hashOf(replicaSet: KubeObject): string {
  return replicaSet.metadata.labels?.[podTemplateHashLabel] ?? '';
}
