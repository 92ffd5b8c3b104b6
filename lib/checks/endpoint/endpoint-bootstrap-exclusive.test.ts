import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { installation } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const on = { resources: { objects: installation({ calicoNetwork: { bpfNetworkBootstrap: 'Enabled' } }) } };
const configMap = { namespace: 'tigera-operator', host: '', port: '' };

test.each<[string, Overrides<Facts>, Partial<Choices>, string]>([
  ['off', { endpoint: { configMap } }, {}, 'pass'],
  ['on alone', on, { endpoint: undefined }, 'pass'],
  ['on, with the ConfigMap, even an empty one', { ...on, endpoint: { configMap } }, { endpoint: undefined }, 'fail'],
  ['on, with an endpoint chosen', on, {}, 'fail'],
  [
    'automatic mode chosen, with the ConfigMap',
    { endpoint: { configMap } },
    { automatic: true, endpoint: undefined },
    'fail',
  ],
  ['automatic mode and an endpoint, both chosen', {}, { automatic: true }, 'fail'],
])('%s', (_name, facts, choices, expected) => {
  expect(find('endpoint.bootstrap-exclusive', facts, choices).status).toBe(expected);
});

test('automatic mode, chosen, passes only where the release that runs is known', () => {
  const automatic = { automatic: true, endpoint: undefined };
  const facts = aFacts();
  expect(find('endpoint.bootstrap-exclusive', facts, automatic).status).toBe('pass');
  expect(find('endpoint.bootstrap-exclusive', uncover(facts, 'installation'), automatic).status).toBe('unknown');
  expect(find('endpoint.bootstrap-exclusive', { installation: { version: null } }, automatic).status).toBe('unknown');
});

test('off is enough to pass; an Installation that could not be read is unknown', () => {
  expect(find('endpoint.bootstrap-exclusive', uncover(aFacts(), 'endpointConfigMaps')).status).toBe('pass');
  expect(find('endpoint.bootstrap-exclusive', uncover(aFacts(), 'installation')).status).toBe('unknown');
});

test('an Installation that was not read is unknown, though the operator is known to be there', () => {
  const { 'Installation/default': _unread, ...objects } = aFacts().resources.objects;
  const facts = aFacts({ endpoint: { configMap } });
  const without = { ...facts, resources: { ...facts.resources, objects } };
  expect(find('endpoint.bootstrap-exclusive', without).status).toBe('unknown');
});

test.each<[Partial<Choices>, string | null, string]>([
  [{ goal: 'install', release: 'v3.30.7' }, null, 'fail'],
  [{ goal: 'install', release: 'v3.31.4' }, null, 'pass'],
  [{ goal: 'enable' }, 'v3.30.7', 'fail'],
  [{ goal: 'enable' }, 'v3.31.4', 'pass'],
])('automatic mode and %o on %s: %s', (choices, version, expected) => {
  const chosen = { ...choices, automatic: true, endpoint: undefined };
  expect(find('endpoint.bootstrap-exclusive', { installation: { version } }, chosen).status).toBe(expected);
});
