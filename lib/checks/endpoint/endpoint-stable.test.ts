import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, aNode, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const three = { endpoint: { apiServers: ['10.0.0.1:6443', '10.0.0.2:6443', '10.0.0.3:6443'] } };
const onAws = { nodes: [aNode({ name: 'ip-10-0-0-1', addresses: ['10.0.0.1'], providerID: 'aws:///eu-1a/i-0abc' })] };

test.each<[string, Overrides<Facts>, string, string]>([
  ['a load balancer', three, '10.0.0.100', 'pass'],
  ['a name', three, 'api.example.com', 'pass'],
  ['one of three API servers', three, '10.0.0.2', 'fail'],
  [
    'one of three API servers, IPv6',
    { endpoint: { apiServers: ['[fd00::1]:6443', '[fd00::2]:6443'] } },
    'fd00:0::2',
    'fail',
  ],
  ['the only API server, on premises', {}, '10.0.0.1', 'pass'],
  ['the only API server, in a cloud', onAws, '10.0.0.1', 'fail'],
  [
    'the only API server, in kind',
    { nodes: [aNode({ addresses: ['10.0.0.1'], providerID: 'kind://docker/kind/kind-control-plane' })] },
    '10.0.0.1',
    'pass',
  ],
])('%s', (_name, facts, host, expected) => {
  const finding = find('endpoint.stable', facts, { endpoint: { host, port: '6443' } });
  expect(finding.status).toBe(expected);
  expect(finding.severity).toBe('warning');
});

test('it says of how many it is one, and which cloud may change it', () => {
  const finding = find('endpoint.stable', { ...three, ...onAws }, { endpoint: { host: '10.0.0.1', port: '6443' } });
  expect(finding.because).toBe(
    'The chosen endpoint "10.0.0.1:6443" is only one of 3 API servers (10.0.0.1:6443, 10.0.0.2:6443 and 10.0.0.3:6443) and is the address of node ip-10-0-0-1, which AWS may change.',
  );
});

test('without the API servers it is unknown for an address and fine for a name', () => {
  const facts = uncover(aFacts({ endpoint: { apiServers: [] } }), 'apiServers');
  expect(find('endpoint.stable', facts).status).toBe('unknown');
  expect(find('endpoint.stable', facts, { endpoint: { host: 'api.example.com', port: '6443' } }).status).toBe('pass');
});
