import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'feature.application-layer-policy';
const layer = { kind: 'ApplicationLayer', namespace: null, name: 'tigera-secure', detail: 'is Enabled' };

test('where nothing of it is in use it passes', () => {
  expect(find(id).status).toBe('pass');
});

test('what uses it is named', () => {
  const finding = find(id, { features: { applicationLayerPolicies: [layer] } });
  expect(finding).toMatchObject({ status: 'fail', severity: 'blocking', subjects: [layer] });
  expect(finding.because).toBe('1 object uses application layer policy: ApplicationLayer tigera-secure.');
  const web = { kind: 'Namespace', namespace: null, name: 'web', detail: '3 pods' };
  expect(find(id, { features: { applicationLayerPolicies: [layer, web] } }).because).toMatch(/^2 objects /);
});

test('what could not be read is unknown, and one that was found is enough to fail', () => {
  expect(find(id, uncover(aFacts(), 'applicationLayerPolicies')).status).toBe('unknown');
  expect(
    find(id, uncover(aFacts({ features: { applicationLayerPolicies: [layer] } }), 'applicationLayerPolicies')).status,
  ).toBe('fail');
});
