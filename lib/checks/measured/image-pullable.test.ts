import { expect, test } from 'vitest';
import type { TestOutcome } from '#lib/kube/index.ts';
import { type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { aFacts, aNode } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const passed: TestOutcome = { kind: 'passed' };

test.each<[string, TestOutcome | null, string]>([
  ['nobody tested', null, 'skipped'],
  ['the node was not asked', { kind: 'not-run', because: 'no pod reported' }, 'skipped'],
  ['its images came', passed, 'pass'],
  ['one did not come', { kind: 'failed', because: 'mirror/calico/cni:v3.31.4: not found' }, 'fail'],
])('%s', (_what, images, status) => {
  const node = aNode();
  const tests = Object.fromEntries(nodeTestIds.map((id) => [id, passed])) as Record<NodeTest, TestOutcome>;
  const nodes = images === null ? null : [{ node: node.name, ms: 1, tests: { ...tests, images } }];
  const facts = aFacts({ nodes: [node], measured: nodes && { endpoint: null, nodes } });
  expect(find('image.pullable', facts).status).toBe(status);
});
