import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { calicoRulesIn, calicoRulesOfHost } from './foreign-rules.ts';

test.each([
  ['*filter\n:INPUT ACCEPT [0:0]\n:cali-INPUT - [0:0]\nCOMMIT\n', 'chain cali-INPUT'],
  ['table ip nat\ntable ip calico\n', 'table ip calico'],
  ['table inet calico\n', 'table inet calico'],
  ['*filter\n:INPUT ACCEPT [0:0]\n-A INPUT -m comment --comment ":cali-INPUT"\nCOMMIT\ntable ip calico-like\n', null],
  ['', null],
])('%j has of Calico: %s', (listing, expected) => {
  expect(calicoRulesIn(listing)).toBe(expected);
});

test.each([
  ['no command that lists rules', {}, 'Not verified that this host has no rules of Calico'],
  [
    'commands that refuse',
    { nft: 'exit 1', 'iptables-nft-save': 'exit 4' },
    'Not verified that this host has no rules of Calico',
  ],
  ['one that answers without a rule', { 'iptables-nft-save': 'exit 1', nft: 'exit 0' }, null],
  ['one that answers with a table', { nft: 'echo table ip calico' }, "This host has Calico's table ip calico (nft)"],
  ['one that breaks off after a chain', { 'iptables-nft-save': 'echo :cali-INPUT; exit 1' }, 'chain cali-INPUT'],
])('of a host with %s it tells what is known', async (_, commands, expected) => {
  const path = testFolder('rules');
  for (const [name, script] of Object.entries(commands))
    writeFileSync(join(path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const found = await calicoRulesOfHost(path);
  if (expected === null) expect(found).toBe(null);
  else expect(found).toContain(expected);
});
