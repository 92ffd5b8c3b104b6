import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = ['lib', 'app', 'components']
  .flatMap((top) => readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\/|^lib\/text\//.test(file));

/** Files with their own character class: they parse or refuse text, and show nothing. */
const readers = [
  'lib/checks/wording/plain.ts',
  'lib/flows/history/sql/condition.ts',
  'lib/kube/live/target.ts',
  'lib/kube/store/apply/field-set.ts',
];

test('nobody else has an idea of their own of dangerous characters, of a shell word or of a secret', () => {
  const own = /\\u(?:001f|007f|009f|202[0-9a-f])|replaceAll\("'", [`'"]'\\|BEGIN [^\n]*PRIVATE|'<masked>'|\[secret\]/;
  const found = files.filter((file) => !readers.includes(file) && own.test(readFileSync(join(root, file), 'utf8')));
  // Our own flags in completions, and the holder of a secret, which prints a placeholder.
  expect(found).toEqual(['lib/cli/show/completion-scripts.ts', 'lib/kube/live/secret.ts']);
});

test('every JSON and YAML output of a command goes through this module', () => {
  const printed = files.filter(
    (file) =>
      file.startsWith('lib/cli/') &&
      /terminal\.out\([^\n]*(?:JSON\.stringify|\bstringify)\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(printed).toEqual([]);
});
