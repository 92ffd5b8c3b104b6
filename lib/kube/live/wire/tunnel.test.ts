import { createServer as createHttp } from 'node:http';
import { type AddressInfo, connect as connectTcp, createServer as createTcp, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import { certificates } from '../testing/certificates.ts';
import { connectionTo } from '../testing/client.ts';
import { json, localServer } from '../testing/local-server.ts';
import { getObject } from '../write.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
const ca = { 'certificate-authority-data': Buffer.from(certificates.authority).toString('base64') };

/** An API server with TLS that only answers to the name api.example, which nobody but our proxies can resolve. */
async function apiServer(): Promise<number> {
  const server = await localServer((_request, response) => json(response, 200, node), certificates.server);
  closing.push(server.close);
  return server.port;
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function join(a: Socket, b: Socket): void {
  a.pipe(b).pipe(a);
  for (const socket of [a, b]) socket.on('error', () => {});
}

async function httpProxy(port: number, status = 200) {
  const seen: (string | undefined)[] = [];
  const proxy = createHttp();
  proxy.on('connect', (request, client) => {
    seen.push(request.url, request.headers['proxy-authorization']);
    client.write(`HTTP/1.1 ${status} X\r\n\r\n`);
    if (status === 200) join(client as Socket, connectTcp(port, '127.0.0.1'));
    else client.end();
  });
  return { port: await listen(proxy), seen };
}

async function socksProxy(port: number) {
  const seen: string[] = [];
  const proxy = createTcp(async (client) => {
    client.on('error', () => {});
    const next = () => new Promise<Buffer>((resolve) => client.once('data', resolve));
    const greeting = await next();
    client.write(Buffer.from([5, greeting[2] ?? 0]));
    if (greeting[2] === 2) {
      seen.push((await next()).subarray(1).toString('latin1'));
      client.write(Buffer.from([1, 0]));
    }
    const request = await next();
    const length = request[4] ?? 0;
    seen.push(`${request.subarray(5, 5 + length)}:${request.readUInt16BE(5 + length)}`);
    // In two pieces, as networks do.
    client.write(Buffer.from([5, 0, 0]));
    setTimeout(() => {
      client.write(Buffer.from([1, 0, 0, 0, 0, 0, 0]));
      join(client, connectTcp(port, '127.0.0.1'));
    }, 20);
  });
  return { port: await listen(proxy), seen };
}

async function getThrough(proxy: string | null, env = {}) {
  const connection = await connectionTo(
    'https://api.example:6443',
    { token: 'abcd' },
    { ...ca, ...(proxy ? { 'proxy-url': proxy } : {}) },
    env,
  );
  closing.push(connection.close);
  return getObject(connection, { resource: resources.nodes, name: 'n' }, { timeoutMs: 5000 });
}

test('an http proxy is asked to connect, with its own user and nothing of ours', async () => {
  const proxy = await httpProxy(await apiServer());
  expect(await getThrough(`http://u:p%40@127.0.0.1:${proxy.port}`)).toMatchObject(node);
  expect(proxy.seen).toEqual(['api.example:6443', `Basic ${Buffer.from('u:p@').toString('base64')}`]);
});

test('the proxy of the environment', async () => {
  const proxy = await httpProxy(await apiServer());
  expect(await getThrough(null, { HTTPS_PROXY: `127.0.0.1:${proxy.port}` })).toMatchObject(node);
});

test.each(['', 'u:p@'])('a SOCKS proxy resolves the name itself (user: "%s")', async (user) => {
  const proxy = await socksProxy(await apiServer());
  expect(await getThrough(`socks5://${user}127.0.0.1:${proxy.port}`)).toMatchObject(node);
  expect(proxy.seen).toEqual(user ? ['\u0001u\u0001p', 'api.example:6443'] : ['api.example:6443']);
});

test('a proxy that refuses is named, with what it answered', async () => {
  const proxy = await httpProxy(0, 407);
  await expect(getThrough(`http://127.0.0.1:${proxy.port}`)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining(`the proxy 127.0.0.1:${proxy.port} refused to connect to api.example:6443 (407)`),
  });
});

test('what is no SOCKS proxy', async () => {
  const port = await listen(createTcp((socket) => socket.end('HTTP/1.1 400\r\n\r\n')));
  await expect(getThrough(`socks5://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'unreachable' });
});
