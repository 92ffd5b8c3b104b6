import { promisify } from 'node:util';
import { gunzip, constants as zlib } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { orAborted } from '#lib/base/async/or-aborted.ts';
import type { Clock } from '../clock.ts';
import { isKubeError, KubeError, type MissingRule } from '../error.ts';
import type { Credential } from './credentials/credential.ts';
import type { ClusterAccess } from './kubeconfig/access.ts';
import { refused } from './status.ts';
import { type AgentPair, makeAgents } from './wire/agents.ts';
import { backoffMs } from './wire/backoff.ts';
import { type Deadline, deadline } from './wire/deadline.ts';
import { proxyFor } from './wire/proxy.ts';
import { transportError } from './wire/transport-error.ts';

export const defaultTimeoutMs = 30_000;
const attempts = 4;
const retry = { firstMs: 100, baseMs: 200, maxMs: 2_000 };
/** A longer Retry-After is the caller's to decide about. */
const longestRetryAfterMs = 15_000;
/** One page of 500 large objects is some 30 MB; more than this is no answer of an API server. */
const answerLimitBytes = 400 * 1024 * 1024;
const refusalLimitBytes = 1024 * 1024;
/** V8 has no longer strings. */
const unzip = promisify(gunzip);

/** One request. `rule` is what RBAC is asked for, so that a refusal can name what is missing. */
export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly rule: MissingRule | null;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
};

export type HttpAnswer = { readonly status: number; readonly contentType: string; readonly text: string };
type Headers = Record<string, string | string[]>;

export type Opened = { readonly body: AsyncIterable<Buffer>; close(): void };

export type Upgrade = { dispatcher: Dispatcher; headers: Headers };

/** The one way to the API server: credentials, retries, time-outs and error sentences, for everything above it. */
export interface Connection {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborts when the client is closed. */
  readonly closed: AbortSignal;
  /** A success's body. Rejects with a KubeError for everything else. */
  text(call: Call): Promise<HttpAnswer>;
  /** The same, parsed. `protocol` when it is not JSON. */
  json(call: Call): Promise<unknown>;
  /** Any answer, also a refusal: for those who forward it (pod proxy). */
  raw(call: Call): Promise<HttpAnswer>;
  /** A stream that goes on; `idleMs` without a byte ends it with `timeout`. */
  open(call: Call, idleMs: number): Promise<Opened>;
  /** For WebSockets, which do their own HTTP. */
  upgrade(): Promise<Upgrade>;
  /** Whether a proxy stands before the server. Throws `invalid` where the proxy's address is none. */
  route(): 'direct' | 'proxy';
  close(): Promise<void>;
}

export type ConnectionUses = {
  clock: Clock;
  random: () => number;
  env: Readonly<Record<string, string | undefined>>;
  userAgent: string;
  timeoutMs: number;
};

export function openConnection(access: ClusterAccess, uses: ConnectionUses): Connection {
  const { clock, random } = uses;
  const { redactor, server } = access;
  const ending = new AbortController();
  // On loopback, compression only costs: both ends share the CPU that does it.
  const gzip = access.compression === 'wanted' && !server.loopback;
  let agents: { pair: AgentPair; certificate: Credential['certificate'] } | null = null;

  /** A renewed client certificate needs new connections; those of the old one end when they are done. */
  function agentsFor({ certificate }: Credential): AgentPair {
    if (agents?.certificate === certificate && agents) return agents.pair;
    void agents?.pair.requests.close();
    void agents?.pair.streams.close();
    agents = { certificate, pair: makeAgents(access, certificate, uses.env) };
    return agents.pair;
  }

  function headersFor(call: Call, credential: Credential): Headers {
    return {
      accept: call.accept ?? 'application/json',
      'user-agent': uses.userAgent,
      ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
      ...(credential.authorization ? { authorization: credential.authorization.reveal() } : {}),
      ...access.impersonation,
    };
  }

  /** Sends until there is an answer that no retry would better. */
  async function send(call: Call, kind: 'request' | 'stream', limit: Deadline, idleMs: number) {
    let refusedCredential: Credential | null = null;
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    for (let attempt = 1; ; attempt++) {
      const credential: Credential = await orAborted(access.credentials.get(refusedCredential), limit.signal);
      const pair = agentsFor(credential);
      let response: Dispatcher.ResponseData;
      try {
        response = await pair[kind === 'request' ? 'requests' : 'streams'].request({
          origin: server.origin,
          path: server.prefix + call.path,
          method: call.method,
          headers: {
            ...headersFor(call, credential),
            ...(gzip && kind === 'request' && call.method === 'GET' ? { 'accept-encoding': 'gzip' } : {}),
          },
          body,
          signal: limit.signal,
          headersTimeout: kind === 'stream' ? defaultTimeoutMs : 0,
          bodyTimeout: kind === 'stream' ? idleMs : 0,
        });
      } catch (error) {
        const failure = failed(error, call, limit);
        const again =
          failure.error.code === 'unreachable' && (call.method === 'GET' || failure.progress === 'not-sent');
        if (kind === 'stream' || !again || attempt >= attempts) throw failure.error;
        await waitOrThrow(backoffMs(attempt, random, retry), limit, failure.error);
        continue;
      }
      if (response.statusCode >= 200 && response.statusCode < 300) return response;
      if (response.statusCode === 401 && refusedCredential === null) {
        refusedCredential = credential;
        if ((await orAborted(access.credentials.get(credential), limit.signal)) !== credential) {
          await response.body.dump();
          continue;
        }
      }
      const retryAfterMs = retryAfter(response);
      if (
        retryAfterMs === null ||
        attempt >= attempts ||
        retryAfterMs > Math.min(longestRetryAfterMs, limit.remainingMs())
      ) {
        return response;
      }
      await response.body.dump();
      await sleep(retryAfterMs + random() * 250, limit);
    }
  }

  function failed(error: unknown, call: Call, limit: Deadline): ReturnType<typeof transportError> {
    // The deadline's reason is one of ours already, and tells more than what the socket felt.
    const reason: unknown = limit.signal.aborted ? limit.signal.reason : error;
    if (isKubeError(reason)) return { error: reason, progress: 'unknown' };
    return transportError(reason, { host: server.host, method: call.method, redactor });
  }

  function sleep(ms: number, limit: Deadline): Promise<void> {
    return clock.sleep(ms, limit.signal);
  }

  async function waitOrThrow(ms: number, limit: Deadline, error: KubeError): Promise<void> {
    if (ms >= limit.remainingMs()) throw error;
    await sleep(ms, limit);
  }

  async function read(response: Dispatcher.ResponseData, limitBytes: number): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limitBytes) throw tooLong(server.host);
    }
    const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
    if (response.headers['content-encoding'] !== 'gzip') return bytes.toString('utf8');
    try {
      return (await unzip(bytes, { maxOutputLength: limitBytes, finishFlush: zlib.Z_SYNC_FLUSH })).toString('utf8');
    } catch (error) {
      throw new KubeError(
        'protocol',
        `${server.host} sent a compressed answer that is damaged or too long.`,
        {},
        redactor.cause(error),
      );
    }
  }

  async function within<T>(call: Call, act: (limit: Deadline) => Promise<T>): Promise<T> {
    const limit = deadline(
      call.timeoutMs ?? uses.timeoutMs,
      `The request to ${server.host}`,
      call.signal,
      ending.signal,
    );
    try {
      if (limit.signal.aborted) throw limit.signal.reason;
      return await act(limit);
    } catch (error) {
      throw failed(error, call, limit).error;
    } finally {
      limit.dispose();
    }
  }

  function refusal(call: Call, response: Dispatcher.ResponseData, text: string): KubeError {
    return refused(
      { rule: call.rule, path: call.path.split('?')[0] ?? '', host: server.host },
      { status: response.statusCode, contentType: contentType(response), retryAfterMs: retryAfter(response), text },
      (said) => redactor.redact(said),
    );
  }

  const connection: Connection = {
    access,
    clock,
    random,
    closed: ending.signal,

    text: (call) =>
      within(call, async (limit) => {
        const response = await send(call, 'request', limit, 0);
        const good = response.statusCode >= 200 && response.statusCode < 300;
        const text = await read(response, good ? answerLimitBytes : refusalLimitBytes);
        if (!good) throw refusal(call, response, text);
        return { status: response.statusCode, contentType: contentType(response), text };
      }),

    async json(call) {
      const answer = await connection.text(call);
      try {
        return JSON.parse(answer.text);
      } catch {
        // The parser's message quotes the text; neither it nor the text is passed on.
        throw new KubeError('protocol', `What answers at ${server.host} is no API server: its answer is not JSON.`, {
          status: answer.status,
        });
      }
    },

    raw: (call) =>
      within(call, async (limit) => {
        const response = await send(call, 'request', limit, 0);
        return {
          status: response.statusCode,
          contentType: contentType(response),
          text: await read(response, answerLimitBytes),
        };
      }),

    async open(call, idleMs) {
      const limit = deadline(call.timeoutMs ?? null, `The request to ${server.host}`, call.signal, ending.signal);
      try {
        if (limit.signal.aborted) throw limit.signal.reason;
        const response = await send(call, 'stream', limit, idleMs);
        if (response.statusCode !== 200) throw refusal(call, response, await read(response, refusalLimitBytes));
        return {
          body: chunksOf(response.body, (error) => failed(error, call, limit).error),
          close: () => end(response.body, limit),
        };
      } catch (error) {
        limit.dispose();
        throw failed(error, call, limit).error;
      }
    },

    async upgrade() {
      const credential = await access.credentials.get(null);
      const headers: Headers = {
        'user-agent': uses.userAgent,
        ...(credential.authorization ? { authorization: credential.authorization.reveal() } : {}),
        ...access.impersonation,
      };
      return { dispatcher: agentsFor(credential).streams, headers };
    },

    route: () => (proxyFor(server, access.proxy, uses.env) === null ? 'direct' : 'proxy'),

    async close() {
      ending.abort();
      await Promise.all([agents?.pair.requests.destroy(), agents?.pair.streams.destroy()]);
    },
  };
  return connection;
}

async function* chunksOf(body: AsyncIterable<Buffer>, explain: (error: unknown) => KubeError): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw explain(error);
  }
}

function end(body: Dispatcher.ResponseData['body'], limit: Deadline): void {
  limit.dispose();
  // Destroying a body that is not at its end is an error to undici; nobody is left to hear it.
  body.on('error', () => {});
  body.destroy();
}

function contentType(response: Dispatcher.ResponseData): string {
  const value = response.headers['content-type'];
  return typeof value === 'string' ? value : '';
}

/** Retry-After in seconds (the only form API servers send), on the answers where it means *not done, come back*. */
function retryAfter(response: Dispatcher.ResponseData): number | null {
  if (response.statusCode !== 429 && response.statusCode < 500) return null;
  const value = response.headers['retry-after'];
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : null;
}

function tooLong(host: string): KubeError {
  return new KubeError('protocol', `${host} answers with more than any answer may be long.`);
}
