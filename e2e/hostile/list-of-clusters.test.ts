import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubeconfigText } from '#lib/kube/index.ts';
import { type AConsole, aConsole } from '../browser/testing/a-console.ts';
import { aPage } from '../browser/testing/a-page.ts';

/** A kubeconfig of unknown origin: with programs that run when credentials are needed, and with a server that would get a token unencrypted. */
const folder = mkdtempSync(join(tmpdir(), 'signalbox-listed-'));
const ran = (name: string) => join(folder, `${name}.ran`);
const programs = ['one', 'two', 'three'];
const seen: string[] = [];
let listening: Server;
let console: AConsole;

beforeAll(async () => {
  listening = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      seen.push(data.toString('latin1'));
      socket.destroy();
    });
  });
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
  const { port } = listening.address() as AddressInfo;
  const program = (name: string) => ({
    apiVersion: 'client.authentication.k8s.io/v1',
    command: '/bin/sh',
    args: ['-c', `: > '${ran(name)}'; exit 1`],
    interactiveMode: 'Never',
  });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    kubeconfigText({
      current: 'two',
      clusters: { nobody: { server: 'https://127.0.0.1:1' }, plain: { server: `http://127.0.0.1:${port}` } },
      users: {
        ...Object.fromEntries(programs.map((name) => [name, { exec: program(name) }])),
        token: { token: 'not-a-secret' },
      },
      contexts: [...programs.map((name) => [name, 'nobody', name] as const), ['plain', 'plain', 'token']],
    }),
  );
  console = await aConsole({ kubeconfig });
});

afterAll(async () => {
  await console?.close();
  listening?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the start page runs the program of the current context alone and sends no token in the clear; a button asks one more', async () => {
  const { page } = await aPage(console);
  await page.goto('/');
  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
  for (const name of ['one', 'three']) await row(name).getByText('Its credentials come from a program.').waitFor();
  await row('plain').getByText('Its connection is not encrypted.').waitFor();
  await row('two').getByText('No valid credentials').waitFor();
  const whoRan = () => programs.filter((name) => existsSync(ran(name)));
  expect([whoRan(), seen]).toEqual([['two'], []]);

  await row('three').getByRole('button', { name: 'Ask this cluster' }).click();
  await row('three').getByText('No valid credentials').waitFor();
  expect([whoRan(), seen]).toEqual([['two', 'three'], []]);
});

test('a connection that protects nothing stands above each page of the cluster', async () => {
  const { page } = await aPage(console);
  await page.goto('/');
  await page.getByRole('link', { name: 'plain', exact: true }).click();
  const strip = page.getByRole('region', { name: 'Connection to this cluster' });
  await strip.getByText(/is reached without TLS/).waitFor();
  for (const link of ['Findings', 'Runs']) {
    await page.getByRole('navigation').getByRole('link', { name: link }).locator('visible=true').first().click();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await strip.isVisible()).toBe(true);
  }
});
