import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { openTunnel } from './tunnel.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

async function aTunnel() {
  const open = vi.fn(async () => duplexPair()[0]);
  const tunnel = await openTunnel(open);
  onTestFinished(() => tunnel.close());
  return { ...tunnel, path: tunnel.address.replace(/^unix:/, ''), open };
}

/** What a killed process leaves: a socket to which nobody listens. */
async function aLeftFolder(tmp: string): Promise<string> {
  const folder = join(tmp, 'signalbox-flows-kIlLed');
  mkdirSync(folder);
  const [own, path] = [join(tmp, 'own'), join(folder, 's')];
  const server = createServer();
  await new Promise<void>((listening) => server.listen(own, listening));
  renameSync(own, path);
  await new Promise((closed) => server.close(closed));
  expect(existsSync(path)).toBe(true);
  return folder;
}

test('a tunnel removes what a killed process has left, and nothing that somebody uses or that is not ours', async () => {
  const tmp = testFolder('tunnel');
  vi.stubEnv('TMPDIR', tmp);
  const used = await aTunnel();
  const left = await aLeftFolder(tmp);
  const others = ['signalbox-flows-sTaRts', 'signalbox-helm-aBcDeF'].map((name) => join(tmp, name));
  for (const folder of others) mkdirSync(folder);

  const next = await aTunnel();
  expect(existsSync(left)).toBe(false);
  expect([used.path, next.path, ...others].filter((path) => !existsSync(path))).toEqual([]);
  expect(used.open).not.toHaveBeenCalled();
});

test('what is said first on a connection is led on', async () => {
  vi.stubEnv('TMPDIR', testFolder('tunnel'));
  const [near, far] = duplexPair();
  const tunnel = await openTunnel(async () => near);
  onTestFinished(() => tunnel.close());
  const socket = connect(tunnel.address.replace(/^unix:/, ''));
  socket.write('hello');
  const [heard] = await new Promise<Buffer[]>((resolve) => far.once('data', (data: Buffer) => resolve([data])));
  expect(`${heard}`).toBe('hello');
  far.write('and back');
  const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  expect(`${answer}`).toBe('and back');
  socket.destroy();
});
