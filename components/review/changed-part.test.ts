import { expect, test } from 'vitest';
import { changedPart } from './changed-part.ts';

test.each([
  ['    linuxDataplane: Iptables', '    linuxDataplane: BPF', 'Iptables'],
  ['    linuxDataplane: BPF', '    linuxDataplane: Iptables', 'BPF'],
  ['  port: "6443"', '  port: "443"', '6443'],
  ['  hostPorts: Enabled', '  ipPools:', null],
  ['same', 'same', null],
])('%s beside %s: %s', (line, other, marked) => {
  const part = changedPart(line, other);
  expect(part && line.slice(part.from, part.to)).toBe(marked);
});
