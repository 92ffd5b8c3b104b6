import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../setup/child.mjs';
import { root } from '../setup/root.mjs';

test('a suite that does not exist: exit 2, the ones that do, and nothing is installed or run', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['scripts/test.mjs', 'unti'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe(
    '"unti": no such suite. There are static, kernels, cluster, browser, hostile, console, dataplane, contract, unit: npm test -- unit\n',
  );
  expect(stdout).toBe('');
  expect(status).toBe(2);
});

test('an interrupt ends the children and their children', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-child-'));
  const script = join(folder, 'parent.mjs');
  // A shell with a child that would run for another hour.
  writeFileSync(
    script,
    `import { run, stopChildren } from ${JSON.stringify(join(root, 'scripts/setup/child.mjs'))};
     process.once('SIGINT', async () => { await stopChildren('SIGINT'); process.exit(130); });
     const child = run('sh', ['-c', 'sleep 3600 & echo $!; wait'], { output: 'show' });
     await child;`,
  );
  const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const grandchild = await new Promise<number>((resolve) => {
    parent.stdout.once('data', (chunk) => resolve(Number(chunk)));
  });
  const code = new Promise((ended) => parent.once('exit', ended));
  parent.kill('SIGINT');
  expect(await code).toBe(130);
  await expect.poll(() => isAlive(grandchild)).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});

test('what runs at a low priority yields, as a process and, where Linux groups sessions, as a session', async () => {
  const measured = async (priority: 'normal' | 'low') => {
    const script = 'sleep 0.2; { nice; cat /proc/self/autogroup; } >&2 2>/dev/null';
    const [nice, group] = (await run('sh', ['-c', script], { output: 'errors', priority })).tail.split('\n');
    return { nice: Number(nice), group: group?.split(' nice ')[1] ?? null };
  };
  const [normal, low] = [await measured('normal'), await measured('low')];
  expect(normal.nice).toBe(getPriority());
  expect(low.nice).toBe(Math.min(normal.nice + 5, 19));
  expect([normal.group, low.group]).toEqual(normal.group === null ? [null, null] : ['0', '5']);
});

/** A zombie counts as dead: signal 0 still reaches it until its parent collects it. Reads /proc and `ps`, because a small Debian has no `ps` and macOS no /proc. */
function isAlive(pid: number): boolean {
  if (!existsSync('/proc/self'))
    return /^[^Z\s]/.test(spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`]).stdout.toString());
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
}
