import { podOf } from '#lib/kube/index.ts';
import { defineCollector } from '../collector.ts';
import { versionOfImage } from '../reading/workload.ts';
import { type PodOfInterest, podsOfInterest } from './named-pods.ts';

const looksLikeIt = /(^|[-.])calicoctl([-.]|$)/;
/** Images of calicoctl, from any registry: `quay.io/calico/ctl:v3.31.4`. */
const image = /(^|\/)(calico\/)?(ctl|calicoctl)(:|@|$)/;

/** Pods named calicoctl, as calicoctl.yaml creates one; its image has the version (calico.md §1.2). */
const named = podsOfInterest(({ metadata: { name = '', namespace = '', creationTimestamp = '', labels } }) =>
  (name.includes('calicoctl') && looksLikeIt.test(name)) || labels?.['k8s-app'] === 'calicoctl'
    ? ({ group: `${namespace}/${name}`, created: String(creationTimestamp) } satisfies PodOfInterest)
    : null,
);

export const calicoctls = defineCollector({
  id: 'upgrade/calicoctls',
  provides: ['calicoctls'],
  reads: { named },
  collect: ({ named: { value } }) => ({
    upgrade: {
      calicoctls: value.flatMap((one) => {
        const { metadata: meta, spec } = podOf(one.pod);
        return spec.containers
          .filter((container) => image.test(container.image))
          .map((container) => ({
            subject: { kind: 'Pod', namespace: meta.namespace, name: meta.name, detail: `runs ${container.image}` },
            image: container.image,
            version: versionOfImage(container.image),
          }));
      }),
    },
  }),
});
