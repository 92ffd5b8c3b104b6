import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

const right = { namespace: 'tigera-operator', host: '10.0.0.100', port: '6443' };
const stray = { namespace: 'kube-system', host: '10.0.0.100', port: '6443' };
const open: Partial<Choices> = { endpoint: undefined };

test.each<[string, Overrides<Facts>, string, string]>([
  ['where it is read', { endpoint: { configMap: right } }, 'pass', 'blocking'],
  ['nowhere', {}, 'pass', 'blocking'],
  ['only where nobody reads it', { endpoint: { strays: [stray] } }, 'fail', 'blocking'],
  ['there, and a stray one beside it', { endpoint: { configMap: right, strays: [stray] } }, 'fail', 'warning'],
  ['there without its keys', { endpoint: { configMap: { ...right, host: '', port: '' } } }, 'fail', 'blocking'],
])('%s', (_name, facts, status, severity) => {
  expect(find('endpoint.namespace', facts, open)).toMatchObject({ status, severity });
});

test('it names both namespaces', () => {
  const finding = find('endpoint.namespace', { endpoint: { strays: [stray] } }, open);
  expect(finding.because).toBe(
    'The ConfigMap kubernetes-services-endpoint is read in tigera-operator and is not there; it is in kube-system.',
  );
  expect(subjectLines(finding)).toEqual([
    'ConfigMap kube-system/kubernetes-services-endpoint: holds "10.0.0.100:6443" in a namespace where it is not read',
  ]);
});

test('it names the keys that are there instead', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kubernetes-services-endpoint' },
    data: { API_HOST: 'x' },
  };
  const facts = aFacts({
    endpoint: { configMap: { ...right, host: '', port: '' } },
    resources: { objects: { 'tigera-operator/ConfigMap/kubernetes-services-endpoint': object } },
  });
  expect(find('endpoint.namespace', facts, open).because).toBe(
    'The ConfigMap tigera-operator/kubernetes-services-endpoint does not hold KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT; it has "API_HOST" instead.',
  );
});

test('with an endpoint chosen, the plan can fix it', () => {
  const facts: Overrides<Facts> = { endpoint: { strays: [stray] } };
  expect(find('endpoint.namespace', facts).remedy.autofix).toBe('endpoint.configmap');
  expect(find('endpoint.namespace', facts, open).remedy.autofix).toBeUndefined();
  expect(find('endpoint.namespace', facts, { fix: ['endpoint.namespace'] }).fixedBy).toBe('endpoint.configmap');
});

test('without ConfigMaps to read it is unknown', () => {
  expect(find('endpoint.namespace', uncover(aFacts(), 'endpointConfigMaps'), open).status).toBe('unknown');
});
