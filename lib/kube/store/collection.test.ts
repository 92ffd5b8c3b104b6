import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Collection, keyOf } from './collection.ts';

const named = (namespace: string | undefined, name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

/** `a-b/1` comes before `a/1`, and `a` before `a-b`. */
const object = fc
  .tuple(fc.constantFrom(undefined, 'a', 'a-b', 'b', 'ä'), fc.constantFrom('1', '10', '2', 'b/1', ''))
  .map(([namespace, name]) => named(namespace, name));

const changes = fc.array(fc.tuple(object, fc.constantFrom('load', 'load', 'set', 'delete', 'look')), { maxLength: 30 });

test('objects come by key, in whatever order they were loaded, written, taken out and looked at', () => {
  fc.assert(
    fc.property(changes, fc.boolean(), (all, asListed) => {
      const collection = new Collection();
      const expected = new Map<string, unknown>();
      const looks: [shown: readonly unknown[], as: unknown[]][] = [];
      const inOrder = () => [...expected].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
      const keyOfOne = ({ metadata: { namespace, name } }: ReturnType<typeof named>) => keyOf(namespace, name);
      const given = asListed ? all.toSorted(([one], [other]) => (keyOfOne(one) < keyOfOne(other) ? -1 : 1)) : all;
      for (const [one, change] of given) {
        const key = keyOfOne(one);
        if (change === 'load') collection.load(one);
        if (change === 'set') collection.set(key, one);
        if (change === 'load' || change === 'set') expected.set(key, one);
        if (change === 'delete') collection.delete(key);
        if (change === 'delete') expected.delete(key);
        if (change === 'look') looks.push([collection.sorted(), inOrder()]);
        expect(collection.get(key)).toBe(expected.get(key));
      }
      looks.push([collection.sorted(), inOrder()]);
      // Lists that were returned earlier do not change.
      for (const [shown, as] of looks) expect(shown).toEqual(as);
      expect([...collection.values()]).toHaveLength(expected.size);
    }),
    { numRuns: 1000 },
  );
});
