import { expect, test } from 'vitest';
import { firstLook } from './first-look.ts';

test.each([
  ['Node', null, 'w-3', 'kubectl --context prod get pods -n calico-system -o wide --field-selector spec.nodeName=w-3'],
  ['Pod', 'calico-system', 'calico-node-x', 'kubectl --context prod describe pod calico-node-x -n calico-system'],
  ['Pod', 'calico-system', 'x; rm -rf /', null],
  ['Pod', '$(id)', 'x', null],
  ['Something', null, 'x', null],
])('%s %s/%s: %s', (kind, namespace, name, command) => {
  expect(firstLook({ kind, namespace, name, detail: '' }, 'kubectl --context prod')).toBe(command);
});
