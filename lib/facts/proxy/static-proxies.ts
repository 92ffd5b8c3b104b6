import { type KubeObject, type ObjectMeta, podOf } from '#lib/kube/index.ts';
import { fields, textOrNull } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { names } from '#lib/spec/index.ts';
import { folded, picked, type Query } from '../reading/query.ts';
import { podListing, proxyPodListings } from '../reading/sources.ts';
import { modeOfProxy, type ReadMode } from './proxy-mode.ts';

/**
 * kube-proxy as static pods: `kube-system/kube-proxy-NODE` with the kubelet's mirror annotation. `stray`: the first pod of that name without annotation and
 * owner, as `kubectl delete --cascade=orphan` of a DaemonSet leaves it.
 */
export type StaticProxies = { readonly count: number; readonly first: string | null; readonly stray: string | null };

const isLeaving = fields({ deletionTimestamp: textOrNull });

/** The kubelet's mark of a pod that it starts from a file. */
function isMirror(pod: ObjectMeta): boolean {
  return 'kubernetes.io/config.mirror' in metadata.parse(pod).annotations;
}

function isNamedAsProxyOfNode({ namespace, name }: ObjectMeta): boolean {
  return namespace === names.systemNamespace && name?.startsWith(`${names.kubeProxyDaemonSet}-`) === true;
}

/** Whether the pod is kube-proxy as a static pod of a node. */
export function isStaticProxy({ metadata: pod }: Pick<KubeObject, 'metadata'>): boolean {
  return isNamedAsProxyOfNode(pod) && isMirror(pod);
}

/** Static pods of kube-proxy, by the metadata of all pods. */
export const staticProxies = folded(podListing, () => {
  let count = 0;
  let first: string | null = null;
  let stray: string | null = null;
  return {
    each: (object) => {
      const raw = object.metadata;
      if (!isNamedAsProxyOfNode(raw)) return;
      const { name } = metadata.parse(raw);
      if (!isMirror(raw)) {
        if (!isLeaving.parse(raw).deletionTimestamp) stray ??= `kube-system/Pod/${name}`;
        return;
      }
      count++;
      first ??= `kube-system/Pod/${name}`;
    },
    result: (): StaticProxies => ({ count, first, stray }),
  };
});

function modesOfPods(wanted: 'static' | 'of a workload'): Query<readonly ReadMode[]> {
  const listed = proxyPodListings.map((listing) =>
    picked(listing, (object): ReadMode | null => {
      const { metadata: meta, spec } = podOf(object);
      if (isMirror(object.metadata) !== (wanted === 'static')) return null;
      // The API does not show a configuration file on the node.
      return modeOfProxy({ object: `kube-system/Pod/${meta.name}`, spec }, [], false);
    }),
  );
  return {
    rules: listed[0]?.rules ?? [],
    enlist: (session) => {
      const fetches = listed.map((query) => query.enlist(session));
      return async () => {
        const read = await Promise.all(fetches.map((fetch) => fetch()));
        return { value: read.flatMap(({ value }) => value), missing: read.flatMap(({ missing }) => missing) };
      };
    },
  };
}

/** Modes of static pods of kube-proxy, by their flags. */
export const staticProxyModes = modesOfPods('static');
/** Modes of pods of a DaemonSet, by their own flags, as pods of an earlier template may still run. */
export const startedProxyModes = modesOfPods('of a workload');

/** The common mode; null: they differ, or there are none. One pod in IPVS mode is enough, since its node keeps the rest of IPVS. */
export function commonMode(modes: readonly ReadMode[]): ReadMode | null {
  const [first] = modes;
  const isSame = modes.every(({ mode }) => mode === first?.mode);
  return (isSame ? first : modes.find(({ mode }) => mode === 'ipvs')) ?? null;
}
