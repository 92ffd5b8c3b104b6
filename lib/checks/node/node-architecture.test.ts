import { expect, test } from 'vitest';
import { aNode } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

test.each([
  ['amd64', 'pass'],
  ['arm64', 'pass'],
  ['s390x', 'fail'],
  ['ppc64le', 'fail'],
  ['arm', 'fail'],
  ['', 'unknown'],
])('%s: %s', (architecture, expected) => {
  expect(find('node.architecture', { nodes: [aNode(), aNode({ name: 'other', architecture })] }).status).toBe(expected);
});

test('it names the node and its architecture', () => {
  const finding = find('node.architecture', { nodes: [aNode(), aNode({ name: 'mainframe', architecture: 's390x' })] });
  expect(subjectLines(finding)).toEqual(['Node mainframe: "s390x", amd64 or arm64 is needed']);
});
