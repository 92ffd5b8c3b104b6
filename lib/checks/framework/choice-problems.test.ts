import { expect, test } from 'vitest';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, aNode, someChoices } from '../testing/a-facts.ts';
import { runAll } from '../testing/find.ts';
import { choiceProblems, idleFixes } from './choice-problems.ts';

const facts = aFacts({ nodes: [aNode({ kernel: '4.15.0' })], proxy: { mode: 'ipvs' }, pools: [] });

function problems(given: Partial<Choices>) {
  const choices = someChoices(given);
  return choiceProblems(choices, runAll(facts, choices)).map(({ code, message }) => `${code}: ${message}`);
}

test.each<[string, Partial<Choices>]>([
  ['nothing', {}],
  ['an unknown acknowledged', { acknowledge: { 'network.vxlan-between-nodes': 'open' } }],
  ['a pass acknowledged', { acknowledge: { 'feature.sctp': 'none here' } }],
  ['everything that was not measured, together', { acknowledge: { 'not-measured': 'seen elsewhere' } }],
  ["another goal's check acknowledged", { acknowledge: { 'proxy.can-come-back': 'yes' } }],
  ['a fix that exists', { fix: ['proxy.not-ipvs'] }],
  ['a fix of something that passes', { fix: ['install.felix-annotation'] }],
])('%s is fine', (_name, given) => {
  expect(problems(given)).toEqual([]);
});

test('a blocking fail cannot be accepted, and is named', () => {
  expect(problems({ acknowledge: { 'node.kernel': 'works for me' } })).toEqual([
    'acknowledge.blocking: acknowledge: "node.kernel" blocks and cannot be accepted; only warnings and unknowns can. The only node cannot run eBPF: worker-1 (4.15.0 on Ubuntu 24.04.1 LTS, 5.3 is needed).',
  ]);
});

test('an id that does not exist is named, with a guess', () => {
  expect(problems({ acknowledge: { 'nodes.kernel': 'x' }, fix: ['ipvs', 'nonsense'] })).toEqual([
    'acknowledge.unknown-check: acknowledge: there is no check "nodes.kernel". Did you mean node.kernel?',
    'fix.unknown-check: fix: there is no check "ipvs". Did you mean proxy.not-ipvs?',
    'fix.unknown-check: fix: there is no check "nonsense". `signalbox check --all` lists all ids.',
  ]);
});

test('a fail without a fix cannot be fixed by a plan', () => {
  expect(problems({ fix: ['node.kernel'] })).toEqual([
    'fix.no-mend: fix: "node.kernel" has no fix that a plan could hold. Upgrade the kernel of this node and restart it. Move the pods away before: `kubectl drain worker-1 --ignore-daemonsets`. Let pods in again afterwards: `kubectl uncordon worker-1`. Or replace it with a node whose image has a newer kernel. On a control plane node, this prints how a new node joins: `kubeadm token create --print-join-command`. Or remove it from the cluster once its pods are moved away: `kubectl delete node worker-1`. Check again.',
  ]);
});

test('names of built-in properties are ids that do not exist', () => {
  expect(problems({ acknowledge: { constructor: 'x' }, fix: ['__proto__'] })).toHaveLength(2);
});

test('a fix of what does not fail is told, whatever the plan makes of it', () => {
  const choices = someChoices({ fix: ['proxy.not-ipvs', 'install.felix-annotation', 'feature.sctp'] });
  expect(idleFixes(choices, runAll(facts, choices))).toEqual([
    'fix: "feature.sctp" has no failure to fix: this check passes.',
    'fix: "install.felix-annotation" has no failure to fix: this check passes.',
  ]);
});
