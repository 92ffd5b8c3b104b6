import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type ConsoleProcess, runningConsole, signalbox } from './testing/console-process.ts';
import { ask, signIn } from './testing/http.ts';

const build = () => inject('consoleBuild');
let state: string;
const started: ConsoleProcess[] = [];
const servers: Server[] = [];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'signalbox-process-'));
});
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.child.kill('SIGKILL');
    await one.ended;
  }
  for (const server of servers.splice(0)) server.close();
  rmSync(state, { recursive: true, force: true });
});

async function run(args: readonly string[] = []) {
  const one = await runningConsole(build(), state, args);
  started.push(one);
  return one;
}

const socket = () => join(state, 'signalbox', 'console.sock');

test('one link is printed, alone on stdout; what is said is on stderr, with the path of the log', async () => {
  const one = await run();
  expect(one.out().match(/http:/g)).toHaveLength(1);
  expect(one.out().trim()).toMatch(/^http:\/\/[a-z2-7]{24}\.localhost:\d+\/sign-in#key=[\w-]{43}$/);
  await expect.poll(one.err).toContain(join(state, 'signalbox', 'console.log'));
});

test('a second start prints a link to the one that runs, and ends', async () => {
  const one = await run();
  const second = signalbox(['console', '--build', build()], state);
  expect(await second.ended).toBe(0);
  expect(second.out()).toMatch(new RegExp(`^${one.url}/sign-in#key=[\\w-]{43}\n$`));
  expect(second.err()).not.toContain('another build');
  expect(second.err()).not.toContain('without');
  const third = signalbox(['console', '--build', state, '--port', '1', '--kubeconfig', 'other'], state);
  expect(await third.ended).toBe(0);
  expect(third.err()).toContain('another build');
  expect(third.err()).toContain('It runs without --port and --kubeconfig');
  const key = second.out().split('#key=')[1]?.trim() ?? '';
  expect((await signIn(one, key)).status).toBe(200);
  expect((await signIn(one, one.key)).status).toBe(200);
});

test('two starts at the same time: one runs, both print links to it', async () => {
  const both = [0, 1].map(() => signalbox(['console', '--build', build(), '--port', '0'], state));
  started.push(...both);
  await expect.poll(() => both.every((one) => one.out().includes('#key='))).toBe(true);
  const ports = both.map((one) => new URL(one.out().trim()).port);
  expect(ports[0]).toBe(ports[1]);
  const loser = await Promise.race(both.map(async (one) => ({ one, code: await one.ended })));
  expect(loser.code).toBe(0);
});

test('a terminal that was closed does not cut the end short', async () => {
  const one = await run();
  one.child.stdout?.destroy();
  one.child.stderr?.destroy();
  one.child.kill('SIGHUP');
  expect(await one.ended).toBe(0);
  expect(readFileSync(join(state, 'signalbox', 'console.log'), 'utf8')).toContain('console ended');
  expect(existsSync(socket())).toBe(false);
});

test('SIGTERM ends it in order', async () => {
  const one = await run();
  const from = performance.now();
  one.child.kill('SIGTERM');
  expect(await one.ended).toBe(0);
  // Six seconds are promised; here others may be busy.
  expect(performance.now() - from).toBeLessThan(30_000);
  expect(existsSync(socket())).toBe(false);
  expect(readFileSync(join(state, 'signalbox', 'console.log'), 'utf8')).toContain('console ended');
});

test('SIGTERM ends it while a stream is open', async () => {
  const one = await run();
  const { cookie } = await signIn(one, one.key);
  const page = await ask(one, '/', { headers: { Cookie: cookie } });
  const slug = /\/clusters\/(standard-[0-9a-f]{8})/.exec(page.body)?.[1];
  const stream = ask(one, `/api/clusters/${slug}/events`, {
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
  }).catch(() => 'cut');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  one.child.kill('SIGTERM');
  expect(await one.ended).toBe(0);
  await stream;
});

test('after SIGKILL the next start takes its place', async () => {
  const one = await run();
  one.child.kill('SIGKILL');
  expect(await one.ended).toBe('SIGKILL');
  expect(existsSync(socket())).toBe(true);
  const next = await run();
  const link = signalbox(['console', 'link'], state);
  expect(await link.ended).toBe(0);
  expect(link.out()).toContain(`${next.url}/sign-in#key=`);
});

test('where none runs, a link is refused with what to do', async () => {
  const link = signalbox(['console', 'link'], state);
  expect(await link.ended).toBe(4);
  expect(link.err()).toContain('npm start');
  expect(link.out()).toBe('');
});

test('a port that is taken is said, when it was asked for', async () => {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const refused = signalbox(['console', '--build', build(), '--port', String(port)], state);
  expect(await refused.ended).toBe(2);
  expect(refused.err()).toContain(`Port ${port} is taken`);
});

test.each([
  ['while it starts', 'process.listenerCount("uncaughtException") > 0'],
  ['while it runs', 'globalThis[Symbol.for("signalbox.host")]'],
])('a fault that nobody caught, %s, ends it with a sentence, the path of the log, and no secret', async (_, when) => {
  const throwing = `
    const timer = setInterval(() => {
      if (!(${when})) return;
      clearInterval(timer);
      throw new Error('broken: token=abcdefgh');
    }, 1);`;
  const one = signalbox(['console', '--build', build(), '--port', '0'], state, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throwing)}`,
  });
  started.push(one);
  expect(await one.ended).toBe(1);
  const log = join(state, 'signalbox', 'console.log');
  expect(one.err()).toContain('the console ended by a fault of its own');
  expect(one.err()).toContain(log);
  expect(readFileSync(log, 'utf8')).toMatch(
    /the console ends by a fault\n {4}Error: broken: token=‹masked: looks like a credential›\n/,
  );
});

test('a start that fails half-way ends too', async () => {
  const broken = join(state, 'broken');
  mkdirSync(broken);
  writeFileSync(join(broken, 'BUILD_ID'), 'x');
  const one = signalbox(['console', '--build', broken, '--port', '0'], state);
  started.push(one);
  expect(await one.ended).toBe(1);
  expect(one.err()).toContain(join(state, 'signalbox', 'console.log'));
});

test('paths are meant from where it was started', async () => {
  const context =
    'clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]\nusers: [{name: u, user: {token: t}}]';
  const kubeconfig = `${context}\ncontexts: [{name: found-me, context: {cluster: c, user: u}}]\n`;
  writeFileSync(join(state, 'mine.yaml'), kubeconfig);
  const one = await run(['--kubeconfig', 'mine.yaml']);
  const { cookie } = await signIn(one, one.key);
  expect((await ask(one, '/', { headers: { Cookie: cookie } })).body).toContain('found-me');
});

test('a fault in a page is in the log with its cause, and not on the page', async () => {
  const breaking = `
    const timer = setInterval(() => {
      const host = globalThis[Symbol.for('signalbox.host')];
      if (!host) return;
      clearInterval(timer);
      host.clusters = async () => { throw new Error('broken-inside'); };
    }, 10);`;
  const one = await runningConsole(build(), state, [], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breaking)}`,
  });
  started.push(one);
  const { cookie } = await signIn(one, one.key);
  const reply = await ask(one, '/', { headers: { Cookie: cookie } });
  expect(reply.body).not.toContain('broken-inside');
  expect(readFileSync(join(state, 'signalbox', 'console.log'), 'utf8')).toContain('Error: broken-inside');
  expect(one.err()).not.toContain('broken-inside');
});

test.each([
  [['console', '--port', '70000'], /--port: "70000" is not a port/],
  [['console', '--port', 'x'], /--port: "x" is not a port/],
  [['console', '--build', '/nonexistent'], /there is no finished build in/],
  [['console', 'lnk'], /"lnk" is not understood/],
])('%j is refused with a sentence', async (args, sentence) => {
  const refused = signalbox(args, state);
  expect(await refused.ended).toBe(2);
  expect(refused.err()).toMatch(sentence);
});

test('nothing it keeps can be read by others', async () => {
  await run();
  const modes = ['', 'session-key', 'console.log', 'console.sock'].map(
    (name) => statSync(join(state, 'signalbox', name)).mode & 0o077,
  );
  expect(modes).toEqual([0, 0, 0, 0]);
});

test.runIf(process.platform === 'linux')('it listens on the loopback addresses only', async () => {
  const one = await run();
  const port = one.port.toString(16).toUpperCase().padStart(4, '0');
  const listening = (table: string) =>
    readFileSync(table, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , kind]) => kind === '0A' && local?.endsWith(`:${port}`))
      .map(([, local]) => local?.split(':')[0]);
  expect(listening('/proc/net/tcp')).toEqual(['0100007F']);
  if (existsSync('/proc/net/tcp6'))
    expect(['', '00000000000000000000000001000000']).toContain(listening('/proc/net/tcp6').join());
});

test('with --host 127.0.0.1 that is all it answers to, and what it costs is said', async () => {
  const one = await run(['--host', '127.0.0.1']);
  expect(one.url).toBe(`http://127.0.0.1:${one.port}`);
  await expect.poll(one.err).toContain('can then take over your session');
  const { cookie } = await signIn(one, one.key);
  expect((await ask(one, '/', { headers: { Cookie: cookie } })).status).toBe(200);
  const named = { ...one, host: `localhost:${one.port}` };
  expect((await ask(named, '/', { headers: { Cookie: cookie } })).status).toBe(421);
});

test('its name is the same after a restart', async () => {
  const one = await run();
  one.child.kill('SIGKILL');
  await one.ended;
  const next = await run();
  expect(next.host.split(':')[0]).toBe(one.host.split(':')[0]);
});
