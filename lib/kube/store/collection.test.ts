import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Collection } from './collection.ts';

const named = (key: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: key } });

/** Keys, each with whether it is written or taken out. */
const writes = fc.array(fc.tuple(fc.constantFrom('a/1', 'a/10', 'a/2', 'b/1', '/c', 'ä/1', '/'), fc.boolean()), {
  maxLength: 30,
});

test('objects come by key, in whatever order they were written and taken out', () => {
  fc.assert(
    fc.property(writes, (all) => {
      const collection = new Collection();
      const kept = new Set<string>();
      for (const [key, stays] of all) {
        if (stays) collection.set(key, named(key));
        else collection.delete(key);
        if (stays) kept.add(key);
        else kept.delete(key);
        expect(collection.sorted().map(({ metadata }) => metadata.name)).toEqual([...kept].sort());
      }
    }),
  );
});
