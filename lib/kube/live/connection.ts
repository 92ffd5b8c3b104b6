import { promisify } from 'node:util';
import { gunzip, constants as zlib } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { orAborted } from '#lib/base/async/or-aborted.ts';
import type { Clock } from '../clock.ts';
import { isKubeError, KubeError, type MissingRule } from '../error.ts';
import type { Credential } from './credentials/credential.ts';
import { overSince } from './credentials/over-since.ts';
import type { ClusterAccess } from './kubeconfig/access.ts';
import { refused } from './status.ts';
import { type AgentPair, makeAgents } from './wire/agents.ts';
import { backoffMs } from './wire/backoff.ts';
import { type Deadline, deadline, type Ends } from './wire/deadline.ts';
import { proxyFor } from './wire/proxy.ts';
import { type Effect, transportError } from './wire/transport-error.ts';

export const defaultTimeoutMs = 30_000;
const attempts = 4;
const retry = { firstMs: 100, baseMs: 200, maxMs: 2_000 };
/** On a longer Retry-After the call fails, and the caller decides. */
const longestRetryAfterMs = 15_000;
/** A page of 500 large objects is some 30 MB, so a larger answer does not come from an API server. */
const answerLimitBytes = 400 * 1024 * 1024;
const refusalLimitBytes = 1024 * 1024;
const unzip = promisify(gunzip);

/** One request. `rule` is the permission that it needs, so that a refusal can name it. */
export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `none`: it changes nothing, whatever its method: a dry run, an access review. So it is as safe to repeat as a GET. */
  readonly effect?: 'none' | undefined;
  readonly path: string;
  readonly rule: MissingRule | null;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
};

type HttpAnswer = { readonly status: number; readonly contentType: string; readonly text: string };
type Headers = Record<string, string | string[]>;

type Opened = { readonly body: AsyncIterable<Buffer>; close(): void };

type Upgrade = { dispatcher: Dispatcher; headers: Headers };

/** All requests to the API server go through this: it adds credentials, retries, time limits and error sentences. */
export interface Connection {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborts when the client is closed. */
  readonly closed: AbortSignal;
  /** The body of a successful answer. Rejects with a KubeError for any other. */
  text(call: Call): Promise<HttpAnswer>;
  /** The same, parsed. Rejects with `protocol` if it is not JSON. */
  json(call: Call): Promise<unknown>;
  /** Any answer, also a refusal, for callers that pass it on (pod proxy). */
  raw(call: Call): Promise<HttpAnswer>;
  /** A long answer as a stream. It fails with `timeout` after `idleMs` without a byte. */
  open(call: Call, idleMs: number): Promise<Opened>;
  /** What a WebSocket needs, which sends its own HTTP request. */
  upgrade(): Promise<Upgrade>;
  /** Whether requests go through a proxy. Throws `invalid` if the proxy's address is not valid. */
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

/** Opens nothing yet: sockets are opened by the first request, and again when a renewed client certificate needs new ones. */
export function openConnection(access: ClusterAccess, uses: ConnectionUses): Connection {
  const { clock, random } = uses;
  const { redactor, server } = access;
  const ending = new AbortController();
  // On loopback, compression saves nothing and costs processor time at both ends.
  const gzip = access.compression === 'wanted' && !server.loopback;
  const ends: Ends = {
    cancelled: `The request to ${server.host} was cancelled.`,
    late: `${server.host} gave no complete answer within`,
  };
  /** The last credentials that the server answered 401 to. */
  let refusedLast: Credential | null = null;
  let agents: { pair: AgentPair; certificate: Credential['certificate'] } | null = null;

  /** A renewed client certificate needs new connections. Old ones close after their requests. */
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

  /** Credentials that do not come in time are no fault of the server: what gives them may be waiting for somebody. */
  async function credentialOf(refusedBefore: Credential | null, limit: Deadline): Promise<Credential> {
    try {
      return await orAborted(access.credentials.get(refusedBefore), limit.signal);
    } catch (error) {
      if (!isKubeError(error, 'timeout')) throw error;
      const says = `The credentials for ${server.host} did not come in time. Their program may be waiting for a login: run it by hand once.`;
      throw new KubeError('timeout', says, {}, error);
    }
  }

  /** Sends, and again after failures that a retry may fix. */
  async function send(call: Call, kind: 'request' | 'stream', limit: Deadline, idleMs: number) {
    let refusedCredential: Credential | null = null;
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    for (let attempt = 1; ; attempt++) {
      const credential: Credential = await credentialOf(refusedCredential, limit);
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
          failure.error.code === 'unreachable' && (effectOf(call) === 'none' || failure.progress === 'not-sent');
        if (kind === 'stream' || !again || attempt >= attempts) throw failure.error;
        await waitOrThrow(backoffMs(attempt, random, retry), limit, failure.error);
        continue;
      }
      if (response.statusCode >= 200 && response.statusCode < 300) return response;
      if (response.statusCode === 401) refusedLast = credential;
      if (response.statusCode === 401 && refusedCredential === null) {
        refusedCredential = credential;
        if ((await credentialOf(credential, limit)) !== credential) {
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
    // The deadline's reason is a KubeError and says more than the socket's error, but less than what it was waited for.
    const reason: unknown = limit.signal.aborted && !isKubeError(error, 'timeout') ? limit.signal.reason : error;
    if (isKubeError(reason)) return { error: reason, progress: 'unknown' };
    return transportError(reason, { host: server.host, effect: effectOf(call), redactor });
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
    const limit = deadline(call.timeoutMs ?? uses.timeoutMs, ends, call.signal, ending.signal);
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
    const over = refusedLast && overSince(refusedLast, clock.now());
    return refused(
      { rule: call.rule, path: call.path.split('?')[0] ?? '', host: server.host, over },
      { status: response.statusCode, contentType: contentType(response), retryAfterMs: retryAfter(response), text },
      (message) => redactor.redact(message),
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
        // The parser's message quotes the text, which may hold secrets, so neither is passed on.
        throw new KubeError('protocol', `${server.host} is not an API server: its answer is not JSON.`, {
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
      const limit = deadline(call.timeoutMs ?? null, ends, call.signal, ending.signal);
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

function effectOf({ method, effect }: Call): Effect {
  return method === 'GET' ? 'none' : (effect ?? 'write');
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
  // undici emits an error when an unfinished body is destroyed; without a listener it would end the process.
  body.on('error', () => {});
  body.destroy();
}

function contentType(response: Dispatcher.ResponseData): string {
  const value = response.headers['content-type'];
  return typeof value === 'string' ? value : '';
}

/** Retry-After in ms, of answers that mean *not done, try again*. API servers send only the form in seconds. */
function retryAfter(response: Dispatcher.ResponseData): number | null {
  if (response.statusCode !== 429 && response.statusCode < 500) return null;
  const value = response.headers['retry-after'];
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : null;
}

function tooLong(host: string): KubeError {
  return new KubeError('protocol', `The answer of ${host} is too large.`);
}
