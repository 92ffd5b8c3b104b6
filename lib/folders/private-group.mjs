import { readFileSync } from 'node:fs';

/**
 * Whether nobody but this user is in a group: the one of the user's own number, as Debian and Red Hat make it, to which nobody was added, or root's.
 * Somebody is in it by `/etc/group`, or by `/etc/passwd` as their first group. A directory service that adds members shows in neither file: then only
 * the numbers tell. `read` answers such a file's text.
 * @param {number} gid
 * @param {number} uid
 * @param {(file: string) => string} [read]
 * @returns {boolean}
 */
export function isPrivateGroup(gid, uid, read = textOf) {
  if (gid !== uid && gid !== 0) return false;
  const users = entriesOf(read('/etc/passwd'));
  const own = new Set(
    users.filter(([, , number]) => Number(number) === uid || Number(number) === 0).map(([name]) => name),
  );
  const firstGroup = users.filter(([, , , first]) => Number(first) === gid).map(([name]) => name);
  const added = entriesOf(read('/etc/group'))
    .filter(([, , number]) => Number(number) === gid)
    .flatMap(([, , , members]) => (members ?? '').split(',').filter((name) => name !== ''));
  // Some system users (sync, operator), as whom nobody signs in, have root's group as their first one.
  const others = gid === 0 ? added : [...firstGroup, ...added];
  return others.every((name) => own.has(name));
}

/**
 * @param {string} text
 * @returns {string[][]}
 */
function entriesOf(text) {
  return text
    .split('\n')
    .filter((line) => line.includes(':') && !line.startsWith('#'))
    .map((line) => line.split(':'));
}

/**
 * @param {string} file
 * @returns {string}
 */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
