import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

/** `npm run cluster`, as a user types it. */
const folder = mkdtempSync(join(tmpdir(), 'signalbox-command-'));
const dir = join(folder, 'cluster');

afterAll(async () => {
  await cluster('down', '--dir', dir);
  rmSync(folder, { recursive: true, force: true });
});

describe('a wrong command line gets a sentence and exit code 2', () => {
  test.each([
    [[], 'Say what to do: up, down or status.'],
    [['start'], '"start" is not a command; up, down and status are.'],
    [['up', '--nodes', '0'], '--nodes: a number from 1 to 200 is needed, "0" was given.'],
    [['up', '--nodes', '4.5'], '--nodes: a number from 1 to 200 is needed, "4.5" was given.'],
    [['up', '--bpf', '--empty'], '--bpf and --empty: one of them, not both.'],
    [['up', '--like', 'v9'], '--like: one of v3.31.4, v3.30.7, none is needed, "v9" was given.'],
    [['down', '--slow'], '--slow belongs to up; down takes --dir only.'],
    [['up', 'twice'], 'up takes no further words; "twice" was given.'],
    [['up', '--fast'], "Unknown option '--fast'."],
    [['up', '--dir', ''], '--dir: a folder is needed, an empty word was given.'],
  ])('%j', async (args, sentence) => {
    const { code, stderr } = await cluster(...args);
    expect(stderr.split('\n')[0]).toBe(sentence);
    expect(code).toBe(2);
  });
});

test('down and status say that there is nothing', async () => {
  expect(await cluster('down', '--dir', dir)).toMatchObject({ code: 0, stdout: `No cluster in ${dir}.\n` });
  expect(await cluster('status', '--dir', dir)).toMatchObject({ code: 1, stdout: `No cluster in ${dir}.\n` });
});

test('a folder with something else in it is left alone', async () => {
  writeFileSync(join(folder, 'letter'), 'dear');
  expect(await cluster('up', '--empty', '--dir', folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('left alone'),
  });
  expect(existsSync(join(folder, 'letter'))).toBe(true);
});

test('up, status, up again, down', async () => {
  const up = await cluster('up', '--empty', '--nodes', '2', '--dir', dir);
  expect(up.stdout).toContain(`kubeconfig: ${join(dir, 'kubeconfig')}`);
  expect(up.code).toBe(0);

  const status = await cluster('status', '--dir', dir);
  expect(status.code).toBe(0);
  for (const name of [
    'supervisor',
    'etcd',
    'kube-apiserver',
    'kube-controller-manager',
    'kube-scheduler',
    'kwok',
    'operator',
  ]) {
    expect(status.stdout).toMatch(new RegExp(`^ {2}${name} +\\d+ {2}runs$`, 'm'));
  }
  expect(status.stdout).toContain('Nothing tried to leave.');

  expect((await cluster('up', '--dir', dir)).stdout).toMatch(
    /^A cluster runs there already: empty, 2 nodes, operator like v3\.31\.4, process \d+\.$/m,
  );
  expect(await cluster('down', '--dir', dir)).toMatchObject({ code: 0, stdout: expect.stringContaining('is down') });
  expect(existsSync(dir)).toBe(false);
});

function cluster(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const script = join(import.meta.dirname, '..', 'controlplane', 'cli.ts');
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
    });
    child.once('error', failed);
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
}
