/** Two nodes, of which one has two pods; and addresses in both families for what they serve. */
export const nodes = ['node1', 'node2'];
export const pods = [
  { pod: 'a', node: 'node1' },
  { pod: 'b', node: 'node1' },
  { pod: 'c', node: 'node2' },
];
export const families = ['v4', 'v6'] as const;
export const serviceAddress = { v4: '10.96.0.10', v6: 'fd96::10' } as const;
export const everyNode = { v4: '0.0.0.0', v6: '::' } as const;
