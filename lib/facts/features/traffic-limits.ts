import { metadata } from '#lib/kube/read/metadata.ts';
import { trafficLimits as limits } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { picked } from '../reading/query.ts';
import { podListing } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';

type Limited = Facts['features']['trafficLimits'][number];

const names = new Map(limits.flatMap(({ id, annotations }) => annotations.map((name) => [name, id] as const)));

const limitedPods = picked(podListing, (object): Limited | null => {
  const given = object.metadata.annotations;
  // Most of thousands of pods have no such annotation, so others are not parsed.
  if (!isLimited(given)) return null;
  const { name, namespace, annotations } = metadata.parse(object.metadata);
  const own = Object.entries(annotations).filter(([key, value]) => names.has(key) && value !== '');
  if (own.length === 0) return null;
  const detail = own.map(([key, value]) => `${key} ${value}`).join(', ');
  return { kind: 'Pod', namespace, name, detail, limits: [...new Set(own.flatMap(([key]) => names.get(key) ?? []))] };
});

function isLimited(annotations: object | undefined): boolean {
  for (const name in annotations) if (names.has(name)) return true;
  return false;
}

/** Pods with annotations that limit their traffic. eBPF mode does not enforce every limit everywhere (`trafficLimits` of lib/spec). */
export const trafficLimits = defineCollector({
  id: 'features/traffic-limits',
  provides: ['trafficLimits'],
  reads: { limitedPods },
  collect: ({ limitedPods: pods }) => ({ features: { trafficLimits: pods.value } }),
});
