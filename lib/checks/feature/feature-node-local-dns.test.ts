import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'feature.node-local-dns';
const cache = {
  kind: 'DaemonSet',
  namespace: 'kube-system',
  name: 'node-local-dns',
  detail: 'k8s-dns-node-cache:1.23.0',
};
const kubeDns = (annotations: Record<string, string>) => ({
  'kube-system/Service/kube-dns': {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kube-dns', namespace: 'kube-system', annotations },
  },
});
const marked = kubeDns({ 'projectcalico.org/natExcludeService': 'true' });
const running = (objects: object, version = 'v3.31.4') => ({
  features: { nodeLocalDns: [cache] },
  installation: { version },
  resources: { objects },
});

test.each([
  [kubeDns({}), 'v3.31.4', 'fail', 'service.nat-exclude'],
  [kubeDns({ 'projectcalico.org/natExcludeService': 'false' }), 'v3.31.4', 'fail', 'service.nat-exclude'],
  [marked, 'v3.31.4', 'pass', 'service.nat-exclude'],
  [marked, 'v3.27.5', 'fail', undefined],
  [kubeDns({}), 'v3.27.5', 'fail', undefined],
  [{ 'kube-system/Service/kube-dns': null }, 'v3.31.4', 'fail', undefined],
])('with Service %o and %s: %s, fixed by %s', (objects, version, status, autofix) => {
  const finding = find(id, running(objects, version));
  expect(finding).toMatchObject({ status, severity: 'blocking' });
  expect(finding.remedy.autofix).toBe(autofix);
});

test('the cache is named', () => {
  expect(find(id, running(kubeDns({})))).toMatchObject({
    because:
      'NodeLocal DNSCache runs (kube-system/node-local-dns), and Service kube-system/kube-dns does not carry the annotation for it.',
    subjects: [cache],
  });
});

test('without a cache it passes, whatever else is known', () => {
  expect(find(id, uncover(aFacts(), 'installation')).status).toBe('pass');
  expect(find(id, uncover(aFacts(), 'nodeLocalDns')).status).toBe('unknown');
});

test('a mark is worth nothing where the release is not known', () => {
  expect(find(id, { ...running(marked), installation: { version: null } }).status).toBe('unknown');
  expect(find(id, running(marked), { goal: 'install' }).status).toBe('pass');
  expect(find(id, uncover(aFacts(running(marked) as never), 'nodeLocalDns')).status).toBe('unknown');
});
