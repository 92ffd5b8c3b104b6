import { parseAllDocuments } from 'yaml';
import { calicoFile } from '#e2e/controlplane/index.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { names, type ObjectRef, resourceOf, resources } from '#lib/spec/index.ts';

/** Installations by manifest, like `kubectl apply -f`. */

export const agents: ObjectRef = {
  resource: resources.daemonSets,
  namespace: names.systemNamespace,
  name: names.nodeDaemonSet,
};
const byKubectl = { fieldManager: 'kubectl-client-side-apply' };
export const byHand = { fieldManager: 'kubectl-edit' };

/** Applies a manifest like client-side apply, including its copy of the object. `edited`: changes to the file. */
export async function installManifest(
  kube: Kube,
  version: string,
  file: string,
  edited = (text: string) => text,
): Promise<void> {
  for (const document of parseAllDocuments(edited(await calicoFile(version, file)))) {
    const object = document.toJS() as KubeObject | null;
    const resource = object && resourceOf(object.apiVersion, object.kind);
    if (!object || !resource) continue;
    const isDefinition = resource.kind === 'CustomResourceDefinition';
    const copy = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(object) };
    const annotations = { ...object.metadata.annotations, ...(isDefinition ? {} : copy) };
    const made = { ...object, metadata: { ...object.metadata, annotations } };
    // Definitions of the previous test stay, so an older release may be applied over those of a newer one.
    await (isDefinition
      ? kube.apply(resource, made, { ...byKubectl, force: true })
      : kube.create(resource, made, byKubectl));
  }
}

/** Every node has its agent, and the controllers run, Typha too where there is one. `daemonSet`: what runs the agents, where the manifest calls it otherwise. */
export async function rolledOut(kube: Kube, count: number, daemonSet = agents.name): Promise<boolean> {
  const deployment = (name: string) => kube.get({ ...agents, resource: resources.deployments, name });
  const [nodes, controllers, typha] = await Promise.all([
    kube.get({ ...agents, name: daemonSet }),
    deployment('calico-kube-controllers'),
    deployment('calico-typha'),
  ]);
  const { desiredNumberScheduled: desired, numberAvailable } = (nodes?.status ?? {}) as Record<string, number>;
  return desired === count && numberAvailable === count && isWhole(controllers) && (typha === null || isWhole(typha));
}

function isWhole(deployment: KubeObject | null): boolean {
  const { availableReplicas, unavailableReplicas } = (deployment?.status ?? {}) as Record<string, number>;
  return availableReplicas === 1 && unavailableReplicas === undefined;
}

type Pod = { tolerations: object[]; containers: { image: string; env: object[] }[] };

export async function podOfAgents(kube: Kube): Promise<Pod> {
  const live = await kube.get(agents);
  if (!live) throw new Error('no agents');
  return (live.spec as { template: { spec: Pod } }).template.spec;
}

/** Removes the objects of the previous test, except for definitions. */
export async function removeManifest(kube: Kube): Promise<void> {
  for (const resource of [resources.daemonSets, resources.deployments])
    for await (const page of kube.list(resource, { namespace: names.systemNamespace }))
      for (const { metadata } of page.items)
        if (metadata.name?.startsWith('calico-'))
          await kube.delete({ resource, namespace: names.systemNamespace, name: metadata.name });
  for (const document of parseAllDocuments(await calicoFile('v3.30.7', 'calico.yaml'))) {
    const object = document.toJS() as KubeObject | null;
    const resource = object && resourceOf(object.apiVersion, object.kind);
    if (!object || !resource || /CustomResourceDefinition|DaemonSet|Deployment/.test(resource.kind)) continue;
    const { name = '', namespace } = object.metadata;
    const ref = { resource, name, ...(namespace === undefined ? {} : { namespace }) };
    if (await kube.get(ref)) await kube.delete(ref);
  }
}
