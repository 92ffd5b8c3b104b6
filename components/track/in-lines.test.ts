import { expect, test } from 'vitest';
import { inLines } from './in-lines.ts';

test.each([
  ['Switch 6 nodes to eBPF', 22, ['Switch 6 nodes to eBPF']],
  ['API endpoint for the data plane', 20, ['API endpoint for', 'the data plane']],
  [
    "Tell Calico the API server's real address, api.example port 6443",
    22,
    ['Tell Calico the API', "server's real address,", 'api.example port 6443'],
  ],
  [
    'Wait until Calico uses this address on all 5,000 nodes of the cluster',
    17,
    ['Wait until Calico', 'uses this address', 'on all 5,000…'],
  ],
  ['Kubernetes-services-endpoint', 10, ['Kubernete…']],
  ['one two three four, api.sandbox.example', 10, ['one two', 'three', 'four…']],
  ['', 10, []],
])('%s in lines of %d', (text, longest, lines) => {
  expect(inLines(text, longest, 3)).toEqual(lines);
});
