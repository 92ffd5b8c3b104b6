import { expect, test } from 'vitest';
import { readColumns, usualColumns } from './flow-columns.tsx';

test.each([
  [null, usualColumns],
  ['', usualColumns],
  ['{"verdict": true}', usualColumns],
  ['["bytes", "verdict"]', ['verdict', 'bytes']],
  ['["__proto__", 7, "packets", "packets"]', ['packets']],
  ['[]', []],
])('remembered columns %s are %j', (text, columns) => expect(readColumns(text)).toEqual(columns));
