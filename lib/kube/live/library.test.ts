import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { PassThrough } from 'node:stream';
import { setTimeout as realSleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Exec, KubeConfig } from '@kubernetes/client-node';
import { afterEach, expect, test, vi } from 'vitest';
import { isAlive } from '#lib/base/process-identity.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { systemClock } from '../clock.ts';
import { listContexts } from './connect.ts';
import { chooseContext } from './kubeconfig/choose.ts';
import { loadKubeconfig } from './kubeconfig/load.ts';
import { resolveAccess } from './kubeconfig/resolve.ts';
import { podExec } from './pods/exec.ts';
import { connectionTo } from './testing/client.ts';
import { kubeconfigFor } from './testing/local-server.ts';

/**
 * Why contexts, credentials and streams are ours: each row is a case which @kubernetes/client-node 2.0.1 gets wrong in the way that stands there.
 * A row whose last column fails after an upgrade is one reason less; when none is left, the library can take over.
 */
const folder = testFolder('library');
const path = (name: string) => join(folder, name);
const file = (name: string, content: string) => {
  writeFileSync(path(name), content);
  return path(name);
};
const servers: Server[] = [];
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const shortMs = 1_000;

/** What a promise came to, in one word or sentence; `nothing` when it took longer. A slow machine must not make ours look like the library's. */
async function outcome(work: Promise<unknown>, withinMs = 20_000): Promise<unknown> {
  const failed = (error: unknown) => (error instanceof Error ? ('code' in error ? error.code : error.message) : error);
  return Promise.race([work.catch(failed), realSleep(withinMs, 'nothing', { ref: false })]);
}

type Row = { given: string; ours(): Promise<unknown>; right: unknown; library(): Promise<unknown>; wrong: unknown };

const contextsOfOurs = async (env: Record<string, string>) =>
  (await listContexts({ env, home: folder, serviceAccountFolder: '/nonexistent' })).map(({ name, server }) => [
    name,
    server,
  ]);
const contextsOfLibrary = async (env: Record<string, string>) => {
  vi.stubEnv('KUBECONFIG', '');
  vi.stubEnv('HOME', folder);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const config = new KubeConfig();
  config.loadFromDefault();
  return config.getContexts().map(({ name, cluster }) => [name, config.getCluster(cluster)?.server]);
};

const one = file('one', kubeconfigFor('https://one:6443', { token: 'hush-token' }));
const two = file('two', kubeconfigFor('https://two:6443'));
const list = file('list', '- 1\n');

const kubeconfigs: Row[] = [
  {
    given: 'KUBECONFIG names a file that is not there, and one that is',
    ours: () => contextsOfOurs({ KUBECONFIG: [path('missing'), one].join(delimiter) }),
    right: [['here', 'one:6443']],
    library: () => outcome(contextsOfLibrary({ KUBECONFIG: [path('missing'), one].join(delimiter) })),
    wrong: 'ENOENT',
  },
  {
    given: 'no kubeconfig at all',
    ours: () => contextsOfOurs({}),
    right: [],
    library: () => contextsOfLibrary({}),
    wrong: [['loaded-context', 'http://localhost:8080']],
  },
  {
    given: 'two files with entries of one name, of which the first counts',
    ours: () => contextsOfOurs({ KUBECONFIG: [one, two].join(delimiter) }),
    right: [['here', 'one:6443']],
    library: () => outcome(contextsOfLibrary({ KUBECONFIG: [one, two].join(delimiter) })),
    wrong: 'Duplicate cluster: local',
  },
  {
    given: 'a file that is no kubeconfig',
    ours: () => outcome(contextsOfOurs({ KUBECONFIG: list })),
    right: 'invalid',
    library: () => outcome(contextsOfLibrary({ KUBECONFIG: list })),
    wrong: [],
  },
  {
    given: 'a loaded kubeconfig that somebody prints',
    ours: async () => inspect(await loadKubeconfig({ kubeconfig: one }), { depth: 9 }).includes('hush-token'),
    right: false,
    library: async () => {
      const config = new KubeConfig();
      config.loadFromFile(one);
      return inspect(config, { depth: 9 }).includes('hush-token');
    },
    wrong: true,
  },
  {
    given: 'a proxy in the environment',
    ours: async () => (await connectionTo('https://h:6443', {}, {}, { HTTPS_PROXY: 'http://proxy:3128' })).route(),
    right: 'proxy',
    library: async () => {
      vi.stubEnv('HTTPS_PROXY', 'http://proxy:3128');
      const config = new KubeConfig();
      config.loadFromString(kubeconfigFor('https://h:6443'));
      const options: { agent?: object } = {};
      await config.applyToHTTPSOptions(options);
      return options.agent && 'proxy' in options.agent ? 'proxy' : 'direct';
    },
    wrong: 'direct',
  },
];

const credential = `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}'`;

/** A kubeconfig whose plug-in runs this script, which may write to files named `$D/…`. */
const pluginConfig = (script: string) =>
  kubeconfigFor('https://h:6443', {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'IfAvailable',
      command: 'sh',
      args: ['-c', `echo $$ >> $D/pids; ${script}`],
      env: [{ name: 'D', value: mkdtempSync(join(folder, 'plugin-')) }],
    },
  });
const folderOf = (config: string) => /value: (\S+plugin-\S+)/.exec(config)?.[1] ?? '';
const pidsIn = (config: string, name = 'pids') => {
  try {
    return readFileSync(join(folderOf(config), name), 'utf8')
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
};
async function ourPlugin(config: string) {
  const kubeconfig = file(`config-${Math.random()}`, config);
  const uses = { clock: systemClock, env: { PATH: process.env.PATH } };
  const access = await resolveAccess(chooseContext(await loadKubeconfig({ kubeconfig }), null), uses);
  return access.credentials;
}
function theirPlugin(config: string) {
  const loaded = new KubeConfig();
  loaded.loadFromString(config);
  return async () => {
    const options: { headers?: Record<string, string> } = {};
    await loaded.applyToHTTPSOptions(options);
    return options.headers?.Authorization;
  };
}
const tokenOfOurs = async (config: string) =>
  outcome((await ourPlugin(config)).get(null).then(({ authorization }) => authorization?.reveal()));

/** Runs a plug-in that never ends and has a child, advances the clock by a minute, and checks which processes are left. */
async function afterAMinute(config: string, start: () => Promise<unknown>, withinMs?: number): Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const work = outcome(start(), withinMs);
  while (pidsIn(config, 'child').length === 0) await realSleep(5);
  vi.advanceTimersByTime(60_000);
  const came = await work;
  const alive = () => [...pidsIn(config), ...pidsIn(config, 'child')].filter((pid) => isAlive({ pid }));
  // Killed processes may take a while to end on a busy machine.
  for (const deadline = Date.now() + (withinMs ?? 30_000); alive().length > 0 && Date.now() < deadline; )
    await realSleep(5);
  const left = alive();
  for (const pid of left) process.kill(pid, 'SIGKILL');
  return [came, left.length];
}

const plugins: Row[] = [
  {
    given: 'a plug-in that reads its standard input to the end',
    ours: () => tokenOfOurs(pluginConfig(`cat > /dev/null; ${credential}`)),
    right: 'Bearer t',
    library: async () => {
      const config = pluginConfig(`cat > /dev/null; ${credential}`);
      const came = await outcome(theirPlugin(config)(), shortMs);
      for (const pid of pidsIn(config)) process.kill(pid, 'SIGKILL');
      return came;
    },
    wrong: 'nothing',
  },
  {
    given: 'a plug-in that never ends, and has started another program: it is given up after 30 s, and both are ended',
    ours: async () => {
      const config = pluginConfig('sleep 600 & echo $! > $D/child; wait');
      return afterAMinute(config, async () => (await ourPlugin(config)).get(null));
    },
    right: ['credentials', 0],
    library: async () => {
      const config = pluginConfig('sleep 600 & echo $! > $D/child; wait');
      return afterAMinute(config, theirPlugin(config), shortMs);
    },
    wrong: ['nothing', 2],
  },
  {
    given: 'a plug-in that fails, and tells secrets while it does',
    ours: async () => {
      const credentials = await ourPlugin(pluginConfig('echo "denied: token=hush-token" >&2; exit 1'));
      return credentials.get(null).catch((error: Error) => inspect(error).includes('hush-token'));
    },
    right: false,
    library: () =>
      theirPlugin(pluginConfig('echo "denied: token=hush-token" >&2; exit 1'))().catch((error: Error) =>
        inspect(error).includes('hush-token'),
      ),
    wrong: true,
  },
  {
    given: 'two calls at once that need a credential: the plug-in runs once',
    ours: async () => {
      const config = pluginConfig(credential);
      const credentials = await ourPlugin(config);
      await Promise.all([credentials.get(null), credentials.get(null)]);
      return pidsIn(config).length;
    },
    right: 1,
    library: async () => {
      const config = pluginConfig(credential);
      const ask = theirPlugin(config);
      await Promise.all([ask(), ask()]);
      return pidsIn(config).length;
    },
    wrong: 2,
  },
];

/** An API server that takes any upgrade of a connection to a WebSocket and then does this with it. */
async function streamServer(
  talk: (socket: Duplex) => void,
  refusal?: string,
): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(refusal ? 403 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', status: 'Failure', reason: refusal ?? 'BadRequest', code: 400 }));
  });
  server.on('upgrade', async (request, socket) => {
    paths.push(request.url ?? '');
    socket.on('error', () => {});
    if (refusal) return socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const digest = Buffer.from(await crypto.subtle.digest('SHA-1', Buffer.from(key))).toString('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${digest}\r\nsec-websocket-protocol: v4.channel.k8s.io\r\n\r\n`,
    );
    talk(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}
const frame = (channel: number, text: string) => Buffer.from([0x82, text.length + 1, channel, ...Buffer.from(text)]);
const close = Buffer.from([0x88, 0]);

const ourExec = async (url: string, pod = 'p', timeoutMs = 5_000) => {
  const connection = await connectionTo(url, { token: 'hush-token' });
  return podExec(connection, { namespace: 'n', name: pod, container: 'c' }, ['true'], { timeoutMs }).finally(() =>
    connection.close(),
  );
};
/** The library's answer comes by a callback. */
const theirExec = (url: string, pod = 'p') => {
  const config = new KubeConfig();
  config.loadFromString(kubeconfigFor(url, { token: 'hush-token' }, { 'insecure-skip-tls-verify': true }));
  return new Promise((resolve, reject) => {
    const output = () => new PassThrough().resume();
    new Exec(config).exec('n', pod, 'c', ['true'], output(), output(), null, false, resolve).catch(reject);
  });
};
/** What the process would die of. The test runner listens for it, too, and is asked not to. */
async function uncaughtDuring(work: () => Promise<unknown>): Promise<unknown> {
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const caught = new Promise((resolve) => process.once('uncaughtException', (error) => resolve(error.name)));
  try {
    return await Promise.race([caught, outcome(work())]);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of before) process.on('uncaughtException', listener);
  }
}

const streams: Row[] = [
  {
    given: 'a command that is refused: the error says so and holds no credential',
    ours: async () => {
      const { url } = await streamServer(() => {}, 'Forbidden');
      return ourExec(url).catch((error) => [error.code, inspect(error, { depth: 9 }).includes('hush-token')]);
    },
    right: ['forbidden', false],
    library: async () => {
      const { url } = await streamServer(() => {}, 'Forbidden');
      return theirExec(url).catch((error) => [error.code, inspect(error, { depth: 9 }).includes('hush-token')]);
    },
    wrong: [undefined, true],
  },
  {
    given: 'a status that is no JSON',
    ours: async () =>
      outcome(ourExec((await streamServer((socket) => socket.end(Buffer.concat([frame(3, '{'), close])))).url)),
    right: 'server',
    library: () =>
      uncaughtDuring(async () => theirExec((await streamServer((socket) => void socket.write(frame(3, '{')))).url)),
    wrong: 'SyntaxError',
  },
  {
    given: 'a connection that ends before the command has',
    ours: async () => outcome(ourExec((await streamServer((socket) => socket.end(close))).url)),
    right: 'protocol',
    library: async () => outcome(theirExec((await streamServer((socket) => socket.end(close))).url), shortMs),
    wrong: 'nothing',
  },
  {
    given: 'a server that takes the connection and then says nothing',
    ours: async () => outcome(ourExec((await streamServer(() => {})).url, 'p', 200)),
    right: 'timeout',
    library: async () => outcome(theirExec((await streamServer(() => {})).url), shortMs),
    wrong: 'nothing',
  },
  {
    given: 'a pod whose name leads elsewhere',
    ours: async () => {
      const { url, paths } = await streamServer(() => {});
      await outcome(ourExec(url, '../secrets', 200));
      return paths.some((path) => path.startsWith('/api/v1/namespaces/n/secrets'));
    },
    right: false,
    library: async () => {
      const { url, paths } = await streamServer(() => {});
      await outcome(theirExec(url, '../secrets'), shortMs);
      return paths.some((path) => path.startsWith('/api/v1/namespaces/n/secrets'));
    },
    wrong: true,
  },
];

test.each([...kubeconfigs, ...plugins, ...streams])('$given', async ({ ours, right, library, wrong }) => {
  expect(await ours()).toEqual(right);
  vi.useRealTimers();
  expect(await library()).toEqual(wrong);
});
