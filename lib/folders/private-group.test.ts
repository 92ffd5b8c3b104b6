import { expect, test } from 'vitest';
import { isPrivateGroup } from './private-group.mjs';

const users = [
  'root:x:0:0:root:/root:/bin/bash',
  'operator:x:11:0:operator:/root:/sbin/nologin',
  'alice:x:1000:1000::/home/alice:/bin/bash',
  'second:x:1001:1000::/home/second:/bin/bash',
  'bob:x:1002:1002::/home/bob:/bin/bash',
  'carol:x:1003:1003::/home/carol:/bin/bash',
];
const groups = ['root:x:0:', 'alice:x:1000:', 'bob:x:1002:www-data', 'carol:x:1003:carol', '# a comment'];
const read = (file: string) => (file === '/etc/passwd' ? users : groups).join('\n');

test.each([
  ['of the own number, with nobody else', 1003, 1003, true],
  ['of the own number, to which somebody was added', 1002, 1002, false],
  ['of the own number, the first group of another user', 1000, 1000, false],
  ['of another number', 1003, 1002, false],
  ["root's", 0, 1003, true],
  ['of the own number, in no file', 4000, 4000, true],
])('a group %s', (_, gid, uid, isPrivate) => {
  expect(isPrivateGroup(gid, uid, read)).toBe(isPrivate);
});

test('files that cannot be read tell nothing: the numbers decide', () => {
  expect(isPrivateGroup(1003, 1003, () => '')).toBe(true);
});
