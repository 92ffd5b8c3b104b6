import { podOf } from '#lib/kube/index.ts';
import { fields, textOrNull } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { folded, picked, type Query } from '../reading/query.ts';
import { podListing, proxyPodListings } from '../reading/sources.ts';
import { modeOfProxy, type ReadMode } from './proxy-mode.ts';

/**
 * kube-proxy as pods that a node's own agent writes: `kube-system/kube-proxy-<node>` with the kubelet's mirror mark. `stray`: the first one of that
 * name without it, as a DaemonSet leaves them that was deleted with `--cascade=orphan`.
 */
export type StaticProxies = { readonly count: number; readonly first: string | null; readonly stray: string | null };

const isLeaving = fields({ deletionTimestamp: textOrNull });
const mirrorAnnotation = 'kubernetes.io/config.mirror';

export const staticProxies = folded(podListing, () => {
  let count = 0;
  let first: string | null = null;
  let stray: string | null = null;
  return {
    each: (object) => {
      const raw = object.metadata;
      if (raw.namespace !== 'kube-system' || !raw.name?.startsWith('kube-proxy-')) return;
      const { name, annotations } = metadata.parse(raw);
      if (!(mirrorAnnotation in annotations)) {
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
      if (mirrorAnnotation in meta.annotations !== (wanted === 'static')) return null;
      // A configuration file of a static pod is the node's own, which the API does not show.
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

/** The modes of kube-proxies that run as static pods: that of each, as its flags say. */
export const staticProxyModes = modesOfPods('static');
/** The same of pods that a DaemonSet made, as far as their own flags say: one of an earlier template runs on as it was started. */
export const startedProxyModes = modesOfPods('of a workload');

/** The mode that all of them have; null: they differ, or there are none. One in IPVS mode is enough: its node keeps what IPVS leaves there. */
export function commonMode(modes: readonly ReadMode[]): ReadMode | null {
  const [first] = modes;
  const isSame = modes.every(({ mode }) => mode === first?.mode);
  return (isSame ? first : modes.find(({ mode }) => mode === 'ipvs')) ?? null;
}
