import { expect, test } from 'vitest';
import { jsonPath } from './resource-argument.ts';

test('dots and slashes in a key are escaped for JSONPath', () => {
  expect(jsonPath(['metadata', 'annotations', 'operator.tigera.io/bpfEnabled'])).toBe(
    '{.metadata.annotations.operator\\.tigera\\.io\\/bpfEnabled}',
  );
});
