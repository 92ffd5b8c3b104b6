import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { ReleaseError } from '../release-error.ts';
import { smallRelease } from '../testing/small-release.ts';
import { parseManifest } from './parse-manifest.ts';

const signal = new AbortController().signal;
const parse = (text: string) => parseManifest('a.yaml of v3.99.1', Buffer.from(text), signal);
const calico = process.env.SIGNALBOX_CALICO_DIR ?? '';

/** What kubectl reads is YAML 1.1; both readings must be one. */
test
  .skipIf(!calico)
  .each([
    'v3.31.4/operator-crds.yaml',
    'v3.31.4/tigera-operator.yaml',
    'v3.31.4/custom-resources-bpf.yaml',
    'v3.31.4/calico.yaml',
    'v3.24.6/tigera-operator.yaml',
  ])('%s is read as any parser reads it, by either version of YAML', async (path) => {
  const text = readFileSync(join(calico, path), 'utf8');
  const objects = await parse(text);
  for (const version of ['1.1', '1.2'] as const) {
    const documents = parseAllDocuments(text, { version, uniqueKeys: false });
    const values = [...documents].map((document): unknown => document.toJS()).filter((value) => value !== null);
    expect(JSON.stringify(objects) === JSON.stringify(values), version).toBe(true);
  }
});

test('the line of a fault is that of the file', async () => {
  const text =
    'apiVersion: v1\nkind: A\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: B\nmetadata:\n  name: b\n  name: c\n';
  await expect(parse(text)).rejects.toThrow(
    'a.yaml of v3.99.1, line 10: the field name stands there twice. Nothing of it was used.',
  );
});

test.each([
  ['0400', 256],
  ['0777', 511],
  ['0', 0],
  ['10', 10],
  ["'0400'", '0400'],
  ['0o17', 15],
  ['1.5', 1.5],
  ['true', true],
  ['~', null],
])('%s is read as kubectl reads it', async (text, value) => {
  const [object] = await parse(`apiVersion: v1\nkind: A\nmetadata:\n  name: a\nmode: ${text}\n`);
  expect(object?.mode).toBe(value);
});

test('given up by the caller in the midst of a large file', async () => {
  const stop = new AbortController();
  const large = Array.from({ length: 20_000 }, (_, at) => `apiVersion: v1\nkind: A\nmetadata:\n  name: a${at}\n`).join(
    '---\n',
  );
  setTimeout(() => stop.abort(), 5);
  await expect(parseManifest('a.yaml', Buffer.from(large), stop.signal)).rejects.toMatchObject({
    code: 'release.aborted',
  });
});

test('whatever is done to a file, it is refused by a sentence or is objects as they must be', async () => {
  const published = smallRelease()['tigera-operator.yaml'] ?? '';
  const lines = published.split('\n');
  const piece = fc.oneof(
    fc.constantFrom(
      '---',
      '- ',
      '  ',
      '{',
      '[',
      '&a',
      '*a',
      '<<: *a',
      '!!str',
      '!x',
      '|',
      '>-',
      '"',
      "'",
      '#',
      ':',
      '? a',
      '%YAML 1.1',
      '...',
      '\t',
      '\u0000',
      '\ufeff',
      'yes',
      '0777',
      '__proto__: 1',
      'constructor: 1',
      'kind: List',
    ),
    fc.string({ maxLength: 12 }),
  );
  const edit = fc.record({
    at: fc.nat(lines.length - 1),
    cut: fc.nat(3),
    put: fc.array(piece, { maxLength: 3 }),
    inside: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      const damaged = [...lines];
      for (const { at, cut, put, inside } of edits) {
        const here = damaged[at] ?? '';
        damaged.splice(at, cut, ...(inside ? [`${here.slice(0, at % (here.length + 1))}${put.join('')}`] : put));
      }
      const objects = await parse(damaged.join('\n')).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ReleaseError);
        expect(error).toMatchObject({
          code: 'release.invalid',
          message: expect.stringMatching(/^a\.yaml of v3\.99\.1.*\.$/s),
        });
        return [];
      });
      const names = objects.map(
        ({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.namespace} ${metadata.name}`,
      );
      expect(new Set(names).size).toBe(names.length);
      for (const object of objects) {
        expect(Object.hasOwn(object, '__proto__')).toBe(false);
        // What it was read as can be written and read again: nothing in it is more than data.
        expect(JSON.parse(JSON.stringify(object))).toEqual(object);
        expect(await parse(stringify(object))).toEqual([object]);
      }
    }),
    { numRuns: 400 },
  );
});
