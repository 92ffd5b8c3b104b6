const constant = (value: unknown) => () => structuredClone(value);

/** What stands in the place of a value, and what a failure calls it. */
export const junk: readonly (readonly [name: string, make: (value: unknown) => unknown])[] = [
  ['null', constant(null)],
  ['0', constant(0)],
  ['-1', constant(-1)],
  ['1e308', constant(1e308)],
  ['true', constant(true)],
  ['empty text', constant('')],
  ['a blank', constant(' ')],
  ['200 kB of text', constant('x'.repeat(200_000))],
  ['an empty list', constant([])],
  ['an empty map', constant({})],
  ['lists of lists', constant([[[[]]]])],
  ['a deep map', constant({ a: { b: { c: {} } } })],
  ['__proto__', () => JSON.parse('{"__proto__":{"polluted":true}}')],
  ['control characters', constant('\u0000\u001b[31m\u202e<b>')],
  ['a list of null', constant([null])],
  // Of maps fewer, or the dump has hundreds of megabytes.
  [
    'a huge list',
    (value) => Array.from({ length: typeof value === 'object' ? 200 : 20_000 }, () => structuredClone(value)),
  ],
  // Another type that says the same to people: `port: "6443"`, `enabled: "true"`.
  ['itself as text', (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))],
  ['itself in a list', (value) => [value]],
  ['itself in a map', (value) => ({ value })],
];
