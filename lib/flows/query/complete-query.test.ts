import { expect, test } from 'vitest';
import { aFlow } from '../testing/a-flow.ts';
import { completed, completionsAt, hintsOf } from './complete-query.ts';
import { parseQuery } from './parse-query.ts';

const outside = { kind: 'network' as const, namespace: null, name: 'pub', labels: [] };
const hints = hintsOf([
  { id: 'a', ...aFlow() },
  { id: 'b', ...aFlow() },
  { id: 'c', ...aFlow({ port: 53, protocol: 'UDP', from: outside }) },
]);
const offered = (text: string, caret = text.length) => completionsAt(text, caret, hints).offers.map(({ word }) => word);

test.each([
  ['ver', ['verdict:']],
  ['verdict:de', ['verdict:denied']],
  ['!verdict:de', ['!verdict:denied']],
  ['since:1', ['since:15m', 'since:1h', 'since:1d']],
  ['port:', ['port:5432', 'port:53']],
  ['from:', ['from:shop/', 'from:shop/checkout', 'from:-/pub']],
  ['from:check', ['from:shop/checkout']],
  ['ledger', ['with:payments/ledger-db']],
  ['policy:', ['policy:default/payments/ledger-db']],
  ['proto:', ['proto:tcp', 'proto:udp']],
  ['verdict:denied', []],
  ['colour:', []],
  ['__proto__:', []],
  ['from:"a', []],
  ['', ['from:', 'to:', 'with:', 'port:', 'verdict:', 'staged:', 'policy:', 'proto:']],
])('%j may become %j', (text, words) => expect(offered(text)).toEqual(words));

test('the word at the caret is completed, wherever it stands, and the caret is after it', () => {
  const text = 'from:shop/ por verdict:denied';
  const found = completionsAt(text, 14, hints);
  expect(found.offers.map(({ word }) => word)).toEqual(['port:']);
  const [offer] = found.offers;
  expect(offer && completed(text, found, offer)).toEqual({ text: 'from:shop/ port: verdict:denied', caret: 16 });
  const completions = completionsAt('port:54', 7, hints);
  const [port] = completions.offers;
  expect(port && completed('port:54', completions, port)).toEqual({ text: 'port:5432 ', caret: 10 });
});

test('every value that is offered is one that the query takes', () => {
  for (const key of [
    'from',
    'to',
    'with',
    'port',
    'policy',
    'proto',
    'verdict',
    'staged',
    'reporter',
    'since',
    'until',
  ])
    for (const word of offered(`${key}:`)) expect(parseQuery(word).problems).toEqual([]);
});

test('a flow counts once for a word, also where its workload and its Service have one name', () =>
  expect(hints.to).toEqual([
    { word: 'to:payments/', flows: 3 },
    { word: 'to:payments/ledger-db', flows: 3 },
  ]));
