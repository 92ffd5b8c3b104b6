import { expect, test } from 'vitest';
import { endpointMemory, endpointOf } from './endpoint.ts';
import { endpointConfigMap } from './testing/stage.ts';

const injected = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
const clusterIp = { host: '10.96.0.1', port: '443' };
const endpoint = { host: 'api.lab.example', port: '6443' };
const configMap = endpointConfigMap('api.lab.example');

test('a ConfigMap without a host or a port says nothing', () => {
  expect(endpointOf({ ...configMap, data: { KUBERNETES_SERVICE_HOST: 'x' } })).toBeNull();
  expect(endpointOf({ ...configMap, data: {} })).toBeNull();
});

test('the ConfigMap wins over what the kubelet injects', () => {
  expect(endpointMemory(injected, null).read(configMap)).toEqual(endpoint);
  expect(endpointMemory(injected, null).read(null)).toEqual(clusterIp);
  expect(endpointMemory({}, null).read(null)).toBeNull();
});

test('after its deletion it stays in memory', () => {
  const memory = endpointMemory(injected, null);
  memory.read(configMap);
  expect(memory.read(null)).toEqual(endpoint);
});

test('a process that started with the ConfigMap keeps it as its own environment', () => {
  expect(endpointMemory(injected, configMap).read(null)).toEqual(endpoint);
});
