import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const service = { kind: 'Service', namespace: 'telco', name: 'amf', detail: 'port 38412 is SCTP' };
const policy = { kind: 'NetworkPolicy', namespace: 'telco', name: 'allow-amf', detail: 'an ingress port is SCTP' };

test('nothing that uses it passes', () => {
  expect(find('feature.sctp').status).toBe('pass');
});

test('Services and policies that use it are all named', () => {
  const finding = find('feature.sctp', { features: { sctp: [service, policy] } });
  expect(finding).toMatchObject({ status: 'fail', severity: 'blocking', subjects: [service, policy] });
  expect(finding.because).toBe('2 objects use SCTP: Service telco/amf and NetworkPolicy telco/allow-amf.');
});

test('what could not be read is unknown', () => {
  expect(find('feature.sctp', uncover(aFacts(), 'sctp')).status).toBe('unknown');
});
