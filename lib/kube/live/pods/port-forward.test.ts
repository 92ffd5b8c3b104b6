import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { createStore } from '../../store/index.ts';
import { connectionTo } from '../testing/client.ts';
import { statusBody } from '../testing/local-server.ts';
import { portForward } from './port-forward.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** What a kubelet sends on a channel; a client's own frames are masked. */
const frame = (channel: number, content: Buffer | string) => {
  const bytes = Buffer.concat([Buffer.from([channel]), Buffer.from(content)]);
  return Buffer.concat([Buffer.from([0x82, bytes.length]), bytes]);
};
const port = Buffer.from([0x17, 0x1d]);

/** An API server in front of a kubelet: each stream begins with the port, and then `talk` answers what is sent. */
async function apiServer(talk: (sent: Buffer | null, socket: Duplex) => void, status = 400) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(statusBody(status, status === 403 ? 'Forbidden' : 'BadRequest')));
  });
  server.on('upgrade', async (request, socket) => {
    socket.on('error', () => {});
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const digest = Buffer.from(await crypto.subtle.digest('SHA-1', Buffer.from(key))).toString('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${digest}\r\nsec-websocket-protocol: ${request.headers['sec-websocket-protocol']}\r\n\r\n`,
    );
    socket.write(Buffer.concat([frame(0, port), frame(1, port)]));
    talk(null, socket);
    socket.on('data', (data: Buffer) => {
      if (data[0] !== 0x82) return void socket.end(Buffer.from([0x88, 0]));
      const mask = data.subarray(2, 6);
      const plain = data.subarray(6).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
      expect(plain[0]).toBe(0);
      talk(Buffer.from(plain.subarray(1)), socket);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = await connectionTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    token: 'hush',
  });
  return { connection, paths };
}
const pod = { namespace: 'calico-system', name: 'goldmane-1', port: 7443 };

test('bytes go both ways, without the protocol’s own', async () => {
  const { connection, paths } = await apiServer((sent, socket) => sent && socket.write(frame(0, `you said ${sent}`)));
  const stream = await portForward(connection, pod, {});
  expect(paths[0]).toBe('/api/v1/namespaces/calico-system/pods/goldmane-1/portforward?ports=7443');
  stream.write('hello');
  const [heard] = await once(stream, 'data');
  expect(String(heard)).toBe('you said hello');
  stream.end();
  await once(stream, 'close');
  await connection.close();
});

test('where nothing listens in the pod, the kubelet’s words are the error', async () => {
  const { connection } = await apiServer(
    (_sent, socket) => void socket.write(frame(1, 'dial tcp: connection refused')),
  );
  const stream = await portForward(connection, pod, {});
  const [error] = await once(stream, 'error');
  expect(error).toMatchObject({ code: 'unreachable', message: expect.stringContaining('connection refused') });
  await connection.close();
});

test('the end of the connection is the end of the stream', async () => {
  const { connection } = await apiServer((_sent, socket) => void socket.end(Buffer.from([0x88, 0])));
  const stream = (await portForward(connection, pod, {})).resume();
  await once(stream, 'close');
  await connection.close();
});

test('who may not is told the exact rule', async () => {
  const { connection } = await apiServer(() => {}, 403);
  await expect(portForward(connection, pod, {})).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { verb: 'create', resource: 'pods', subresource: 'portforward', name: 'goldmane-1' } },
  });
  await connection.close();
});

test('whoever calls it off ends the stream, and so does the client’s own end', async () => {
  const { connection } = await apiServer(() => {});
  const calledOff = new AbortController();
  const first = await portForward(connection, pod, { signal: calledOff.signal });
  const second = await portForward(connection, pod, {});
  const errors = Promise.all([once(first, 'error'), once(second, 'error')]);
  calledOff.abort();
  await connection.close();
  expect((await errors).flat()).toMatchObject([{ code: 'aborted' }, { code: 'aborted' }]);
});

test('a store answers for its pods as it was told to', async () => {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: pod.namespace, name: pod.name } };
  const echo = async ({ port: requested }: { port: number }) => Duplex.from([Buffer.from(`port ${requested}`)]);
  const store = createStore({ name: 'here', source: 'sandbox', objects: [object], pods: { portForward: echo } });
  const [heard] = await once((await store.portForward?.(pod)) ?? expect.unreachable(), 'data');
  expect(String(heard)).toBe('port 7443');
  const silent = createStore({ name: 'here', source: 'sandbox', objects: [object] });
  await expect(silent.portForward?.(pod)).rejects.toMatchObject({ code: 'unsupported' });
});
