import { expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import type { MissingRule } from '../error.ts';
import { type AccessRule, mayDo } from './access.ts';
import { createStore } from './index.ts';

const user = (...rules: AccessRule[]) => ({ name: 'eve', rules });
const getPods: MissingRule = { verb: 'get', group: '', resource: 'pods', namespace: 'a', name: 'p' };

test.each<[string, AccessRule, MissingRule, boolean]>([
  ['the rule itself', { verbs: ['get'], groups: [''], resources: ['pods'] }, getPods, true],
  ['another verb', { verbs: ['list'], groups: [''], resources: ['pods'] }, getPods, false],
  ['another group', { verbs: ['get'], groups: ['apps'], resources: ['pods'] }, getPods, false],
  ['everything', { verbs: ['*'], groups: ['*'], resources: ['*'] }, getPods, true],
  ['another namespace', { verbs: ['get'], groups: [''], resources: ['pods'], namespaces: ['b'] }, getPods, false],
  ['a named object', { verbs: ['get'], groups: [''], resources: ['pods'], names: ['p'] }, getPods, true],
  [
    'pods are not their logs',
    { verbs: ['get'], groups: [''], resources: ['pods'] },
    { ...getPods, subresource: 'log' },
    false,
  ],
  ['logs by name', { verbs: ['get'], groups: [''], resources: ['pods/log'] }, { ...getPods, subresource: 'log' }, true],
  [
    'one namespace is not the whole cluster',
    { verbs: ['list'], groups: [''], resources: ['pods'], namespaces: ['a'] },
    { verb: 'list', group: '', resource: 'pods' },
    false,
  ],
])('%s', (_, rule, wanted, expected) => {
  expect(mayDo(user(rule), wanted)).toBe(expected);
});

test('a refusal says what is missing in the words of the server', async () => {
  const weak = createStore({ name: 'test', source: 'sandbox' }).as(user());
  await expect(
    weak.get({ resource: resources.daemonSets, namespace: 'kube-system', name: 'kube-proxy' }),
  ).rejects.toThrow(
    'daemonsets.apps "kube-proxy" is forbidden: User "eve" cannot get resource "daemonsets" in API group "apps" in the namespace "kube-system"',
  );
});

test('an apply that creates needs the right to create', async () => {
  const weak = createStore({ name: 'test', source: 'sandbox' }).as(
    user({ verbs: ['patch'], groups: [''], resources: ['configmaps'] }),
  );
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };
  await expect(weak.apply(resources.configMaps, object)).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { verb: 'create' } },
  });
});

test('everybody may ask what they may do', async () => {
  const rule = { verb: 'get', group: '', resource: 'pods' };
  const weak = createStore({ name: 'test', source: 'sandbox' }).as(user());
  expect(await weak.allowed([rule])).toEqual([{ ...rule, allowed: false }]);
});
