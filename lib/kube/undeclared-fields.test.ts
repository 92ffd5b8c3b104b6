import { expect, test } from 'vitest';
import { undeclaredFields } from './undeclared-fields.ts';

test.each([
  ['.spec.bfp: field not declared in schema', ['spec.bfp']],
  [
    'failed to create typed patch object (/default; operator.tigera.io/v1, Kind=Installation): errors:\n  .spec.a[0].b-c: field not declared in schema\n  .spec.d_e: field not declared in schema',
    ['spec.a[0].b-c', 'spec.d_e'],
  ],
  ['field not declared in schema', []],
  ['spec: field not declared in schema', []],
  ['.: field not declared in schema', []],
])('%j names %j', (message, fields) => {
  expect(undeclaredFields(message).map(({ field }) => field)).toEqual(fields);
});

test('a message of a megabyte of dots is looked through once', () => {
  const began = process.cpuUsage();
  expect(undeclaredFields('.'.repeat(1_000_000))).toEqual([]);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(5_000);
});
