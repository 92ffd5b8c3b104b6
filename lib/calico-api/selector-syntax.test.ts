import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calicoSelector } from '#lib/base/selectors/calico-selector.ts';
import { wrongSelector } from './selector-syntax.ts';

test.each([
  '',
  ' \t',
  'all()',
  '!all( )',
  'global()',
  'has(a)',
  '! !has( kubernetes.io/os )',
  "a == 'b'",
  'a=="b c"&&!(c != "\'" || has(d))',
  'hash == "x"',
  'in in {"in"}',
  'a in {}',
  'a in{ \'b\' , "c", }',
  "a not in {'b'}",
  "a notin {'b'}",
  "a contains 'b' || a starts with 'b' || a startswith'b' || a ends with 'b'",
  '((((all()))))',
])('%s is a selector', (selector) => {
  expect(wrongSelector({ selector }, 'spec')).toBe(null);
});

test.each([
  ['has(', 'it cannot be read from "has(" on'],
  ['has()', 'it cannot be read from "has()" on'],
  ['has (a)', 'it cannot be read from "has (a)" on'],
  ["a = 'b'", `it cannot be read from "a = 'b'" on`],
  ["ain {'b'}", `it cannot be read from "ain {'b'}" on`],
  ['a == b', 'it cannot be read from "a == b" on'],
  ['a == "b', 'it cannot be read from "a == \\"b" on'],
  ['a in {"b" "c"}', 'it cannot be read from "a in {\\"b\\" \\"c\\"}" on'],
  ['a in {,}', 'it cannot be read from "a in {,}" on'],
  ['a', 'it cannot be read from "a" on'],
  ['!= "b"', 'it cannot be read from "!= \\"b\\"" on'],
  ['all() & all()', 'it cannot be read from "& all()" on'],
  ['all() all()', 'it cannot be read from "all()" on'],
  ['all())', 'it cannot be read from ")" on'],
  ['all()\n&& all()', 'it cannot be read from "\\n&& all()" on'],
  ['(all()', 'it ends too early'],
  ['all() ||', 'it ends too early'],
  ['!', 'it ends too early'],
])('%s is none', (selector, why) => {
  expect(wrongSelector({ selector }, 'spec')).toBe(
    `spec.selector: Invalid value: ${JSON.stringify(selector)}: no selector of Calico: ${why}`,
  );
});

test('selectors are found at any depth, and what is no text is none of them', () => {
  const spec = {
    podSelector: { matchLabels: { a: 'has(' } },
    nodeSelector: 'all()',
    ingress: [{ action: 'Allow' }, { source: { notSelector: 'has(' } }],
  };
  expect(wrongSelector(spec, 'spec')).toMatch(/^spec\.ingress\[1\]\.source\.notSelector: /);
  expect(wrongSelector({ ...spec, ingress: [], description: 'has(' }, 'spec')).toBe(null);
});

test('long ones are read as well', () => {
  const deep = `${'('.repeat(100_000)}all()${')'.repeat(100_000)}`;
  expect(wrongSelector({ selector: deep }, 'spec')).toBe(null);
  expect(wrongSelector({ selector: `a in {${'"b",'.repeat(100_000)}` }, 'spec')).toContain('cannot be read');
});

const pieces = [
  ...[
    'all()',
    'all( )',
    'global()',
    'has(a)',
    'has( a/b )',
    'a',
    'b.c/d',
    'has',
    'all',
    'not',
    'in',
    'notin',
    'not in',
  ],
  ...['contains', 'starts with', 'startswith', 'ends with', 'starts', 'with', '!', '(', ')', '&&', '||', '==', '!='],
  ...["a contains 'x'", "a starts with 'x'", "a startswith'x'", 'a ends with "y"', "a endswith 'y'", "a notin {'b'}"],
  ...["a not in {'b'}", "a != 'b'", 'has( a )', 'a contains x', "a starts  with 'x'"],
  ...[' ', '\t', '=', "'x'", '"y"', '{', '}', ',', "{'a'}", "{'a',}", "{'a', 'b'}", "a == 'b'", 'a in {}'],
];

test('what is a selector here can be answered for labels, and nothing else can', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (some) => {
      const selector = some.join('');
      expect(calicoSelector(selector) !== null).toBe(wrongSelector({ selector }, 'spec') === null);
    }),
    { numRuns: 3_000 },
  );
});
