const constant = (value: unknown) => () => structuredClone(value);

/** Replacements for a value, each with its name in messages. */
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
  // Fewer copies of maps, so that the dump does not grow to hundreds of megabytes.
  [
    'a huge list',
    (value) => Array.from({ length: typeof value === 'object' ? 200 : 20_000 }, () => structuredClone(value)),
  ],
  // The same value in another type: `port: "6443"`, `enabled: "true"`.
  ['itself as text', (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))],
  ['itself in a list', (value) => [value]],
  ['itself in a map', (value) => ({ value })],
];
