import { expect, test } from 'vitest';
import { find } from '../testing/find.ts';

const form = (host: string, port = '6443') => find('endpoint.form', {}, { endpoint: { host, port } });

test.each([
  ['api.example.com', '6443'],
  ['api.example.com.', '443'],
  ['API.Example.com', '6443'],
  ['k8s', '6443'],
  ['10.0.0.100', '1'],
  ['fd00::1', '65535'],
  ['xn--bcher-kva.example', '6443'],
  ['2130706433.example.com', '6443'],
])('%s and %s are well formed', (host, port) => {
  expect(form(host, port).status).toBe('pass');
});

test.each([
  [
    'https://10.0.0.100:6443/',
    'it is a URL, a host name or an IP address is needed (here: 10.0.0.100, and 6443 as the port)',
  ],
  [
    'https://api.example.com',
    'it is a URL, a host name or an IP address is needed (here: api.example.com, and 443 as the port)',
  ],
  [
    '10.0.0.100:6443',
    'it carries the port, a host name or an IP address is needed (here: 10.0.0.100, and 6443 as the port)',
  ],
  ['[fd00::1]', 'it is in brackets, a host name or an IP address is needed (here: fd00::1)'],
  ['[fd00::1]:6443', 'it is in brackets, a host name or an IP address is needed (here: fd00::1, and 6443 as the port)'],
  ['api.example.com/healthz', 'it has a path, a host name or an IP address is needed (here: api.example.com)'],
  [' api.example.com', 'it has white space around it, a host name or an IP address is needed (here: api.example.com)'],
  ['', 'it is empty, a host name or an IP address is needed'],
  ['10.0.0.256', 'it is not a whole IPv4 address, a host name or an IP address is needed'],
  ['10.0.0', 'it is not a whole IPv4 address, a host name or an IP address is needed'],
  [
    'fe80::1%eth0',
    'an address with a zone means something on one machine only, a host name or an IP address is needed',
  ],
  ['api_server.example.com', 'it is neither a host name nor an IP address, a host name or an IP address is needed'],
  ['bücher.example', 'it is neither a host name nor an IP address, a host name or an IP address is needed'],
  ['-api.example.com', 'it is neither a host name nor an IP address, a host name or an IP address is needed'],
  ['a..b', 'it is neither a host name nor an IP address, a host name or an IP address is needed'],
  [`${'a'.repeat(64)}.com`, 'it is neither a host name nor an IP address, a host name or an IP address is needed'],
])('host "%s": %s', (host, expected) => {
  const finding = form(host);
  expect(finding.status).toBe('fail');
  expect(finding.because).toContain(expected);
});

test.each(['', '0', '65536', '99999', '06443', '-1', '6443/', '6443 ', '٦٤٤٣', 'https', '6.443e3'])(
  'port "%s" is refused',
  (port) => {
    expect(form('api.example.com', port).status).toBe('fail');
  },
);

test('the host of a ConfigMap in a hostile cluster is shown with its control characters as escapes', () => {
  const { because } = find(
    'endpoint.form',
    { endpoint: { configMap: { namespace: 'tigera-operator', host: 'a\u001b[2Jb\u202ec', port: '6443' } } },
    { endpoint: undefined },
  );
  expect(because).toContain('host "a\\u001b[2Jb\\u202ec"');
});

test('a proposal that is well formed is not accepted yet', () => {
  const suggested = { host: 'api.example.com', port: 6443, because: 'it is there', doubts: [] };
  const proposed = (acceptProposals: boolean) =>
    find('endpoint.form', { endpoint: { suggested } }, { endpoint: undefined, acceptProposals });
  expect(proposed(false).status).toBe('unknown');
  expect(proposed(false).because).toBe('The proposed endpoint "api.example.com:6443" is not accepted yet.');
  expect(proposed(true).status).toBe('pass');
});
