import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDocument } from './read-document.ts';
import { writeDocument } from './write-document.ts';

const text = `# Ours, by Ada.
apiVersion: operator.tigera.io/v1
kind: Installation
metadata:
  name: default
spec:
  registry: registry.example.com/   # the mirror
  calicoNetwork:

    # Agreed with the network team.
    linuxDataplane: BPF
    ipPools:
      # floor 1
      - name: one
        cidr: 10.1.0.0/16   # until June
      # floor 2
      - name: two
        cidr: "10.2.0.0/16"
  notYetKnown: { a: 1 }
`;

function specOf(yaml: string): Readonly<Record<string, unknown>> {
  const read = readDocument(yaml);
  if (!read.ok) throw new Error(read.problems[0].sentence);
  return read.document.spec;
}

test('the spec, and where each field of it stands', () => {
  const read = readDocument(text);
  if (!read.ok) throw new Error(read.problems[0].sentence);
  expect(read.document.spec).toMatchObject({ registry: 'registry.example.com/', notYetKnown: { a: 1 } });
  const seen = (...path: (string | number)[]) => {
    const { from, to, line } = read.document.rangeOf(path);
    return `${line}: ${text.slice(from, to)}`;
  };
  expect(seen('calicoNetwork', 'ipPools', 1, 'cidr')).toBe('18: "10.2.0.0/16"');
  expect(seen('calicoNetwork', 'linuxDataplane')).toBe('11: BPF');
  // A missing field is reported at its parent.
  expect(seen('calicoNetwork', 'nodeAddressAutodetectionV6')).toBe('8: calicoNetwork');
  expect(seen('calicoNetwork', 'ipPools', 0, 'blockSize')).toMatch(/^14: /);
});

test.each<[string, string, string]>([
  ['no text', '', 'Line 1: there is nothing here; an Installation is needed.'],
  ['comments only', '# nothing\n', 'Line 1: there is nothing here'],
  ['broken', 'spec:\n  a: [1\nb: 2\n', 'Line 3: the YAML cannot be read: '],
  ['a tab', 'spec:\n\ta: 1\n', 'Line 2: '],
  ['twice', text.replace('  registry:', '  registry: a/\n  registry:'), 'Line 8: this key stands here twice.'],
  [
    'another kind',
    text.replace('kind: Installation', 'kind: APIServer'),
    'Line 3: kind is "APIServer"; Installation is needed.',
  ],
  [
    'another name',
    text.replace('name: default', 'name: overlay'),
    'Line 5: metadata.name is "overlay"; default is needed.',
  ],
  ['no kind', 'spec: {}\n', 'Line 1: apiVersion is missing; operator.tigera.io/v1 is needed.'],
  ['a list', '- 1\n', 'Line 1: an Installation is needed'],
  ['spec is text', text.replace(/spec:[\s\S]*/, 'spec: none\n'), 'Line 6: spec must be a group of fields.'],
  ['two documents', `${text}---\nkind: APIServer\n`, 'Line 20: 2 documents are here'],
  ['an alias', `${text}  a: &x 1\n  b: *x\n`, 'Line 20: an anchor is not possible here.'],
  ['a tag', `${text}  a: !!js/function x\n`, 'Line 20: a tag is not possible here.'],
  ['beside spec', `${text}specs: 1\n`, 'Line 20: specs is not a field of an Installation'],
  ['no number', `${text}  mtu: .inf\n`, 'Line 20: .inf is not a number'],
  ['a key that is a list', `${text}  ? [a]\n  : b\n`, 'Line 20: a key must be text.'],
  ['too deep', `a: ${'['.repeat(50_000)}`, 'Line 1: more than 40 levels'],
  ['too deep by dashes', `${'- '.repeat(50_000)}a`, 'Line 1: more than 40 levels'],
  ['too long', `# ${'x'.repeat(200_000)}`, 'Line 1: the text has 200002 characters'],
  [
    'billions of laughs',
    `a: &a [x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b,*b]\n`,
    'Line 1: an anchor is not possible here.',
  ],
])('%s is refused at its line', (_name, yaml, sentence) => {
  const read = readDocument(yaml);
  expect(read.ok ? '' : read.problems[0].sentence).toContain(sentence);
});

test('what is not changed stays as it is written', () => {
  const spec = { ...specOf(text), registry: 'other.example.com/' };
  expect(writeDocument(spec, text)).toBe(
    text
      .replace('registry.example.com/   # the mirror', 'other.example.com/ # the mirror')
      .replace('/16   # until', '/16 # until'),
  );
});

test('nothing is changed: the same text, however it is laid out', () => {
  const odd = text.replace('{ a: 1 }', '{a:   1}').replace('\n\n', '\n\n\n');
  expect(writeDocument(specOf(odd), odd)).toBe(odd);
});

test('an entry that is taken away takes its comment along, and no other', () => {
  const { calicoNetwork, ...others } = specOf(text);
  const network = calicoNetwork as { ipPools: unknown[] };
  const written = writeDocument({ ...others, calicoNetwork: { ...network, ipPools: network.ipPools.slice(1) } }, text);
  expect(written).toContain('# floor 2\n      - name: two\n        cidr: "10.2.0.0/16"');
  expect(written).not.toContain('name: one');
});

test('a new field comes behind the others, a new entry too', () => {
  const written = writeDocument({ ...specOf(text), flexVolumePath: 'None' }, text);
  expect(written.trimEnd().split('\n').at(-1)).toBe('  flexVolumePath: None');
});

test('a field that says nothing yet can become a group of fields', () => {
  const before = writeDocument({ calicoNetwork: null, cni: [null] });
  const after = { calicoNetwork: { mtu: 1440 }, cni: [{ a: 1 }] };
  expect(specOf(writeDocument(after, before))).toEqual(after);
});

test('without a text, a whole Installation', () => {
  expect(writeDocument({ registry: 'a/' })).toBe(
    'apiVersion: operator.tigera.io/v1\nkind: Installation\nmetadata:\n  name: default\nspec:\n  registry: a/\n',
  );
});

const key = fc.oneof(
  fc.constantFrom('name', 'cidr', 'ipPools', 'mtu', 'yes', '1', 'a b', '#', '"', 'x: y', '-', '<<', 'null'),
  fc.string({ minLength: 1, maxLength: 6 }).filter((one) => one !== '__proto__'),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'json' },
    fc.constantFrom(
      '',
      'BPF',
      'no',
      '10.0.0.0/8',
      '0x10',
      '1e3',
      ' lead',
      'two\nlines',
      '# no comment',
      null,
      true,
      26,
      1.5,
      -0.25,
    ),
    fc.string({ maxLength: 8 }),
    fc.integer(),
    fc.array(tie('json'), { maxLength: 3, depthIdentifier: 'json' }),
    fc.dictionary(key, tie('json'), { maxKeys: 3, depthIdentifier: 'json' }),
  ),
}));
const anySpec = fc.dictionary(key, json, { maxKeys: 4 });
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test('what is written is read again, whatever stood there before', () => {
  fc.assert(
    fc.property(anySpec, anySpec, (before, after) => {
      const first = writeDocument(before, text);
      expect(plain(specOf(first))).toEqual(plain(before));
      const second = writeDocument(after, first);
      expect(plain(specOf(second))).toEqual(plain(after));
      expect(second).toContain('# Ours, by Ada.');
    }),
    { numRuns: 500 },
  );
});

test('any text is read or refused, never a fault', () => {
  const piece = fc.constantFrom(
    'spec:',
    '\n',
    '  ',
    '- ',
    '{',
    '}',
    '[',
    ']',
    ': ',
    '&a',
    '*a',
    '!!x ',
    '"',
    "'",
    '|',
    '>',
    '#',
    '---\n',
    'a',
    '%',
    '\t',
    '? ',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
      ),
      (any) => {
        for (const yaml of [any, text.replace('spec:', `spec:${any}`), `${text}${any}`]) {
          const read = readDocument(yaml);
          if (read.ok) expect(() => JSON.stringify(read.document.spec)).not.toThrow();
          else expect(read.problems[0].line).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 400 },
  );
});
