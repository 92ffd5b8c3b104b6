import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const checkout = join(import.meta.dirname, '../..');
/** Beside the builds: hard links need the same file system. */
let copy: string;
let state: string;
const running: ChildProcess[] = [];
/**
 * Routes that the copy does without: a build costs a minute of processor time, and the suite's own set-up has built every page by the same function
 * (scripts/test/console-build.mjs). What is shown here is when it builds, not what.
 */
const notBuiltHere = /^app\/(api|clusters|reference)\/.*\b(page|layout|route|error)\.tsx?$/;

beforeAll(() => {
  mkdirSync(join(checkout, '.next'), { recursive: true });
  const folder = mkdtempSync(join(checkout, '.next', 'start-test-'));
  copy = join(folder, 'copy');
  state = join(folder, 'state');
  mkdirSync(state);
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: checkout,
  });
  for (const file of files.toString().split('\0')) {
    if (file === '' || notBuiltHere.test(file)) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(checkout, file), join(copy, file));
  }
  execFileSync('cp', ['-al', join(checkout, 'node_modules'), join(copy, 'node_modules')]);
});
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(dirname(copy), { recursive: true, force: true }));

type Start = { child: ChildProcess; ended: Promise<number | null>; link: Promise<string | null>; output(): string };

function npmStart(args: readonly string[] = []): Start {
  const child = spawn(process.execPath, [join(copy, 'scripts', 'start.mjs'), '--port', '0', ...args], {
    cwd: state,
    env: { PATH: process.env.PATH, HOME: state, XDG_STATE_HOME: state, KUBECONFIG: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let printed = '';
  child.stderr.on('data', (text) => {
    printed += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const link = new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())));
  return { child, ended, link: Promise.race([link, ended.then(() => null)]), output: () => printed };
}

const builds = () => readdirSync(join(copy, '.next')).filter((name) => /^[0-9a-f]{16}$/.test(name));

async function stopped({ child, ended }: Start): Promise<number | null> {
  child.kill('SIGTERM');
  return ended;
}

test.runIf(process.platform === 'linux')(
  'builds once, then starts at once; a build that fails leaves the one before',
  async () => {
    const first = npmStart();
    expect(await first.link, first.output()).toMatch(/^http:\/\/\w+\.localhost:\d+\/sign-in#key=/);
    expect(first.output()).toContain('Building the pages, once for this version');
    expect(await stopped(first)).toBe(0);
    const [built] = builds();

    const from = performance.now();
    const second = npmStart();
    expect(await second.link).not.toBeNull();
    // `npm run bench` holds it to 3 s; here others may be busy.
    expect(performance.now() - from).toBeLessThan(60_000);
    expect(second.output()).not.toContain('Building');
    expect(await stopped(second)).toBe(0);

    appendFileSync(join(copy, 'app', 'page.tsx'), '\nthis is no TypeScript');
    const broken = npmStart();
    expect(await broken.ended).toBe(1);
    expect(broken.output()).toContain('An earlier build is left as it was');
    expect(builds()).toContain(built);

    const earlier = spawn(join(copy, 'bin', 'signalbox'), ['console', '--port', '0'], {
      cwd: state,
      env: { PATH: process.env.PATH, HOME: state, XDG_STATE_HOME: state },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(earlier);
    const link = await new Promise<string>((resolve) => earlier.stdout.once('data', (text) => resolve(String(text))));
    expect(link).toContain('/sign-in#key=');
  },
  900_000,
);
