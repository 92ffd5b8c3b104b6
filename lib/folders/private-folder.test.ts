import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { cacheFolder } from './cache-folder.mjs';
import { FolderRefused, privateFolder } from './private-folder.mjs';
import { stateFolder } from './state-folder.ts';

const isRoot = process.getuid?.() === 0;
const other = 65_534;
let home: string;
beforeEach(() => {
  home = testFolder('private');
});

const open = (path: string) => privateFolder(path, 'XDG_STATE_HOME');
const modeOf = (path: string) => statSync(path).mode & 0o777;
const shared = (path: string, mode: number) => {
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
};

test('is made with all above it, for its user only', () => {
  const folder = open(join(home, 'a', 'b'));
  expect([modeOf(folder), modeOf(join(home, 'a'))]).toEqual([0o700, 0o700]);
});

test.each([0o755, 0o750, 0o711])('one of ours with mode %o is tightened', (mode) => {
  const folder = shared(join(home, 'state'), mode);
  writeFileSync(join(folder, 'kept'), 'x');
  open(folder);
  expect(modeOf(folder)).toBe(0o700);
  expect(existsSync(join(folder, 'kept'))).toBe(true);
});

test('one in which everybody may write is tightened where all in it is ours', () => {
  const folder = shared(join(home, 'state'), 0o777);
  writeFileSync(join(folder, 'kept'), 'x');
  open(folder);
  expect(modeOf(folder)).toBe(0o700);
});

test.runIf(isRoot)(
  'one that holds something of another user, though only this one may write there now, is refused',
  () => {
    const folder = shared(join(home, 'moved'), 0o700);
    writeFileSync(join(folder, 'run-key'), 'x');
    chownSync(join(folder, 'run-key'), other, other);
    expect(() => open(folder)).toThrow(/may have put .*run-key there/);
  },
);

describe('refused with what to do', () => {
  const refused = (path: string, sentence: RegExp) => {
    expect(() => open(path)).toThrow(FolderRefused);
    expect(() => open(path)).toThrow(sentence);
    expect(() => open(path)).toThrow(/XDG_STATE_HOME|chmod/);
  };

  test('a symbolic link, wherever it leads', () => {
    symlinkSync(mkdtempSync(join(home, 'real-')), join(home, 'state'));
    refused(join(home, 'state'), /state is a symbolic link\. Remove it/);
    symlinkSync(join(home, 'nowhere'), join(home, 'dangling'));
    refused(join(home, 'dangling'), /dangling is a symbolic link/);
    expect(existsSync(join(home, 'nowhere'))).toBe(false);
  });

  test('a file', () => {
    writeFileSync(join(home, 'state'), '');
    refused(join(home, 'state'), /state is not a folder/);
  });

  test.each([0o777, 0o772])('below a folder of mode %o: whoever may write there could replace it', (mode) => {
    refused(join(shared(join(home, 'open'), mode), 'state'), /Others may write in .*open, and could replace/);
  });

  test('with a file that everybody may write, where everybody could', () => {
    const folder = shared(join(home, 'state'), 0o777);
    writeFileSync(join(folder, 'session-key'), 'x');
    chmodSync(join(folder, 'session-key'), 0o666);
    refused(folder, /may have put .*session-key there/);
  });

  test.runIf(isRoot)('one of another user', () => {
    const folder = shared(join(home, 'state'), 0o700);
    chownSync(folder, other, other);
    refused(folder, /state belongs to another user \(65534\), and this is 0/);
  });

  test.runIf(isRoot)('one below a folder of another user', () => {
    const parent = shared(join(home, 'theirs'), 0o755);
    chownSync(parent, other, other);
    refused(join(parent, 'state'), /theirs belongs to another user \(65534\), who could replace/);
  });

  test.runIf(isRoot)('what another user has put there while everybody could', () => {
    const folder = shared(join(home, 'state'), 0o777);
    mkdirSync(join(folder, 'deep'));
    writeFileSync(join(folder, 'deep', 'session-key'), 'x');
    chownSync(join(folder, 'deep', 'session-key'), other, other);
    refused(folder, /may have put .*deep\/session-key there/);
  });

  test.runIf(isRoot)("a way through another user's link in a sticky folder", () => {
    const sticky = shared(join(home, 'tmp'), 0o1777);
    const target = shared(join(home, 'target'), 0o700);
    symlinkSync(target, join(sticky, 'link'));
    lchownSync(join(sticky, 'link'), other, other);
    refused(join(sticky, 'link', 'state'), /link is a symbolic link of another user/);
  });

  test.runIf(isRoot)('a folder of a group that has other people in it', () => {
    const parent = shared(join(home, 'team'), 0o770);
    chownSync(parent, 0, 100);
    refused(join(parent, 'state'), /Others may write in .*team/);
  });
});

describe('fine', () => {
  test("below a sticky folder, as everybody's /tmp is", () => {
    expect(modeOf(open(join(shared(join(home, 'tmp'), 0o1777), 'state')))).toBe(0o700);
  });

  test('behind a link of ours on the way, upwards too', () => {
    mkdirSync(join(home, 'disk', 'deep'), { recursive: true });
    symlinkSync('disk/deep/..', join(home, 'link'));
    open(join(home, 'link', 'state'));
    expect(modeOf(join(home, 'disk', 'state'))).toBe(0o700);
  });

  test('with folders that go round in circles it ends', () => {
    symlinkSync('b', join(home, 'a'));
    symlinkSync('a', join(home, 'b'));
    expect(() => open(join(home, 'a', 'state'))).toThrow(FolderRefused);
  });
});

test('a relative XDG_STATE_HOME is ignored: it would mean another folder from each place', async () => {
  vi.stubEnv('HOME', home);
  expect(await stateFolder({ XDG_STATE_HOME: 'here' })).toBe(join(home, '.local', 'state', 'signalbox'));
  vi.unstubAllEnvs();
  expect(await stateFolder({ XDG_STATE_HOME: home })).toBe(join(home, 'signalbox'));
});

describe('the cache folder', () => {
  test('is as private', () => {
    expect(modeOf(cacheFolder({ XDG_CACHE_HOME: home }))).toBe(0o700);
  });

  test('is refused as the state folder is, with its own variable', () => {
    symlinkSync(home, join(home, 'signalbox'));
    expect(() => cacheFolder({ XDG_CACHE_HOME: home })).toThrow(/XDG_CACHE_HOME/);
  });

  test('is answered where it cannot be made: nothing lies in it', () => {
    expect(cacheFolder({ XDG_CACHE_HOME: '/proc/nowhere' })).toBe('/proc/nowhere/signalbox');
  });
});
