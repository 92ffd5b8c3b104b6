import { expect, test } from 'vitest';
import { type CompactStep, compactFrames, groupsOf, layCompactTrack } from './compact-track-layout.ts';

const step = (seq: number, id: string, traffic = false): CompactStep => ({ seq, id, title: id, traffic, seconds: 60 });
const plan = [
  step(1, 'snapshot'),
  step(2, 'endpoint.configmap'),
  step(3, 'switch.bpf', true),
  step(4, 'bpf.active'),
  step(5, 'proxy.disable.daemonset', true),
  step(6, 'felix.cleanup-restore'),
  step(7, 'verify.pods'),
];

test('what is before, between and after the steps that touch traffic are groups', () => {
  expect(groupsOf(plan).map(({ name, steps }) => [name, steps.map(({ seq }) => seq)])).toEqual([
    ['Prepare', [1, 2]],
    ['Switch', [3, 4, 5]],
    ['Clean up', [6]],
    ['Verify', [7]],
  ]);
  expect(groupsOf(plan.slice(0, 2)).map(({ name }) => name)).toEqual(['Prepare']);
});

test.each(Object.entries(compactFrames))(
  '%s: every post is inside, in order, and only traffic has a name',
  (_name, frame) => {
    const { posts } = layCompactTrack(plan, frame);
    const places = posts.map(({ x }) => x);
    expect(places).toEqual([...places].sort((left, right) => left - right));
    expect([places[0], places.at(-1)?.toFixed(3)]).toEqual([frame.edge, (frame.width - frame.edge).toFixed(3)]);
    expect(posts.filter(({ lines }) => lines.length > 0).map(({ seq }) => seq)).toEqual([3, 5]);
  },
);

test('a group tells no time while that of the step where the run stands is not known', () => {
  const prepare = (seconds: number | null) => {
    const run = plan.map(
      (one, index): CompactStep => ({
        ...one,
        seconds: [60, seconds][index] ?? null,
        state: index === 1 ? 'train' : 'ahead',
      }),
    );
    return layCompactTrack(run, compactFrames.wide).groups[0]?.seconds;
  };
  expect([prepare(20), prepare(null)]).toEqual([80, null]);
});
