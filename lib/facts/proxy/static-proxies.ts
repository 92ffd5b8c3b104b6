import { fields, textOrNull } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { folded } from '../reading/query.ts';
import { podListing } from '../reading/sources.ts';

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
