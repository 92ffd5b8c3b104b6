import fc from 'fast-check';
import { expect, test } from 'vitest';
import { v3Uid } from './v3-uid.ts';

// calico.md §12: one computed, one of Calico's own test.
test.each([
  ['5d0c2a2a-9b1e-4f0e-8f4c-1b6f3a1c7e01', 'ba305454-d978-4f70-8f32-d8f65c387e80'],
  ['30316465-6365-4463-ad63-3564622d3638', '0c8c26a6-c6a6-44c6-adc6-ac2646b46c1c'],
])('%s is shown as %s, and back', (stored, shown) => {
  expect(v3Uid(stored)).toBe(shown);
  expect(v3Uid(shown)).toBe(stored);
});

test('it is its own inverse', () => {
  fc.assert(fc.property(fc.uuid(), (uid) => v3Uid(v3Uid(uid) ?? '') === uid));
});

test.each(['', 'default', '5d0c2a2a9b1e4f0e8f4c1b6f3a1c7e01', '5d0c2a2a-9b1e-4f0e-8f4c-1b6f3a1c7e0g'])(
  'no UUID, no UID: %j',
  (text) => {
    expect(v3Uid(text)).toBeNull();
  },
);
