import { expect, test } from 'vitest';
import { labelsOfOthers } from './service-entries.ts';
import { aService, aSlice } from './testing/objects.ts';
import { trimmedService, trimmedSlice } from './trimmed.ts';

test('of a Service neither labels nor annotations nor the selector are held, but for what says whose it is', () => {
  const whose = { 'service.kubernetes.io/service-proxy-name': 'other' };
  const metadata = { namespace: 'shop', name: 'web', labels: { app: 'web', ...whose }, annotations: { note: 'long' } };
  const given = aService({ selector: { app: 'web' } }, { metadata });
  const trimmed = trimmedService(given, labelsOfOthers);
  expect(trimmed.metadata).toMatchObject({ name: 'web', labels: whose, annotations: {} });
  expect(trimmed.metadata.labels).not.toHaveProperty('app');
  expect(trimmed.spec).toEqual({ ...given.spec, selector: {} });
});

test('endpoints of all slices share one record of the same conditions, and of no hints; what they say stays', () => {
  const ready = { ready: true, serving: true, terminating: false };
  const hints = { forZones: [{ name: 'a' }] };
  const given = [
    aSlice([{ addresses: ['10.0.0.1'], conditions: ready }]),
    aSlice(['10.0.0.2', { conditions: ready, hints }]),
  ];
  const [one, other] = given.map(trimmedSlice);
  expect(other?.endpoints).toEqual(given[1]?.endpoints);
  expect(other?.endpoints[1]?.conditions).toBe(one?.endpoints[0]?.conditions);
  expect(other?.endpoints[0]?.hints).toBe(one?.endpoints[0]?.hints);
  expect(other).not.toHaveProperty('metadata');
});
