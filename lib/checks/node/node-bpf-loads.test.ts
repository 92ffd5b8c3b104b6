import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'node.bpf-loads';

test('it is unknown until a pod on each node has tried, and says how', () => {
  const nodes = [aNode(), aNode({ name: 'worker-2' }), aNode({ name: 'worker-3', kernel: '6.1.0-26-arm64' })];
  expect(find(id, { nodes })).toMatchObject({
    status: 'unknown',
    severity: 'blocking',
    because: 'Not tested: 2 kernels on 3 nodes would have to take the programs of the release.',
    notMeasured:
      'A pod on each node will ask its kernel for every feature of the programs. It loads none: the run proves them on every node before the service proxy goes.',
  });
});

test('without the nodes it is another question, which no word about measurements answers', () => {
  const finding = find(id, uncover(aFacts(), 'nodes'), { acknowledge: { 'not-measured': 'seen elsewhere' } });
  expect(finding).toMatchObject({ status: 'unknown', notMeasured: null, acknowledged: null });
});
