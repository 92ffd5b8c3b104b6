import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergePatch } from '#lib/base/records.ts';
import { mergeHolds, pathText } from './fields.ts';

test('paths are told as people write them', () => {
  expect(pathText(['spec', 'template', 'metadata', 'annotations', 'signalbox.dev/endpoint-hash'])).toBe(
    "spec.template.metadata.annotations['signalbox.dev/endpoint-hash']",
  );
});

test('a merge patch that was carried out changes nothing more', () => {
  const body = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  fc.assert(
    fc.property(body, body, (object, patch) => {
      expect(mergeHolds(mergePatch(object, patch), patch)).toBe(true);
    }),
  );
});
