import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostBytes } from '../limits.ts';
import { type Entry, tgz } from '../testing/small-release.ts';
import { type ArchiveLimits, archiveLimits, readArchive, safePath } from './archive.ts';

const read = async (packed: Uint8Array, limits: Partial<ArchiveLimits> = {}) =>
  readArchive(
    'The bundle x.tgz',
    Readable.from([Buffer.from(packed)]),
    (path) => path.endsWith('.yaml'),
    new AbortController().signal,
    { ...archiveLimits, ...limits },
  );
const readEntries = async (entries: readonly Entry[], limits: Partial<ArchiveLimits> = {}) =>
  read(await tgz(entries), limits);

test('the files that are wanted, by their path; others are passed over', async () => {
  const files = await readEntries([
    { name: './manifests/', type: 'directory' },
    { name: './manifests/a.yaml', text: 'a' },
    { name: 'images/node.tar', text: 'much' },
    { name: 'b.yaml', text: '' },
  ]);
  expect([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()])).toEqual([
    ['manifests/a.yaml', 'a'],
    ['b.yaml', ''],
  ]);
});

test.each<[string, Entry[], Partial<ArchiveLimits>, RegExp]>([
  [
    'a way out',
    [{ name: '../../etc/cron.d/x.yaml', text: 'x' }],
    {},
    /"\.\.\/\.\.\/etc\/cron\.d\/x\.yaml", a path that leads out/,
  ],
  ['an absolute path', [{ name: '/etc/x.yaml', text: 'x' }], {}, /a path that leads out of it/],
  ['a way out of what is not wanted', [{ name: 'a/../../x', text: 'x' }], {}, /a path that leads out of it/],
  ['a backslash', [{ name: '..\\x.yaml', text: 'x' }], {}, /a path that leads out of it/],
  ['a drive', [{ name: 'C:x.yaml', text: 'x' }], {}, /a path that leads out of it/],
  [
    'a symbolic link',
    [{ name: 'a.yaml', type: 'symlink', linkname: '/etc/passwd' }],
    {},
    /"a\.yaml" as a symlink, not as a file/,
  ],
  ['a hard link', [{ name: 'a.yaml', type: 'link', linkname: 'b' }], {}, /as a link, not as a file/],
  ['a device', [{ name: 'a.yaml', type: 'character-device' }], {}, /as a character-device, not as a file/],
  [
    'a file twice',
    [
      { name: 'a.yaml', text: 'x' },
      { name: './a.yaml', text: 'y' },
    ],
    {},
    /"a\.yaml" twice/,
  ],
  ['too many entries', [{ name: 'a' }, { name: 'b' }, { name: 'c' }], { entries: 2 }, /more than 2 entries/],
  [
    'too large a file',
    [{ name: 'a.yaml', text: 'x'.repeat(mostBytes + 1) }],
    { ratio: 1e9 },
    /of 10000001 bytes; no release has so much/,
  ],
  [
    'too much together',
    [
      { name: 'a.yaml', text: 'xx' },
      { name: 'b.yaml', text: 'xx' },
    ],
    { keptBytes: 3 },
    /no release has so much/,
  ],
  ['too much unpacked', [{ name: 'a', text: 'x'.repeat(5000) }], { bytes: 4000 }, /unpacks to more than 4000 bytes/],
  ['a bomb', [{ name: 'a', text: '\0'.repeat(20_000_000) }], {}, /unpacks to more than 200 times its size/],
])('%s is refused', async (_, entries, limits, says) => {
  await expect(readEntries(entries, limits)).rejects.toMatchObject({
    code: 'release.invalid',
    message: expect.stringMatching(says),
  });
});

test.each<[string, (whole: Buffer) => Buffer]>([
  ['cut short', (whole) => whole.subarray(0, whole.length - 20)],
  ['no gzip', () => Buffer.from('kind: Installation\n')],
  ['gzip of no tar', () => gzipSync(Buffer.alloc(2048, 'x'))],
  [
    'a flipped bit',
    (whole) => Buffer.from(whole.map((byte, at) => (at === Math.floor(whole.length / 2) ? byte ^ 64 : byte))),
  ],
])('%s: no archive', async (_, damage) => {
  const whole = await tgz([{ name: 'a.yaml', text: 'kind: Installation\n'.repeat(100) }]);
  await expect(read(damage(whole))).rejects.toMatchObject({
    code: 'release.invalid',
    message: expect.stringMatching(/^The bundle x\.tgz .* Nothing of it was used\.$/),
  });
});

test('given up by the caller', async () => {
  const stopped = AbortSignal.abort();
  const packed = Readable.from([await tgz([{ name: 'a.yaml', text: 'x' }])]);
  await expect(readArchive('x', packed, () => true, stopped)).rejects.toMatchObject({ code: 'release.aborted' });
});

test('a path that is let through stays within, whatever it is made of', () => {
  const piece = fc.constantFrom('..', '.', '', 'a', 'ocp', '...', '..a', 'C:', '\\', '\0', ' ', '~', '%2e%2e');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, rooted) => {
      const path = safePath(`${rooted ? '/' : ''}${pieces.join('/')}`);
      if (path === null) return;
      expect(new URL(path.split('/').map(encodeURIComponent).join('/'), 'file:///within/').pathname).toMatch(
        /^\/within\//,
      );
      expect(path.split('/')).not.toContain('..');
      expect(path).not.toMatch(/^\/|\\|\0/);
    }),
    { numRuns: 500 },
  );
});

test('what was packed is what is read, and damage is never a file that nobody packed', async () => {
  const name = fc.stringMatching(/^[a-z]{1,8}\.yaml$/);
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(name, fc.string({ maxLength: 200 }), { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
      fc.nat(),
      fc.nat(255),
      async (files, at, byte) => {
        const packed = await tgz(Object.entries(files).map(([one, text]) => ({ name: one, text })));
        const unpacked = await read(packed);
        expect(Object.fromEntries([...unpacked].map(([one, bytes]) => [one, Buffer.from(bytes).toString()]))).toEqual(
          files,
        );
        const damaged = Buffer.from(packed);
        damaged[at % damaged.length] = byte;
        const again = await read(damaged).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'release.invalid' });
          return new Map<string, Uint8Array>();
        });
        for (const [one, bytes] of again) expect(Buffer.from(bytes).toString()).toBe(files[one]);
      },
    ),
    { numRuns: 100 },
  );
});
