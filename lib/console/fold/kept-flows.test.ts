import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Flow, flowSize } from '#lib/flows/in-browser.ts';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { mostCharacters, mostFlows, withFlows } from './kept-flows.ts';

const flow = (port: number, bytes = 1): Flow => ({ id: `f${port}`, ...aFlow({ port, bytes: { in: bytes, out: 0 } }) });
const manyFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => flow(first + index));

/** A flow that counts each reading of its fields. */
function watched(of: Flow, read: () => void): Flow {
  return new Proxy(of, {
    get: (target, key) => {
      read();
      return Reflect.get(target, key);
    },
  });
}

test('what came costs by what came, however many are kept', () => {
  let reads = 0;
  const watchedFrom = (first: number) => manyFrom(first, mostFlows).map((one) => watched(one, () => reads++));
  let flows = withFlows([], watchedFrom(0));
  const rounds = 50;
  reads = 0;
  for (let round = 0; round < rounds; round++) flows = withFlows(flows, [flow(mostFlows + round)]);
  expect(flows).toHaveLength(mostFlows);
  expect(flows.at(-1)?.port).toBe(mostFlows + rounds - 1);
  // Of each flow that leaves, only id and size.
  expect(reads).toBeLessThan(rounds * 10);
});

test('a list from elsewhere is looked at as a whole, and an older one again, with the same end', () => {
  const first = manyFrom(0, mostFlows);
  const once = withFlows(first, [flow(5, 7)]);
  expect(withFlows(first, [flow(5, 7)])).toEqual(once);
  const [older, newer] = [withFlows(once, [flow(9_000)]), withFlows(once, [flow(9_001)])];
  expect(older.at(-1)?.port).toBe(9_000);
  expect(newer).toEqual([...once.slice(1), flow(9_001)]);
});

test('whatever comes, it is the newest of each that there is room for', () => {
  const long = (port: number, characters: number): Flow => {
    const made = flow(port, characters);
    return { ...made, from: { ...made.from, labels: ['x'.repeat(characters)] } };
  };
  const came = fc.array(fc.tuple(fc.nat(12), fc.constantFrom(10, mostCharacters / 6, mostCharacters / 2)), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.array(came, { maxLength: 8 }), (batches) => {
      let flows: Flow[] = [];
      let plain: Flow[] = [];
      for (const batch of batches) {
        const arrived = batch.map(([port, characters]) => long(port, characters));
        flows = withFlows(flows, arrived);
        plain = newest([...plain, ...arrived]);
        expect(flows).toEqual(plain);
      }
    }),
  );
});

/** The rule without its optimisations. */
function newest(flows: readonly Flow[]): Flow[] {
  const once = flows.filter(({ id }, index) => flows.findLastIndex((other) => other.id === id) === index);
  let size = 0;
  const tooMany = once.findLastIndex((one, index) => {
    size += flowSize(one);
    return size > mostCharacters || once.length - index > mostFlows;
  });
  return once.slice(tooMany + 1);
}
