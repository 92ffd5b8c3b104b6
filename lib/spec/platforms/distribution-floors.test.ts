import { expect, test } from 'vitest';
import { parseRelease } from '../releases/versions.ts';
import { distributionFloors, distributionVerdict } from './distribution-floors.ts';

test('every floor says where it is from and when that was read', () => {
  for (const row of distributionFloors) {
    expect(row.source).toMatch(/\S/);
    expect(row.read).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(parseRelease(row.floor)).not.toBeNull();
  }
});

test.each(['debian', 'amzn', 'sles', 'scos', 'fedora', 'rhcos', 'talos', 'bottlerocket', 'flatcar'])(
  '%s has the rule of its kernel only',
  (id) => {
    expect(distributionVerdict({ distribution: { id, version: '1' }, kernel: '6.6.52' }, 'generic')).toBeNull();
  },
);
