import { expect, test } from 'vitest';
import { unsupportedFeatures } from './features.ts';
import { parseRelease } from './releases/versions.ts';

test('every row has its source, the date it was read, and versions that can be compared', () => {
  for (const { check, title, note, source, read, since, until } of unsupportedFeatures) {
    expect(source, check).toMatch(/^spec › Limits/);
    expect(read, check).toMatch(/^2026-\d\d-\d\d$/);
    expect(title.length * note.length, check).toBeGreaterThan(0);
    for (const version of [since, until]) if (version !== null) expect(parseRelease(version), check).not.toBeNull();
  }
});

test('one row for each check', () => {
  const checks = unsupportedFeatures.map(({ check }) => check);
  expect(new Set(checks).size).toBe(checks.length);
});
