import { expect, test } from 'vitest';
import { judge, type NodeReport } from './judge.ts';
import type { ProbeLine } from './line.ts';

const names = ['a', 'b', 'c'];
const addressOf = (name: string) => `10.0.0.${names.indexOf(name) + 1}`;
const question = {
  nodes: names.map((name) => ({
    name,
    distribution: { id: 'ubuntu' },
    architecture: 'amd64',
    address: addressOf(name),
  })),
  endpoint: null,
  interfacePattern: null,
};
type Lines = Readonly<Record<string, readonly ProbeLine[]>>;
const report = (node: string, lines: readonly ProbeLine[]): NodeReport => ({
  node,
  host: lines,
  pod: { because: 'there is none' },
});

/** `node test: kind, why` of both tests of VXLAN. `said`: in place of what arrives at a node from each other. */
function vxlan(said: Lines): string[] {
  const heard = (node: string): ProbeLine[] =>
    names
      .filter((other) => other !== node)
      .map((other) => ({ v: 1, probe: 'vxlan', peer: addressOf(other), arrives: 'full' }));
  const reports = names.map((node) =>
    report(node, [{ v: 1, probe: 'vxlan-sending', tunnels: 2 }, ...(said[node] ?? heard(node))]),
  );
  return judge(question, reports).flatMap(({ node, tests }) =>
    (['vxlan', 'full-size'] as const).map((id) => {
      const outcome = tests[id];
      return `${node} ${id}: ${outcome.kind}${outcome.kind === 'passed' ? '' : `, ${outcome.because}`}`;
    }),
  );
}

const from = (peer: string, arrives: 'small' | 'full' = 'full'): ProbeLine => ({
  v: 1,
  probe: 'vxlan',
  peer: addressOf(peer),
  arrives,
});
const not = (peer: string, because: string, lacks?: 'route'): ProbeLine => ({
  v: 1,
  probe: 'vxlan-not',
  peer: addressOf(peer),
  because,
  ...(lacks === undefined ? {} : { lacks }),
});

test('no route to a peer fails the node that has none, and leaves the peer untested', () => {
  expect(vxlan({ a: [not('b', 'no route leads there', 'route'), from('c')] })).toEqual([
    'a vxlan: failed, no route leads to b',
    'a full-size: not-run, a to b: no route leads there',
    'b vxlan: not-run, a to b: no route leads there',
    'b full-size: not-run, a to b: no route leads there',
    'c vxlan: passed',
    'c full-size: passed',
  ]);
});

test('a pair that could not be tested keeps both its ends from passing', () => {
  expect(vxlan({ a: [not('b', 'RTNETLINK answers: File exists'), from('c')] })).toEqual([
    'a vxlan: not-run, a to b: RTNETLINK answers: File exists',
    'a full-size: not-run, a to b: RTNETLINK answers: File exists',
    'b vxlan: not-run, a to b: RTNETLINK answers: File exists',
    'b full-size: not-run, a to b: RTNETLINK answers: File exists',
    'c vxlan: passed',
    'c full-size: passed',
  ]);
});
