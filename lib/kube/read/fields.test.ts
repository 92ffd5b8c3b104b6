import { expect, test } from 'vitest';
import { writtenAt } from './fields.ts';

test('a field was written when its latest owner says', () => {
  const object = {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: {
      managedFields: [
        { manager: 'operator', time: '2026-11-21T05:00:00Z', fieldsV1: { 'f:spec': { 'f:bpfEnabled': {} } } },
        { manager: 'kubectl', time: '2026-11-21T06:00:00Z', fieldsV1: { 'f:spec': { 'f:healthPort': {} } } },
        { manager: 'signalbox', time: '2026-11-21T05:30:00Z', fieldsV1: { 'f:spec': { 'f:bpfEnabled': {} } } },
      ],
    },
  };
  expect(writtenAt(object, ['spec', 'bpfEnabled'])).toBe(Date.parse('2026-11-21T05:30:00Z'));
  expect(writtenAt(object, ['spec', 'nftablesMode'])).toBeNull();
});
