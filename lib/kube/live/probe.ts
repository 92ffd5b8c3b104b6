import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Client } from 'undici';
import type { CallOptions, EndpointProbe } from '../port.ts';
import type { Connection } from './connection.ts';
import { codeOf } from './secret.ts';
import { joinSignals, orAborted } from './wire/deadline.ts';
import { tlsSentence } from './wire/transport-error.ts';

const limitMs = 5_000;

/**
 * Dials an address as the data plane would: name, connection, certificate against the cluster's authorities, then /readyz with this
 * cluster's credentials. The first handshake carries no client certificate and nothing is sent on it; credentials go only over a
 * second connection that verifies, whatever `insecure-skip-tls-verify` says. Never through a proxy: nodes have none.
 */
export async function probe(
  connection: Connection,
  endpoint: { host: string; port: number },
  options: CallOptions,
): Promise<EndpointProbe> {
  const limit = Math.min(options.timeoutMs ?? limitMs, limitMs);
  const ending = joinSignals(options.signal, connection.closed, AbortSignal.timeout(limit));
  const { signal } = ending;
  const host = endpoint.host.replace(/^\[|\]$/g, '');
  try {
    const name = await resolveName(host, signal);
    if (!name.resolved) {
      return { name, connection: { made: false, because: 'the name is not resolved' }, certificate: null, ready: null };
    }
    const dialled = await dial(name.addresses, endpoint.port, signal);
    if ('because' in dialled) {
      return { name, connection: { made: false, because: dialled.because }, certificate: null, ready: null };
    }
    const { socket, latencyMs } = dialled;
    const made = { made: true, latencyMs } as const;
    const certificate = await inspect(connection, socket, host, signal);
    if (!certificate.verified) return { name, connection: made, certificate, ready: null };
    return {
      name,
      connection: made,
      certificate,
      ready: await askReady(connection, host, dialled.address, endpoint.port, signal),
    };
  } finally {
    ending.dispose();
  }
}

async function resolveName(host: string, signal: AbortSignal): Promise<EndpointProbe['name']> {
  if (isIP(host) !== 0) return { resolved: true, addresses: [host] };
  try {
    const found = await orAborted(lookup(host, { all: true }), signal);
    return { resolved: true, addresses: [...new Set(found.map(({ address }) => address))] };
  } catch (error) {
    const code = codeOf(error);
    const because =
      code === 'ENOTFOUND'
        ? 'no such name'
        : signal.aborted
          ? notInTime
          : `resolving it failed (${code ?? 'no reason given'})`;
    return { resolved: false, because };
  }
}

type Dialled = { socket: Socket; address: string; latencyMs: number } | { because: string };

/** One address after the other, as most clients do; the first that takes the connection is the one. */
async function dial(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Dialled> {
  let because = notInTime;
  for (const address of addresses) {
    if (signal.aborted) break;
    const startedAt = performance.now();
    const socket = connectTcp({ host: address, port });
    try {
      await event(socket, 'connect', signal);
      return { socket, address, latencyMs: Math.round((performance.now() - startedAt) * 10) / 10 };
    } catch (error) {
      socket.destroy();
      because = signal.aborted ? notInTime : dialSentence(codeOf(error));
    }
  }
  return { because };
}

/** The handshake alone, without credentials. The names are read from the certificate also when it does not verify. */
async function inspect(
  connection: Connection,
  socket: Socket,
  host: string,
  signal: AbortSignal,
): Promise<NonNullable<EndpointProbe['certificate']>> {
  const { authorities } = connection.access;
  const secure = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(authorities === null ? {} : { ca: authorities }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: false,
  });
  try {
    await event(secure, 'secureConnect', signal);
    const certificateNames = namesOf(secure);
    if (secure.authorized) return { verified: true, names: certificateNames };
    const code = codeOf(secure.authorizationError) ?? String(secure.authorizationError);
    return {
      verified: false,
      names: certificateNames,
      because: tlsSentence(code, host) ?? `it does not verify (${code})`,
    };
  } catch (error) {
    const because = signal.aborted
      ? notInTime
      : (tlsSentence(codeOf(error) ?? '', host) ?? 'the TLS handshake broke off');
    return { verified: false, names: [], because };
  } finally {
    secure.destroy();
    socket.destroy();
  }
}

function namesOf(socket: TLSSocket): string[] {
  const { subjectaltname, subject } = socket.getPeerCertificate();
  const listed = (subjectaltname ?? '')
    .split(', ')
    .flatMap((entry) => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1] ?? []);
  const common = subject?.CN;
  return listed.length > 0 || common === undefined ? [...new Set(listed)] : [common].flat();
}

/** A new connection to the address that answered, which refuses any certificate that does not verify before it sends a byte. */
async function askReady(
  connection: Connection,
  host: string,
  address: string,
  port: number,
  signal: AbortSignal,
): Promise<EndpointProbe['ready']> {
  const { access } = connection;
  const origin = `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const { headers, certificate } = await connection.upgrade();
  const client = new Client(origin, {
    allowH2: false,
    connect: {
      timeout: limitMs,
      ...(access.authorities === null ? {} : { ca: access.authorities }),
      ...(certificate ? { cert: certificate.cert, key: certificate.key.reveal() } : {}),
      rejectUnauthorized: true,
      lookup: (_name, { all }, done) => {
        const family = isIP(address);
        if (all) done(null, [{ address, family }]);
        else done(null, address, family);
      },
    },
  });
  try {
    const { statusCode, body } = await client.request({ path: '/readyz', method: 'GET', headers, signal });
    await body.dump();
    return { status: statusCode, ok: statusCode === 200 };
  } catch {
    return null;
  } finally {
    void client.destroy();
  }
}

const notInTime = `no answer within ${limitMs / 1000} s`;

function dialSentence(code: string | null): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused: nothing listens there';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'there is no route to it';
    case 'ETIMEDOUT':
      return notInTime;
    default:
      return `no connection (${code ?? 'no reason given'})`;
  }
}

function event(socket: Socket, name: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return orAborted(
    new Promise((resolve, reject) => {
      socket.once(name, () => resolve());
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('closed')));
    }),
    signal,
  );
}
