import { expect, test } from 'vitest';
import { hostRules } from './host-rules.ts';

test.each<[string, readonly string[], readonly string[]]>([
  ['nobody', [], []],
  ['pods of IPv4', ['10.1.2.3/16'], ['ip saddr @pods-ip ip daddr != @pods-ip masquerade']],
  [
    'pods of both families',
    ['10.1.0.0/16', 'fd00::/64'],
    ['ip saddr @pods-ip ip daddr != @pods-ip masquerade', 'ip6 saddr @pods-ip6 ip6 daddr != @pods-ip6 masquerade'],
  ],
])('%s is masqueraded, and all that is no range is passed over', (_, ranges, rules) => {
  const text = hostRules([...ranges, '0.0.0.0/0; flush ruleset']);
  expect(text.split('\n').filter((line) => line.includes('masquerade'))).toEqual(rules.map((rule) => `    ${rule}`));
  expect(text).not.toContain('flush ruleset');
});

test('ranges are written as the kernel keeps them, all of a family in one set', () => {
  expect(hostRules(['10.1.2.3/16', '10.9.0.0/24'])).toContain('elements = { 10.1.0.0/16, 10.9.0.0/24 }');
});
