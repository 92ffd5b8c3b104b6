import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'feature.waf';
const layer = { kind: 'ApplicationLayer', namespace: null, name: 'tigera-secure', detail: 'is Enabled' };

test('where nothing of it is in use it passes', () => {
  expect(find(id).status).toBe('pass');
});

test('what uses it is named', () => {
  const finding = find(id, { features: { waf: [layer] } });
  expect(finding).toMatchObject({ status: 'fail', severity: 'blocking', subjects: [layer] });
  expect(finding.because).toBe('1 object uses the web application firewall: ApplicationLayer tigera-secure.');
  const web = { kind: 'Namespace', namespace: null, name: 'web', detail: '3 pods' };
  expect(find(id, { features: { waf: [layer, web] } }).because).toMatch(/^2 objects /);
});

test('what could not be read is unknown, and one that was found is enough to fail', () => {
  expect(find(id, uncover(aFacts(), 'waf')).status).toBe('unknown');
  expect(find(id, uncover(aFacts({ features: { waf: [layer] } }), 'waf')).status).toBe('fail');
});
