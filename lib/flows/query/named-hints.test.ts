import { expect, test } from 'vitest';
import { completionsAt } from './complete-query.ts';
import { type KnownNames, mergedHints, namedHints } from './named-hints.ts';
import { parseQuery } from './parse-query.ts';

const none: KnownNames = {
  sourceName: [],
  destName: [],
  sourceNamespace: [],
  destNamespace: [],
  policyTier: [],
  policyName: [],
};
const hints = namedHints({
  sourceName: ['checkout-7d9c6b8f5-*', 'pub', ''],
  destName: ['kube-dns', 'a "quoted", name'],
  sourceNamespace: ['shop', '-'],
  destNamespace: ['kube-system'],
  policyTier: ['platform'],
  policyName: ['allow-dns', 'x'.repeat(1_000_000)],
});

test('names that an aggregator tells are words that the query takes, of the keys that they are for', () => {
  const words = Object.values(hints).flatMap((of) => of.map(({ word }) => word));
  expect(words.toSorted()).toEqual([
    'from:-/pub',
    'from:checkout',
    'from:shop/',
    'policy:allow-dns',
    'policy:platform/*',
    'to:"a \\"quoted\\", name"',
    'to:kube-dns',
    'to:kube-system/',
    'with:"a \\"quoted\\", name"',
    'with:-/pub',
    'with:checkout',
    'with:kube-dns',
    'with:kube-system/',
    'with:shop/',
  ]);
  for (const word of words) expect(parseQuery(word)).toMatchObject({ problems: [], query: { terms: [{}] } });
});

test('what is counted stands before what is only named, and each word stands once', () => {
  const counted = { to: [{ word: 'to:payments/', flows: 3 }], from: [{ word: 'from:shop/', flows: 2 }] };
  const merged = mergedHints(counted, mergedHints(hints, { from: [{ word: 'from:shop/', flows: 7 }] }));
  expect(merged.to?.map(({ word }) => word).slice(0, 2)).toEqual(['to:payments/', 'to:"a \\"quoted\\", name"']);
  expect(merged.from?.filter(({ word }) => word === 'from:shop/')).toEqual([{ word: 'from:shop/', flows: 7 }]);
  const offers = completionsAt('from:', 5, merged).offers;
  expect(offers.map(({ word, note }) => [word, note])).toEqual([
    ['from:shop/', '7 flows'],
    ['from:-/pub', ''],
    ['from:checkout', ''],
  ]);
});

test('a name alone is left out where it is known with its namespace', () => {
  const counted = { from: [{ word: 'from:shop/checkout', flows: 2 }], with: [{ word: 'with:checkout', flows: 1 }] };
  const { from, with: either } = mergedHints(counted, hints);
  expect(from?.map(({ word }) => word)).not.toContain('from:checkout');
  expect(either?.map(({ word }) => word)).toContain('with:checkout');
});

test('what nobody names is offered to nobody', () => expect(namedHints(none)).toEqual({}));
