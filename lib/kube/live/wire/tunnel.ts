import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hostAndPort } from '#lib/base/ip.ts';
import { messageOf } from '#lib/base/message-of.ts';
import type { ProxyRoute } from './proxy.ts';

/** A proxy's refusal. Its code differs from undici's, on which undici would retry for ever. */
class TunnelError extends Error {
  readonly code = 'ERR_TUNNEL';
  override readonly name = 'TunnelError';
}

/**
 * A connection to `host:port` through a proxy: CONNECT for http and https proxies, also for plain http targets;
 * SOCKS 5 with the name resolved at the proxy. undici's own SOCKS agent warns on every process that it is experimental.
 */
export function openTunnel(proxy: ProxyRoute, host: string, port: number, timeoutMs: number): Promise<Socket> {
  return proxy.kind === 'socks5' ? socks5(proxy, host, port, timeoutMs) : httpConnect(proxy, host, port, timeoutMs);
}

function httpConnect(proxy: ProxyRoute, host: string, port: number, timeoutMs: number): Promise<Socket> {
  const target = hostAndPort({ host, port });
  return new Promise((resolve, reject) => {
    const request = (proxy.kind === 'https' ? httpsRequest : httpRequest)({
      host: proxy.host,
      port: proxy.port,
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: {
        host: target,
        ...(proxy.user
          ? {
              'proxy-authorization': `Basic ${Buffer.from(`${proxy.user.name}:${proxy.user.password}`).toString('base64')}`,
            }
          : {}),
      },
    });
    const timer = setTimeout(() => {
      request.destroy(new TunnelError(`the proxy ${proxy.label} did not answer within ${timeoutMs / 1000} s`));
    }, timeoutMs);
    request.once('connect', (response, socket) => {
      clearTimeout(timer);
      if (response.statusCode === 200) return resolve(asSocket(socket));
      socket.destroy();
      reject(new TunnelError(`the proxy ${proxy.label} refused to connect to ${target} (${response.statusCode})`));
    });
    request.once('response', (response) => {
      clearTimeout(timer);
      response.resume();
      reject(new TunnelError(`the proxy ${proxy.label} refused to connect to ${target} (${response.statusCode})`));
    });
    request.once('error', (error) => {
      clearTimeout(timer);
      reject(
        error instanceof TunnelError
          ? error
          : new TunnelError(`the proxy ${proxy.label} cannot be reached: ${error.message}`),
      );
    });
    request.end();
  });
}

/** RFC 1928, and RFC 1929 for user and password. */
async function socks5(proxy: ProxyRoute, host: string, port: number, timeoutMs: number): Promise<Socket> {
  const socket = connect({ host: proxy.host, port: proxy.port });
  const refuse = (because: string) => new TunnelError(`the SOCKS proxy ${proxy.label} ${because}`);
  const timer = setTimeout(() => socket.destroy(refuse(`did not answer within ${timeoutMs / 1000} s`)), timeoutMs);
  const read = exactReader(socket);
  try {
    socket.write(Buffer.from([5, 1, proxy.user ? 2 : 0]));
    const [, method] = await read(2);
    if (method !== (proxy.user ? 2 : 0))
      throw refuse(proxy.user ? 'takes no user and password' : 'wants user and password');
    if (proxy.user) {
      const name = Buffer.from(proxy.user.name);
      const password = Buffer.from(proxy.user.password);
      if (name.length > 255 || password.length > 255) throw refuse('takes no user or password of more than 255 bytes');
      socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([password.length]), password]));
      if ((await read(2))[1] !== 0) throw refuse('does not accept this user and password');
    }
    const name = Buffer.from(host);
    if (name.length > 255) throw refuse('takes no name of more than 255 bytes');
    socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 255])]));
    const [, reply, , addressType] = await read(4);
    if (reply !== 0) throw refuse(`could not connect to ${host}:${port} (${reply})`);
    await read((addressType === 1 ? 4 : addressType === 4 ? 16 : ((await read(1))[0] ?? 0)) + 2);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof TunnelError ? error : refuse(`cannot be reached: ${messageOf(error)}`);
  } finally {
    clearTimeout(timer);
    // TLS reads from here on, and reports its own errors.
    socket.removeAllListeners('readable');
  }
}

/** Reads exactly `count` bytes at a time; the rest stays in the socket for TLS. */
function exactReader(socket: Socket): (count: number) => Promise<Buffer> {
  let failure: Error | null = null;
  let wake = () => {};
  socket.on('readable', () => wake());
  socket.once('error', (error) => {
    failure = error;
    wake();
  });
  socket.once('close', () => {
    failure ??= new Error('the connection was closed');
    wake();
  });
  return async (count) => {
    for (;;) {
      if (failure) throw failure;
      const chunk: unknown = socket.read(count);
      if (chunk instanceof Buffer && chunk.length === count) return chunk;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}

/** Node types the socket of `connect` as a Duplex; it is a net or TLS socket. */
function asSocket(socket: Duplex): Socket {
  if ('setKeepAlive' in socket && 'remoteAddress' in socket) return socket as Socket;
  throw new TunnelError('the connection to the proxy is not a socket');
}
