import { expect, test } from 'vitest';
import { names, resources } from '#lib/spec/index.ts';
import { openSandbox } from './open.ts';

const operator = {
  resource: resources.deployments,
  namespace: names.operatorNamespace,
  name: names.operatorDeployment,
};

test('an upgrade and its rollback each write a revision, and put the operator of that release in place', async () => {
  const { kube, close } = await openSandbox('calico-helm-3.30', { speed: 'instant' });
  const where = ['--namespace', names.operatorNamespace];
  const image = async () => JSON.stringify(await kube.get(operator)).match(/operator:(v[\d.]+)/)?.[1];
  const before = await image();
  await kube.helm?.(['upgrade', 'calico', 'projectcalico/tigera-operator', ...where, '--version', 'v3.31.4']);
  expect(await image()).toBe('v1.40.7');
  await kube.helm?.(['rollback', 'calico', '1', ...where]);
  expect(await image()).toBe(before);
  const states: unknown[] = [];
  for await (const { items } of kube.list(resources.secrets, { labelSelector: 'owner=helm' }))
    for (const { metadata } of items) states.push([metadata.labels?.version, metadata.labels?.status]);
  expect(states).toEqual([
    ['1', 'superseded'],
    ['2', 'superseded'],
    ['3', 'deployed'],
  ]);
  await expect(kube.helm?.(['upgrade', 'other', 'x', ...where])).rejects.toThrow('release: not found');
  await close();
});
