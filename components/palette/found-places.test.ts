import { expect, test } from 'vitest';
import { foundPlaces } from './found-places.ts';
import type { Place } from './place.ts';

const place = (group: Place['group'], title: string, note = ''): Place => ({ group, title, note, href: `/${title}` });

const places = [
  place('Nodes', 'worker-10'),
  place('Nodes', 'worker-1'),
  place('Clusters', 'prod-eu', '10.0.0.1:6443'),
  place('Clusters', 'eu-standby'),
  place('Actions', 'Enable eBPF', 'on the dashboard'),
  place('Pages', 'Dashboard', 'prod-eu'),
];

test.each([
  ['', ['Enable eBPF', 'Dashboard', 'prod-eu', 'eu-standby', 'worker-10', 'worker-1']],
  ['eu', ['Dashboard', 'eu-standby', 'prod-eu']],
  ['EU 6443', ['prod-eu']],
  ['node 1', ['worker-10', 'worker-1']],
  ['worker-1', ['worker-1', 'worker-10']],
  ['prod-eu', ['prod-eu', 'Dashboard']],
  ['ebpf', ['Enable eBPF']],
  ['nothing of the kind', []],
])('"%s" finds, by group and the best first: %j', (typed, titles) => {
  expect(foundPlaces(places, typed).flatMap((group) => group.places.map(({ title }) => title))).toEqual(titles);
});

test('of many six are shown, and how many more there are', () => {
  const nodes = Array.from({ length: 500 }, (_, at) => place('Nodes', `worker-${at}`));
  const [group] = foundPlaces(nodes, '');
  expect(group).toMatchObject({ group: 'Nodes', more: 494, places: nodes.slice(0, 6) });
  expect(foundPlaces(nodes, 'worker-499')[0]).toMatchObject({ more: 0, places: [nodes[499]] });
});
