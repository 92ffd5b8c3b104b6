import { expect, test } from 'vitest';
import { refusedChoice } from './refused-choice.ts';

const set = { 'calicoNetwork.bgp': 'Enabled', 'calicoNetwork.mtu': 'none', 'calicoNetwork.hostPorts': 'Enabled' };
const rule = { field: 'spec.calicoNetwork', message: 'Invalid value: "object": must be an object that is valid' };
const type = { field: 'spec.calicoNetwork.mtu', message: 'Invalid value: "string": must be of type integer' };

test.each([
  ['the field itself, whatever was set before it', [type], '"calicoNetwork.mtu" is refused by the API server: Inv'],
  ['the field itself, after a rule of its parent', [rule, type], '"calicoNetwork.mtu" is refused'],
  [
    'a field that the rule of its parent names',
    [{ ...rule, message: 'Invalid value: "object": hostPorts needs Iptables' }],
    '"calicoNetwork.hostPorts" is refused by the API server: Invalid value: "object": hostPorts needs Iptables',
  ],
  [
    'each field of a parent whose rule names none',
    [rule],
    '"calicoNetwork.bgp", "calicoNetwork.mtu" or "calicoNetwork.hostPorts" is refused',
  ],
])('a refusal blames %s', (_what, refused, says) => {
  expect(refusedChoice(refused, set)?.message.slice('set: '.length)).toMatch(new RegExp(`^${says}`));
});

test('a refusal of an entry blames the list that was set, not the parent of both', () => {
  const refused = [{ field: 'spec.calicoNetwork.ipPools[0].cidr', message: 'Invalid value' }];
  const chosen = { calicoNetwork: {}, 'calicoNetwork.ipPools': [] };
  expect(refusedChoice(refused, chosen)?.path).toEqual(['set', 'calicoNetwork.ipPools']);
});

test('an unknown field is named with all that was set in it', () => {
  const refused = [{ field: 'spec.foo', message: 'unknown field' }];
  expect(refusedChoice(refused, { 'foo.a': 1, 'foo.b': 2, food: 3 })?.message).toBe(
    'set: "foo.a" and "foo.b" are not fields of the Installation on this cluster.',
  );
});

test('a field that was not chosen is no fault of a choice', () => {
  expect(refusedChoice([{ field: 'spec.variant', message: 'Unsupported value' }], set)).toBeNull();
  expect(refusedChoice([{ field: 'spec.calicoNetwork.mtus', message: 'unknown field' }], set)).toBeNull();
  expect(refusedChoice([type], undefined)).toBeNull();
});
