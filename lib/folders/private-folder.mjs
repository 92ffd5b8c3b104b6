import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isPrivateGroup } from './private-group.mjs';

/** A sentence about a folder that another user of this machine could read, replace or fill, or that is none, and what to do about it. */
export class FolderRefused extends Error {
  /** @override */
  name = 'FolderRefused';
}

/** Something else has the name of the folder: nothing can be read from it. */
export class NoFolder extends FolderRefused {}

/** @import { Stats } from 'node:fs' */

/** @typedef {{ readonly uid: number }} Owner Who is asked; a test is somebody else. */

const mostLinks = 40;

/**
 * Makes `path` and what is missing above it with mode 0700, and checks that nobody else can open it, replace it or have put something into it:
 * it is this user's own, no symbolic link, and of the folders on the way each belongs to root or to this user and is closed to others' writing, or
 * sticky as /tmp is. One of ours with a looser mode is tightened. `another` names the variable with which another place is chosen.
 * Answers the absolute path. Throws a FolderRefused; what keeps it from being made at all (EACCES, EROFS) is the system's own error.
 * @param {string} path
 * @param {string} another
 * @param {Owner} [owner]
 * @returns {string}
 */
export function privateFolder(path, another, { uid } = { uid: ownUid() }) {
  const whole = resolve(path);
  const todo = whole.split('/').filter((name) => name !== '');
  let at = '/';
  let links = 0;
  checkOnTheWay(at, lstatSync(at), uid, whole, another);
  for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
    const next = join(at, name);
    const found = lstatSync(next, { throwIfNoEntry: false }) ?? made(next);
    if (todo.length === 0 && found.isSymbolicLink())
      throw new FolderRefused(
        `${next} is a symbolic link. Remove it, or name the folder that it leads to with ${another}.`,
      );
    if (found.isSymbolicLink()) {
      // Whoever owns a link in a sticky folder decides where it leads.
      if (!isTrusted(found, uid) || ++links > mostLinks)
        throw new FolderRefused(
          `${next} is a symbolic link of another user, and ${whole} lies behind it. Name another folder with ${another}.`,
        );
      const target = readlinkSync(next);
      if (target.startsWith('/')) at = '/';
      todo.unshift(...target.split('/').filter((part) => part !== '' && part !== '.'));
      continue;
    }
    if (!found.isDirectory())
      throw new NoFolder(`${next} is not a folder. Remove it, or name another folder with ${another}.`);
    if (todo.length === 0) tighten(next, found, uid, another);
    else checkOnTheWay(next, found, uid, whole, another);
    at = next;
  }
  return whole;
}

/**
 * Another process may be making it too.
 * @param {string} path
 * @returns {Stats}
 */
function made(path) {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  return lstatSync(path);
}

/**
 * @param {string} path
 * @param {Stats} stats
 * @param {number} uid
 * @param {string} whole
 * @param {string} another
 */
function checkOnTheWay(path, stats, uid, whole, another) {
  if (!isTrusted(stats, uid))
    throw new FolderRefused(
      `${path} belongs to another user (${stats.uid}), who could replace ${whole}. Name another folder with ${another}.`,
    );
  const isSticky = (stats.mode & 0o1000) !== 0;
  if (othersMayWrite(stats) && !isSticky)
    throw new FolderRefused(
      `Others may write in ${path}, and could replace ${whole}. Close it (chmod go-w ${path}), or name another folder with ${another}.`,
    );
}

/**
 * What was put there while others could write is theirs: `session-key`, say, with which they would sign in as they like.
 * @param {string} path
 * @param {Stats} stats
 * @param {number} uid
 * @param {string} another
 */
function tighten(path, stats, uid, another) {
  if (stats.uid !== uid)
    throw new FolderRefused(
      `${path} belongs to another user (${stats.uid}), and this is ${uid}. Name another folder with ${another}, or start as that user.`,
    );
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o700);
  const wasOpen = othersMayWrite(stats);
  // Of another's also where nobody else may write now: the folder may have been filled elsewhere, and moved.
  const foreign = readdirSync(path, { recursive: wasOpen, encoding: 'utf8' }).find((name) => {
    const inside = lstatSync(join(path, name), { throwIfNoEntry: false });
    if (inside === undefined) return false;
    return !isTrusted(inside, uid) || (wasOpen && !inside.isSymbolicLink() && (inside.mode & 0o002) !== 0);
  });
  if (foreign !== undefined) {
    // Left as it was: the next start refuses it too.
    chmodSync(path, stats.mode & 0o7777);
    throw new FolderRefused(
      `Others could write in ${path}, and may have put ${join(path, foreign)} there. Look at what is in it, delete what is not yours and close it (chmod 700 ${path}).`,
    );
  }
}

/**
 * @param {Stats} stats
 * @param {number} uid
 */
function isTrusted({ uid: owner }, uid) {
  return owner === 0 || owner === uid;
}

/** @param {Stats} stats */
function othersMayWrite({ mode, uid, gid }) {
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isPrivateGroup(gid, uid));
}

function ownUid() {
  return process.getuid?.() ?? 0;
}
