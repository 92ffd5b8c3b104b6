import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Fields that no page has before its scripts are here, and one that is only read when its form is sent. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['components/palette/palette.tsx', 'opened by a script'],
  ['components/runs/rename-draft.tsx', 'in a dialog that a script opens'],
  ['components/flows/views-menu.tsx', 'its buttons work by script alone'],
  ['components/custom-resources/resources-fields.tsx', 'within noscript'],
  ['components/sign-in/link-form.tsx', 'read when its form is sent'],
]);

test('every field keeps what a user chose or typed before the scripts of its page were loaded', () => {
  const lost = globSync('components/**/*.tsx')
    .filter((file) => !file.endsWith('.test.tsx') && !exceptions.has(file))
    .flatMap((file) =>
      fieldsIn(readFileSync(file, 'utf8'))
        .filter(isLost)
        .map((tag) => `${file}: ${tag.slice(0, 80)}`),
    );
  expect(lost, 'give them useTakeOver() or useRegister(), of components/ui/browser/use-take-over.ts').toEqual([]);
});

/** The opening tags of fields, whole: a `>` within braces is an arrow. */
function fieldsIn(text: string): string[] {
  return [...text.matchAll(/<(?:input|select|textarea)\s/g)].map(({ index }) => {
    let depth = 0;
    for (let at = index; at < text.length; at++) {
      if (text[at] === '{') depth++;
      else if (text[at] === '}') depth--;
      else if (text[at] === '>' && depth === 0) return text.slice(index, at + 1);
    }
    return text.slice(index);
  });
}

/** Whether a user can change it, and it has no `ref` of its own or in what is spread into it. */
function isLost(tag: string): boolean {
  if (/\stype="(?:hidden|file)"/.test(tag)) return false;
  return !/\sref=\{|\{\.\.\.(?:input|\w*Field|register\()/.test(tag);
}
