import { expect, test } from 'vitest';
import { type Flow, flowMap } from '#lib/flows/in-browser.ts';
import { sampleTraffic } from '#lib/flows/index.ts';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { type Box, layOut } from './map-layout.ts';

const pod = (namespace: string, name: string) => ({ kind: 'workload' as const, namespace, name, labels: [] });
const shop: Flow[] = Array.from({ length: 40 }, (_, bucket) => sampleTraffic(bucket * 15))
  .flat()
  .map((flow, index) => ({ ...flow, id: String(index) }));
const many: Flow[] = Array.from({ length: 500 }, (_, index) => ({
  id: String(index),
  ...aFlow({
    from: pod(`ns-${index % 25}`, `w${index}`),
    to: pod(`ns-${(index * 7) % 25}`, `w${(index * 13) % 500}`),
    verdict: index % 9 === 0 ? 'denied' : 'allowed',
  }),
}));

const overlaps = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

test.each([
  ['the sample traffic', flowMap(shop, 'workloads'), 5],
  ['namespaces alone', flowMap(shop, 'namespaces'), 0],
  ['500 workloads', flowMap(many, 'all'), 25],
])('of %s no box lies on another, and a workload is in the box of its namespace', (_, map, boxes) => {
  const { places, namespaces } = layOut(map);
  expect(places.size).toBe(map.places.length);
  expect(namespaces.length).toBeGreaterThanOrEqual(boxes);
  const all = [...places.values()];
  for (const [index, box] of all.entries())
    expect(all.slice(index + 1).filter((other) => overlaps(box, other))).toEqual([]);
  for (const [index, box] of namespaces.entries())
    expect(namespaces.slice(index + 1).filter((other) => overlaps(box, other))).toEqual([]);
  for (const { id, namespace, name } of map.places) {
    const box = places.get(id);
    const around = namespaces.find((one) => one.namespace === namespace);
    if (box && name !== null && namespace !== null) expect(around && overlaps(around, box)).toBe(true);
  }
});
