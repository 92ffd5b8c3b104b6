import { asParts, asText, type Part, type Reply, withForm } from './reply.ts';

/** A forged body for any action. */
export type Forged = { what: string; reply: Reply };

/** Hostile values for arguments that should be a name, an id or a step of a draft. */
const names = [
  '',
  '.',
  '..',
  '../../../../etc/passwd',
  '..%2f..%2fsession-key',
  '/etc/passwd',
  'C:\\windows',
  'standard-00000000',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'draft-000000000000',
  'draft-../../install-id',
  'a\\u0000b',
  'a\\r\\nX-Injected: 1',
  '<script>alert(1)</script>',
  "'; DROP TABLE drafts; --",
  '$(id)',
  '`id`',
  '{{7*7}}',
  'http://evil.example/',
  '//evil.example/',
  'file:///etc/passwd',
  '\\ud800',
  '\\u202e',
  'x'.repeat(100_000),
] as const;

/** JSON values that are not names. Strings with `$` at the start are React's own notation. */
const values = [
  'null',
  'true',
  '0',
  '-1',
  '1e309',
  '9007199254740993',
  '[]',
  '{}',
  '[[[[]]]]',
  '"$undefined"',
  '"$NaN"',
  '"$-Infinity"',
  '"$-0"',
  '"$n99999999999999999999999999"',
  '"$nx"',
  '"$D2026-01-01T00:00:00.000Z"',
  '"$Dx"',
  '"$Sx"',
  '"$Qx"',
  '"$W0"',
  '"$K0"',
  '"$i0"',
  '"$B0"',
  '"$R0"',
  '"$r0"',
  '"$X0"',
  '"$x0"',
  '"$T"',
  '"$Y"',
  '"$"',
  '"$$"',
  '"$0"',
  '"$1"',
  '"$@0"',
  '"$@1"',
  '"$F1"',
  '"$h1"',
  '"$Z"',
  '"$C"',
  '"$P1"',
  '"$L1"',
  '"$E{}"',
  '{"__proto__":{"polluted":"yes"}}',
  '{"constructor":{"prototype":{"polluted":"yes"}}}',
  '{"toString":1,"valueOf":1,"then":1}',
  '{"then":"$F1"}',
  '{"length":1e9}',
  '{"cluster":{"toString":"x"},"draft":["x"],"step":{"__proto__":"goal"}}',
] as const;

/** An argument list with the same value at every position, because actions differ in what they expect where. */
function threefold(json: string): string {
  return `[${json},${json},${json}]`;
}

/** Bodies that are no argument lists, or are expensive to parse. */
const lists: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['no JSON', 'x'],
  ['half of it', '["a"'],
  ['an object', '{"0":"a"}'],
  ['text', '"a"'],
  ['NUL', '\u0000'],
  ['100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['50,000 objects deep', `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`],
  ['100,000 arguments', `[${'1,'.repeat(100_000)}1]`],
  ['300,000 in one', `[[${'0,'.repeat(300_000)}0]]`],
  ['a key a hundred thousand times', `[{${Array.from({ length: 30_000 }, (_, at) => `"a${at}":1`).join(',')}}]`],
  ['a number of 100,000 digits', `[${'9'.repeat(100_000)}]`],
  ['a BigInt of 500,000 digits', `["$n${'9'.repeat(500_000)}"]`],
];

/** Parts that refer to each other, and to things that no reply may reach: known ways to run code in a server that parses React's replies. */
function references(other: string): readonly (readonly [string, readonly Part[]])[] {
  const part = (name: string, value: string): Part => ({ name, value });
  return [
    ['the prototype of a part', [part('0', '["$1:__proto__:then"]'), part('1', '{}')]],
    ['the maker of functions', [part('0', '["$1:constructor:constructor"]'), part('1', '{}')]],
    ['the maker of functions, of a list', [part('0', '["$1:map:constructor"]'), part('1', '[]')]],
    ['a promise made by hand', [part('0', thenable), part('1', '"$@0"'), part('2', '[]')]],
    ['the same behind a second one', [part('0', '["$1"]'), part('1', thenable), part('2', '"$@1"')]],
    ['a promise of itself', [part('0', '["$@0"]')]],
    ['two promises of each other', [part('0', '["$@1"]'), part('1', '"$@2"'), part('2', '"$@1"')]],
    ['itself', [part('0', '["$0"]')]],
    ['two of each other', [part('0', '["$1"]'), part('1', '{"a":"$2"}'), part('2', '{"a":"$1"}')]],
    ['a part that never comes', [part('0', '["$@9"]')]],
    ['another action', [part('0', '["$F1"]'), part('1', `{"id":"${other}","bound":null}`)]],
    ['another action, bound', [part('0', '["$h1"]'), part('1', `{"id":"${other}","bound":"$@2"}`), part('2', '["x"]')]],
    ['an action that is none', [part('0', '["$F1"]'), part('1', '{"id":"constructor","bound":null}')]],
    ['an action that is a module', [part('0', '["$F1"]'), part('1', '{"id":"fs#readFileSync","bound":null}')]],
    [
      'an action of thousands of arguments',
      [part('0', '["$F1"]'), part('1', `{"id":"${other}","bound":"$@2"}`), part('2', `[${'0,'.repeat(50_000)}0]`)],
    ],
    ['a Map with itself', [part('0', '["$Q1"]'), part('1', '[["a","$Q1"]]')]],
    ['a Set of Maps', [part('0', '["$W1"]'), part('1', '["$Q2"]'), part('2', '[[1,2]]')]],
    ['a Map that is none', [part('0', '["$Q1"]'), part('1', '{"length":3}')]],
    ['an iterator that is none', [part('0', '["$i1"]'), part('1', '{"next":1}')]],
    ['a Blob that is text', [part('0', '["$B1"]'), part('1', 'x')]],
    ['bytes that are text', [part('0', '["$o1"]'), part('1', 'x')]],
    ['a stream without end', [part('0', '["$R1"]'), part('1', '"x"')]],
    ['ten thousand times one part', [part('0', `[${'"$1",'.repeat(10_000)}0]`), part('1', `"${'x'.repeat(50_000)}"`)]],
    ['a path of ten thousand steps', [part('0', `["$1${':a'.repeat(10_000)}"]`), part('1', '{"a":1}')]],
  ];
}

const thenable = `{"then":"$1:__proto__:then","status":"resolved_model","reason":-1,"value":"{\\"then\\":\\"$B1337\\"}",
  "_response":{"_prefix":"process.exit(98);//","_chunks":"$Q2","_formData":{"get":"$1:constructor:constructor"}}}`;

const field = (name: string, value: string): Part => ({ name, value });

/** Forged forms. They contain the fields of all our forms, so that each action parses them. */
function forms(other: string): readonly (readonly [string, readonly Part[]])[] {
  const fields = (value: string) =>
    ['cluster', 'draft', 'run', 'step', 'id', 'session', 'reason', 'planHash', 'confirmation', 'shown', 'goal'].map(
      (name) => field(name, value),
    );
  const all = fields('draft-000000000000');
  return [
    ['nothing in it', []],
    ...['__proto__', '../../etc/passwd', '', 'x'.repeat(10_000)].map(
      (value) => [`all ${value.slice(0, 20)}`, fields(value)] as const,
    ),
    ['what is not a number', [...all, field('revision', '1e999'), field('action', 'undo')]],
    ['what is negative', [...all, field('revision', '-1'), field('action', 'undo')]],
    ['an action of no run', [...all, field('revision', '1'), field('action', '__proto__')]],
    ['an undo of no run', [...all, field('revision', '1'), field('action', 'undo'), field('confirmation', 'standard')]],
    ['everything twice', [...all, ...fields('../x')]],
    ['files for text', all.map((part) => ({ ...part, file: 'x.txt' }))],
    ['a file that would lie elsewhere', [{ name: 'cluster', value: 'x', file: '../../../../tmp/hostile-upload' }]],
    ['a file of 500 KiB', [{ name: 'cluster', value: 'x'.repeat(500_000), file: 'x', type: 'application/x-sh' }]],
    [
      'fields that are properties',
      ['__proto__', 'constructor', 'prototype', 'toString', '__proto__[polluted]'].map((name) => field(name, 'yes')),
    ],
    ['a thousand fields', Array.from({ length: 1000 }, (_, at) => field(`f${at}`, 'x'))],
    ['a name of 100,000', [field('x'.repeat(100_000), 'x')]],
    [
      'names of actions',
      [
        field(`$ACTION_ID_${other}`, ''),
        field('$ACTION_REF_1', ''),
        field('$ACTION_1:0', `{"id":"${other}","bound":"$@1"}`),
        field('$ACTION_1:1', '["x"]'),
        field('$ACTION_KEY', 'k'),
      ],
    ],
    ['a part in the part', [field('cluster"; filename="x', 'x')]],
  ];
}

/** The forged calls, the same for every action. `other`: the id of another action. */
export function forgedCalls(other: string): Forged[] {
  const text = [
    ...names.map((name) => [`the name ${name.slice(0, 40)}`, threefold(`"${name.replaceAll('"', '')}"`)] as const),
    ...names.map(
      (name) =>
        [
          `the place ${name.slice(0, 40)}`,
          threefold(`{"cluster":"${name}","draft":"${name}","step":"goal","__proto__":{"polluted":"yes"}}`),
        ] as const,
    ),
    ...values.map((value) => [`the value ${value}`, threefold(value)] as const),
    ...lists,
  ].map(([what, json]) => ({ what, reply: asText(json.replaceAll('C:\\w', 'C:\\\\w')) }));
  const place = '{"cluster":"standard-00000000","draft":"draft-000000000000","step":"goal"}';
  return [
    ...text,
    ...references(other).map(([what, parts]) => ({ what, reply: asParts(parts) })),
    ...forms(other).flatMap(([what, form]) => [
      { what: `a form with ${what}`, reply: withForm('[null,"$K1"]', form) },
      { what: `at a place, a form with ${what}`, reply: withForm(`[${place},null,"$K1"]`, form) },
    ]),
    {
      what: 'parts that never end',
      reply: { ...asParts([field('0', '[1]')]), body: asParts([field('0', '[1]')]).body.slice(0, -10) },
    },
    { what: 'parts without a boundary', reply: { type: 'multipart/form-data', body: 'x' } },
    {
      what: 'another encoding of forms',
      reply: { type: 'application/x-www-form-urlencoded', body: `$ACTION_ID_${other}=&cluster=x` },
    },
    { what: 'JSON by name', reply: { type: 'application/json', body: '["x"]' } },
    { what: 'no type', reply: { type: '', body: '["x"]' } },
  ];
}
