import { expect, test } from 'vitest';
import { contains, parseCidr } from './cidr.ts';

test.each([
  ['10.0.0.0/8', '10.1.0.0/16', true],
  ['10.1.0.0/16', '10.0.0.0/8', false],
  ['0.0.0.0/0', '192.168.0.0/16', true],
  ['::/0', '192.168.0.0/16', false],
  ['fd00::/8', 'fd00:10:244::/56', true],
])('%s contains %s: %s', (outer, inner, expected) => {
  const [left, right] = [parseCidr(outer), parseCidr(inner)];
  if (!left || !right) throw new Error('no range');
  expect(contains(left, right)).toBe(expected);
});

test.each(['10.0.0.0', '10.0.0.0/33', 'x/8', '', '10.0.0.0/8/8', '10.0.0/8'])('%o is no range', (text) => {
  expect(parseCidr(text)).toBeNull();
});
