import { metadata } from '#lib/kube/read/metadata.ts';
import { names } from '#lib/spec/index.ts';
import { felixConfigurations, felixObjects } from '../calico/felix.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { picked } from '../reading/query.ts';
import { podListing } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';

const annotatedPods = picked(podListing, (object): Subject | null => {
  // Most of thousands of pods have no such annotation, so others are not parsed.
  if (object.metadata.annotations?.[names.floatingIpsAnnotation] === undefined) return null;
  const { name, namespace, annotations } = metadata.parse(object.metadata);
  const value = annotations[names.floatingIpsAnnotation];
  return value ? { kind: 'Pod', namespace, name, detail: `floating IPs ${value}` } : null;
});

/** Pods with floating IPs, and the Felix setting that turns them on; eBPF mode does not handle them (spec › Limits). */
export const floatingIps = defineCollector({
  id: 'features/floating-ips',
  provides: ['floatingIps'],
  reads: { annotatedPods, felixObjects },
  collect: ({ annotatedPods: pods, felixObjects: objects }, facts) => {
    const felix = felixConfigurations(objects, facts);
    const enabled = felix.value.flatMap(({ metadata: { name }, spec: { floatingIPs: value } }): Subject[] =>
      value === 'Enabled'
        ? [{ kind: 'FelixConfiguration', namespace: null, name, detail: 'floatingIPs: Enabled' }]
        : [],
    );
    return { features: { floatingIps: [...enabled, ...pods.value] }, coverage: { floatingIps: allOf(pods, felix) } };
  },
});
