import { expect, test } from 'vitest';
import { unrecordedWords } from './unrecorded-words.ts';

type Given = Parameters<typeof unrecordedWords>;

test.each<[string, Given[0], Given[1], RegExp]>([
  ['a chosen time before the run', 'ahead', 'ended', /ends before the end of the run/],
  [
    'no flow came since the run ended, and the page shows the time until now',
    'ahead',
    'until-now',
    /shown yet, .*late\.$/,
  ],
  ['no flow came since the run ended', 'since', 'since-run', /since the run yet, .*late\.$/],
  [
    'a gap in the history, with newer flows',
    'since',
    'ended',
    /^Nothing was recorded in the time that is shown, .*off/,
  ],
  ['a gap before the run', 'before', 'since-run', /before the run, .* compare the time since the run with/],
  ['a history that cannot be read', 'neither', 'since-run', /could not be read now/],
])('%s', (_what, unrecorded, compared, expected) => {
  expect(unrecordedWords(unrecorded, compared)).toMatch(expected);
});
