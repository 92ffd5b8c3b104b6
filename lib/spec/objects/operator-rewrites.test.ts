import { expect, test } from 'vitest';
import { rewrittenByOperator } from './operator-rewrites.ts';

test.each([
  ['Installation', ['spec', 'calicoNetwork', 'hostPorts'], 'present', true],
  ['Installation', ['spec', 'calicoNetwork', 'linuxDataplane'], 'present', false],
  ['Installation', ['spec', 'calicoNetwork', 'linuxDataplane'], 'absent', true],
  ['Installation', ['spec', 'cni', 'type'], 'absent', true],
  ['Installation', ['spec', 'registry'], 'absent', false],
  ['FelixConfiguration', ['spec', 'nftablesMode'], 'present', true],
  ['FelixConfiguration', ['spec', 'bpfKubeProxyIptablesCleanupEnabled'], 'absent', false],
  ['ConfigMap', ['spec', 'nftablesMode'], 'present', false],
] as const)('%s %j, %s: %s', (kind, path, value, expected) => {
  expect(rewrittenByOperator(kind, path, value)).toBe(expected);
});
