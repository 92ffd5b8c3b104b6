import { metadata } from './lenient.ts';
import { folded } from './query.ts';
import { podListing } from './sources.ts';

/** kube-proxy as pods that a node's own agent writes: `kube-system/kube-proxy-<node>` with the kubelet's mirror mark. */
export type StaticProxies = { readonly count: number; readonly first: string | null };

const mirrorAnnotation = 'kubernetes.io/config.mirror';

export const staticProxies = folded(podListing, () => {
  let count = 0;
  let first: string | null = null;
  return {
    each: (object) => {
      const raw = object.metadata;
      if (raw.namespace !== 'kube-system' || !raw.name?.startsWith('kube-proxy-')) return;
      const { name, annotations } = metadata.parse(raw);
      if (!(mirrorAnnotation in annotations)) return;
      count++;
      first ??= `kube-system/Pod/${name}`;
    },
    result: (): StaticProxies => ({ count, first }),
  };
});
