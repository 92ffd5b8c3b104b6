import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import { names, openshiftRunsProxy, resources } from '#lib/spec/index.ts';
import { daemon } from '../templates/objects.ts';
import type { ControllerContext } from './controller-context.ts';

const proxyName = names.openshiftProxy;
const manager = 'cluster-network-operator';

/** DaemonSet openshift-kube-proxy, as OpenShift's network operator makes it. */
export function openshiftProxyDaemonSet(): KubeObject {
  return daemon(proxyName, proxyName, 'images.sandbox.example/kube-proxy:4.18.1', {
    // The second label is the one by which the nodes of a sandbox know a proxy.
    labels: { app: 'kube-proxy', 'k8s-app': 'kube-proxy' },
    container: { name: 'kube-proxy' },
  });
}

const networkShape = z.looseObject({
  defaultNetwork: z.looseObject({ type: z.string().default('') }).default({ type: '' }),
  deployKubeProxy: z.boolean().nullable().default(null),
});

/** Whether Network `cluster` of operator.openshift.io asks for the proxy. */
export function wantsProxy({ spec }: { readonly spec?: unknown; readonly kind: string }): boolean {
  const { defaultNetwork, deployKubeProxy } = networkShape.parse(spec ?? {});
  return openshiftRunsProxy(defaultNetwork.type, deployKubeProxy);
}

/** Keeps DaemonSet openshift-kube-proxy there while Network `cluster` asks for it, as OpenShift's network operator does. */
export class OpenshiftProxyController {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  async turn(key: string): Promise<void> {
    const { kube, cache, signal, saw, deleted } = this.#context;
    const network = cache.openshiftNetworks.get(key)?.object;
    if (key !== '/cluster' || !network) return;
    const wanted = wantsProxy(network);
    const there = cache.daemonSets.get(`${proxyName}/${proxyName}`)?.object;
    if (wanted && !there)
      saw(await kube.create(resources.daemonSets, openshiftProxyDaemonSet(), { fieldManager: manager, signal }));
    if (wanted || !there || there.metadata.deletionTimestamp) return;
    await kube.delete({ resource: resources.daemonSets, namespace: proxyName, name: proxyName }, { signal });
    deleted(there);
  }
}
