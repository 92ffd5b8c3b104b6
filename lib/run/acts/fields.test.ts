import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeHolds, pathText, sameJson } from './fields.ts';

test('paths are told as people write them', () => {
  expect(pathText(['spec', 'template', 'metadata', 'annotations', 'signalbox.dev/endpoint-hash'])).toBe(
    "spec.template.metadata.annotations['signalbox.dev/endpoint-hash']",
  );
});

test('a merge patch that was carried out changes nothing more', () => {
  const apply = (target: unknown, patch: unknown): unknown => {
    if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
    const result: Record<string, unknown> =
      target !== null && typeof target === 'object' && !Array.isArray(target) ? { ...target } : {};
    for (const [key, value] of Object.entries(patch)) {
      if (value === null) delete result[key];
      else result[key] = apply(result[key], value);
    }
    return result;
  };
  const body = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  fc.assert(
    fc.property(body, body, (object, patch) => {
      expect(mergeHolds(apply(object, patch), patch)).toBe(true);
    }),
  );
});

test('equality does not depend on the order of keys', () => {
  expect(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(sameJson([1, 2], [2, 1])).toBe(false);
  expect(sameJson({ a: undefined }, {})).toBe(true);
  expect(sameJson({}, [])).toBe(false);
});
