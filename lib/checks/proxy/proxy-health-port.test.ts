import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'proxy.health-port';
const field = 'bpfKubeProxyHealthzPort';
const port = (value: unknown): Overrides<Facts> => ({
  resources: { objects: felix({ [field]: value }) },
});
const keepingProxy = { keepProxy: true };

test.each<[string, Overrides<Facts>, Partial<Choices>, string]>([
  ['the plan turns it off', {}, {}, 'pass'],
  ['kept, nothing set', {}, keepingProxy, 'fail'],
  ['kept, the same port set', port(10256), keepingProxy, 'fail'],
  ['kept, another port', port(10258), keepingProxy, 'pass'],
  ['kept, switched off from v3.32 on', port(0), keepingProxy, 'pass'],
  ['kept by Argo CD', { proxy: { managedBy: 'argocd' } }, {}, 'fail'],
  ['kept, before the field', { installation: { version: 'v3.29.3' } }, keepingProxy, 'skipped'],
  ['kept, with the field misspelt', { installation: { version: 'v3.30.4' } }, keepingProxy, 'skipped'],
  ['kept, with a version that is not known', { installation: { version: null } }, keepingProxy, 'fail'],
  ['it cannot be told whether it runs', { proxy: { kind: 'unknown', running: null } }, {}, 'unknown'],
])('%s', (_name, facts, choices, expected) => {
  const finding = find(id, facts, choices);
  expect([finding.status, finding.severity]).toEqual([expected, 'warning']);
});

test('the plan can fix it', () => {
  const finding = find(id, {}, { ...keepingProxy, fix: [id] });
  expect(finding.fixedBy).toBe('felix.options');
  expect(finding.because).toBe(
    'The service proxy still runs after the plan, because you chose to keep it, and bpfKubeProxyHealthzPort is not set, which means 10256: both want that port.',
  );
});

test('a FelixConfiguration that was not read does not matter where no proxy runs', () => {
  expect(find(id, uncover(aFacts(), 'felix')).status).toBe('pass');
  expect(find(id, uncover(aFacts(port(10258)), 'felix'), keepingProxy).status).toBe('unknown');
});
