import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { type ConsoleProcess, signalbox } from '../console/testing/console-process.ts';
import { anotherUid, canBeAnotherUser } from './testing/another-user.ts';

let state: string;
const started: ConsoleProcess[] = [];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'signalbox-folders-'));
});
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.child.kill('SIGKILL');
    await one.ended;
  }
  rmSync(state, { recursive: true, force: true });
});

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): ConsoleProcess {
  const one = signalbox(args, state, { NODE_COMPILE_CACHE: undefined, ...env });
  started.push(one);
  return one;
}

/** A file of Node's compile cache: magic, size of the source, size of the data, CRC of the source, CRC of the data; then the data. */
const header = { bytes: 20, keptSizeAt: 8, keptCrcAt: 16 };

/** For TypeScript the data is the source without its types, so a user who can write the file decides which code runs. */
function poison(folder: string, canary: string): number {
  let poisoned = 0;
  for (const name of readdirSync(folder)) {
    const entry = readFileSync(join(folder, name));
    const kept = entry.subarray(header.bytes).toString('utf8');
    if (!/^(import|export|\/\*\*|const|\/\/)/.test(kept)) continue;
    const text = Buffer.from(
      `import { writeFileSync as canary } from 'node:fs';\ncanary(${JSON.stringify(canary)}, String(process.getuid?.()));\n${kept}`,
    );
    const head = Buffer.from(entry.subarray(0, header.bytes));
    head.writeUInt32LE(text.length, header.keptSizeAt);
    head.writeUInt32LE(crc32(text), header.keptCrcAt);
    writeFileSync(join(folder, name), Buffer.concat([head, text]));
    poisoned++;
  }
  return poisoned;
}

test('compiled code that another user has put into the folder for temporary files is not run', async () => {
  const shared = join(state, 'tmp');
  const draft = join(state, 'draft');
  const canary = join(state, 'canary');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  // The attacker has the same program, and compiles it to learn the names of the files. From the sources, because of a bundle Node caches
  // machine code, which is harder to forge.
  const sources = { SIGNALBOX_SOURCES: '1' };
  const compiling = { ...sources, NODE_COMPILE_CACHE: draft, XDG_CACHE_HOME: join(state, 'none') };
  expect(await run(['version', '--client'], compiling).ended).toBe(0);
  const [tag = ''] = readdirSync(draft);
  const planted = join(shared, 'node-compile-cache', tag);
  cpSync(join(draft, tag), planted, { recursive: true });
  expect(poison(planted, canary)).toBeGreaterThan(10);
  if (canBeAnotherUser)
    for (const path of [
      join(shared, 'node-compile-cache'),
      planted,
      ...readdirSync(planted).map((name) => join(planted, name)),
    ]) {
      chownSync(path, anotherUid, anotherUid);
      chmodSync(path, 0o755);
    }
  for (const args of [
    ['version', '--client'],
    ['sandbox', 'list'],
  ])
    expect(await run(args, { ...sources, TMPDIR: shared }).ended).toBe(0);
  expect(existsSync(canary)).toBe(false);
  expect(statSync(join(state, '.cache', 'signalbox')).mode & 0o777).toBe(0o700);
  expect(readdirSync(shared)).toEqual(['node-compile-cache']);
});

describe('a console is not started with a state folder that another user could have made', () => {
  const refused = async () => {
    const one = run(['console', '--build', inject('consoleBuild'), '--port', '0']);
    const end = await Promise.race([one.ended, printed(one)]);
    return { end, stderr: one.err(), left: one.out() };
  };
  const printed = async (one: ConsoleProcess) => {
    while (!one.out().includes('#key=')) await new Promise((resolve) => setTimeout(resolve, 50));
    return 'started';
  };

  test('a symbolic link', async () => {
    const theirs = join(state, 'theirs');
    mkdirSync(theirs);
    symlinkSync(theirs, join(state, 'signalbox'));
    expect(await refused()).toMatchObject({ end: 2, stderr: expect.stringContaining('is a symbolic link') });
    expect(readdirSync(theirs)).toEqual([]);
  });

  test.runIf(canBeAnotherUser).each([0o700, 0o755, 0o770])("another user's, mode %o", async (mode) => {
    const folder = join(state, 'signalbox');
    mkdirSync(folder);
    chownSync(folder, anotherUid, anotherUid);
    chmodSync(folder, mode);
    expect(await refused()).toMatchObject({
      end: 2,
      stderr: expect.stringContaining('belongs to another user (65534)'),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.runIf(canBeAnotherUser)('one of ours in which they left a session key while everybody could write', async () => {
    const folder = join(state, 'signalbox');
    mkdirSync(folder);
    writeFileSync(join(folder, 'session-key'), Buffer.alloc(32), { mode: 0o600 });
    chownSync(join(folder, 'session-key'), anotherUid, anotherUid);
    chmodSync(folder, 0o777);
    expect(await refused()).toMatchObject({ end: 2, stderr: expect.stringContaining('session-key') });
  });
});
