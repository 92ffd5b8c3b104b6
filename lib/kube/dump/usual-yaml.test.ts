import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineCounter, parseAllDocuments, stringify } from 'yaml';
import type { ParsedDocument } from './usual-yaml.ts';
import { parseUsualYaml } from './usual-yaml.ts';

/** `SIGNALBOX_FUZZ=100000` for a thorough run. */
const numRuns = Number(process.env.SIGNALBOX_FUZZ ?? 1_500);

/** What the package makes of it; null: it refuses it. Documents with nothing in them are passed over by whoever reads a dump. */
function asYaml(text: string): ParsedDocument[] | null {
  const lines = new LineCounter();
  const documents = [...parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })];
  if (documents.some(({ errors }) => errors.length > 0)) return null;
  return documents
    .map((one) => ({ value: one.toJS() as unknown, line: lines.linePos(one.contents?.range?.[0] ?? 0).line }))
    .filter(({ value }) => value !== null);
}

/** Where it answers, it answers the same; `undefined` where it leaves the answer to the package. */
function compared(text: string): ParsedDocument[] | undefined {
  const usual = parseUsualYaml(text);
  if (usual === null) return undefined;
  expect(usual, text).toEqual(asYaml(text));
  return usual;
}

const long =
  'Back-off pulling image "registry.example/a/b@sha256:0123456789abcdef": it\'s 50% done — and this goes on for longer than a line is wide';

test.each([
  [
    'scalars',
    'a: x\nb: 1\nc: -0\nd: 0x1F\ne: 0o17\nf: 1e3\ng: .5\nh: 0777\ni: 1_000\nj: 12e\nk: ~\nl: null\nm: Null\n',
  ],
  ['booleans of YAML 1.1 are text', 'a: yes\nb: On\nc: n\nd: true\ne: TRUE\nf: tRue\ng: off\n'],
  ['what numbers look like', 'a: 1.2.3\nb: 1:30\nc: 2026-01-01T00:00:00Z\nd: +.inf\ne: .NaN\nf: 1.\ng: 0x\n'],
  ['numbers that are large', 'a: 9007199254740993\nb: 123456789012345678901234567890\nc: -1e400\n'],
  ['quoted', `a: "x\\n\\ty\\u00e4 \\x41"\nb: 'it''s'\nc: ""\nd: ''\n"e f": 1\n'g': "#"\n`],
  ['plain with signs', "a: b:c\nb: a#b\nc: :8080\nd: -x\ne: ?x\nf: a - b\ng: it's\nh: $(X) {y} [z]\ni: <a>\n"],
  ['lists at both indents', 'a:\n- 1\n- - x\n  - y\nb:\n  - c: 1\n    d: 2\n  -\n  - e\n'],
  ['an entry below its dash', 'a:\n-\n  z: 1\n-\n- "x": 1\n  y: 2\n'],
  ['empty ones', 'a: {}\nb: []\nc:\nd:\n  e:\nf: [a, "b", 1]\ng: {x: 1, y: z}\n'],
  ['literal blocks', 'a: |\n  x\n   y\n\n  z\nb: |-\n  x\n\nc: |+\n  x\n\n\nd: |\ne: |\n  # no comment\n  a: b\n'],
  ['a block in an entry', 'x:\n- |\n  a\n   b\n- |-\n  c\n'],
  ['folded blocks', 'a: >-\n  one\n  two\n\n  three\n    four\nb: >\n  x\n'],
  ['an indent that is told', 'a: |2\n   x\nb:\n  c: |2-\n\n    y\n  d: |2+\n\n'],
  ['comments', '# first\na: 1\n# between\nb:\n  # deeper\n  c: 2\n    # astray\n'],
  ['more than one document', '---\na: 1\n---\n---\nb:\n- 1\n---\n'],
  ['Windows lines', 'a: 1\r\nb: |\r\n  x\r\n  y\r\nc: "z"\r\n'],
  ['a mark at the beginning', '\uFEFFa: 1\n'],
  ['no newline at the end', 'a: |\n  x'],
  ['long plain over lines', stringify({ status: { conditions: [{ message: long.replace(': ', ' '), type: 'x' }] } })],
  ['long quoted over lines', stringify({ a: [{ message: `'${long}`, other: `${long}\\\n${long}` }], b: 1 })],
  ['blank lines in a scalar', "a: 'x\n\n  y\n  \n\n  z'\nb: one\n  two\n\n  three\n"],
])('%s: read, and read the same', (_name, text) => {
  expect(compared(text)).toBeDefined();
});

test.each([
  ['an anchor', 'a: &x 1\nb: *x\n'],
  ['a tag', 'a: !!str 1\n'],
  ['a merge', 'a: {x: 1}\n<<: {y: 2}\n'],
  ['a comment behind a value', 'a: 1 # one\n'],
  ['a tab', 'a:\t1\n'],
  ['a key over lines', '? a\n: 1\n'],
  ['a directive', '%YAML 1.1\n---\na: yes\n'],
  ['a key that is no text', '1: a\n'],
  ['a key that changes what an object is', '__proto__:\n  a: 1\n'],
  ['a list in a list on one line', 'a: [[1], [2]]\n'],
  ['something that is no map', '- 1\n'],
  ['two keys on one line', 'a: b: c\n'],
  ['an entry that is not deep enough', 'a:\n    b: 1\n  c: 2\n'],
  ['a quote that does not end', 'a: "b\n'],
  ['a last line of spaces behind an indent that is told', 'a: |2\n   x\n   \nb: 1\n'],
  ['a quoted text of more than 4 MiB', `a: "${'\\t'.repeat(2 * 1024 ** 2 + 1)}"\n`],
  ['an indent that is told of folded text', 'a: >2\n   x\n'],
  ['a document on the line of its mark', '--- {a: 1}\n'],
])('%s is left to the package', (_name, text) => {
  expect(parseUsualYaml(text) === null).toBe(true);
});

const words = fc.constantFrom(
  ...[
    '',
    ' ',
    'a',
    'true',
    'No',
    '~',
    'null',
    '1',
    '-1',
    '0x1',
    '1e5',
    '.5',
    '1:2',
    '2026-01-01',
    '-',
    '- a',
    '?',
    ':',
    'a: b',
  ],
  ...[
    'a:',
    '#',
    'a #b',
    '"',
    "'",
    "it's",
    '\\',
    '|',
    '>',
    '&a',
    '*a',
    '!x',
    '%',
    '@',
    '`',
    '{',
    '}',
    '[',
    ']',
    ',',
    '{}',
    '[]',
  ],
  ...[
    '\n',
    'a\n',
    'a\nb',
    '\na',
    ' a',
    'a ',
    'a\n\n',
    ' a\nb',
    'a\n  b\n',
    '\t',
    'a\tb',
    'ä',
    '\u2028',
    '\u0007',
    '---',
    '...',
    '<<',
  ],
  ...['a'.repeat(100), 'word '.repeat(30), `${'x: y '.repeat(30)}`, `${"it's ".repeat(30)}\n${'"q" '.repeat(30)}`],
);
const scalar = fc.oneof(
  words,
  fc.array(words, { maxLength: 3 }).map((some) => some.join('')),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(null, true, false, 0, 1, -7, 1.5, 1e21, -1e-7, 9007199254740991),
);
const key = fc.oneof(
  fc.constantFrom('name', 'app.kubernetes.io/name', 'f:spec', 'k:{"uid":"x"}', 'a b', '8080', 'y'),
  words,
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));
const style = fc.record({
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 20, 40, 80),
  minContentWidth: fc.constantFrom(0, 20),
  blockQuote: fc.constantFrom(true, false, 'literal' as const, 'folded' as const),
  singleQuote: fc.constantFrom(true, false, null),
});
const printed = fc
  .tuple(
    fc.array(fc.dictionary(key, values, { minKeys: 1, maxKeys: 5, noNullPrototype: true }), {
      minLength: 1,
      maxLength: 2,
    }),
    style,
  )
  .map(([documents, options]) =>
    documents.map((one) => stringify(one, { aliasDuplicateObjects: false, ...options })).join('---\n'),
  );

test('whatever is printed is read the same, or left to the package', () => {
  fc.assert(
    fc.property(printed, (text) => void compared(text)),
    { numRuns },
  );
});

const pieces = fc.constantFrom(
  ...[
    ' ',
    '  ',
    '\n',
    '\n\n',
    '- ',
    '-',
    ':',
    ': ',
    '#',
    ' #',
    '"',
    "'",
    '|',
    '|-',
    '>',
    '{',
    '}',
    '[',
    ']',
    ',',
    '&a ',
    '*a',
    '!',
    '\t',
    '? ',
  ],
  ...[
    '---\n',
    '...\n',
    '%',
    'a: 1\n',
    '\n  ',
    '\r\n',
    '\r',
    'x',
    '0',
    '<<: ',
    '\\',
    '|2',
    ' \n',
    '\u00a0',
    '{a: b}',
    '[a]',
    '# x\n',
  ],
);
const edits = fc.array(fc.record({ at: fc.nat(), drop: fc.nat({ max: 3 }), put: fc.option(pieces, { nil: '' }) }), {
  minLength: 1,
  maxLength: 4,
});

test('whatever is made of a file by hand is read the same, or left to the package', () => {
  fc.assert(
    fc.property(printed, edits, (text, changes) => {
      const edited = changes.reduce((now, { at, drop, put }) => {
        const from = at % (now.length + 1);
        return now.slice(0, from) + put + now.slice(from + drop);
      }, text);
      compared(edited);
    }),
    { numRuns: numRuns * 2 },
  );
});
