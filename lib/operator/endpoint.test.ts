import { describe, expect, test } from 'vitest';
import { endpointMemory, endpointOf } from './endpoint.ts';
import { quirksOf } from './quirks.ts';
import { endpointConfigMap } from './testing/stage.ts';

const injected = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
const clusterIp = { host: '10.96.0.1', port: '443' };
const told = { host: 'api.lab.example', port: '6443' };
const configMap = endpointConfigMap('api.lab.example');

test('a ConfigMap without a host or a port says nothing', () => {
  expect(endpointOf({ ...configMap, data: { KUBERNETES_SERVICE_HOST: 'x' } })).toBeNull();
  expect(endpointOf({ ...configMap, data: {} })).toBeNull();
});

describe.each(['v3.31.4', 'signalbox'] as const)('%s', (like) => {
  const quirks = quirksOf(like);
  test('the ConfigMap wins over what the kubelet injects', () => {
    expect(endpointMemory(injected, null, quirks).read(configMap)).toEqual(told);
    expect(endpointMemory(injected, null, quirks).read(null)).toEqual(clusterIp);
    expect(endpointMemory({}, null, quirks).read(null)).toBeNull();
  });
  test('after its deletion', () => {
    const memory = endpointMemory(injected, null, quirks);
    memory.read(configMap);
    expect(memory.read(null)).toEqual(like === 'signalbox' ? clusterIp : told);
  });
  test('a new process has forgotten it', () => {
    expect(endpointMemory(injected, null, quirks).read(null)).toEqual(clusterIp);
  });
});

test('the public one started with the ConfigMap keeps it as its own environment', () => {
  expect(endpointMemory(injected, configMap, quirksOf('v3.31.4')).read(null)).toEqual(told);
  expect(endpointMemory(injected, configMap, quirksOf('signalbox')).read(null)).toEqual(clusterIp);
});
