import { expect, test } from 'vitest';
import { calicoRulesIn } from './foreign-rules.ts';

test.each([
  ['*filter\n:INPUT ACCEPT [0:0]\n:cali-INPUT - [0:0]\nCOMMIT\n', 'chain cali-INPUT'],
  ['table ip nat\ntable ip calico\n', 'table ip calico'],
  ['table inet calico\n', 'table inet calico'],
  ['*filter\n:INPUT ACCEPT [0:0]\n-A INPUT -m comment --comment ":cali-INPUT"\nCOMMIT\ntable ip calico-like\n', null],
  ['', null],
])('%j has of Calico: %s', (listing, expected) => {
  expect(calicoRulesIn(listing)).toBe(expected);
});
