import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { KubeError } from '../error.ts';
import { overSince } from './credentials/over-since.ts';
import type { ClusterAccess } from './kubeconfig/access.ts';
import { refused } from './status.ts';
import type { Call } from './wire/call.ts';
import { type Deadline, deadline, type Ends } from './wire/deadline.ts';
import { proxyFor } from './wire/proxy.ts';
import { contentType, isGood, readText, retryAfter } from './wire/read-answer.ts';
import { defaultTimeoutMs, Sender, type Upgrade } from './wire/sender.ts';

/** A page of 500 large objects is some 30 MB, so a larger answer does not come from an API server. */
const answerLimitBytes = 400 * 1024 * 1024;
const refusalLimitBytes = 1024 * 1024;

type HttpAnswer = { readonly status: number; readonly contentType: string; readonly text: string };

type Opened = { readonly body: AsyncIterable<Buffer>; close(): void };

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
  /** The limit of calls without one of their own; default 30 s. */
  timeoutMs?: number | undefined;
};

/** Opens nothing yet: sockets are opened by the first request, and again when a renewed client certificate needs new ones. */
export function openConnection(access: ClusterAccess, uses: ConnectionUses): Connection {
  const { clock, random } = uses;
  const { redactor, server } = access;
  const ending = new AbortController();
  const sender = new Sender(access, uses);
  const ends: Ends = {
    cancelled: `The request to ${server.host} was cancelled.`,
    late: `${server.host} gave no complete answer within`,
  };
  const read = (response: Dispatcher.ResponseData, limitBytes: number) => readText(response, limitBytes, access);

  async function within<T>(call: Call, act: (limit: Deadline) => Promise<T>): Promise<T> {
    const given = call.timeoutMs === undefined ? uses.timeoutMs : undefined;
    const endsOfCall: Ends = given === undefined ? ends : { ...ends, detail: { limit: 'connection' } };
    const limit = deadline(given ?? call.timeoutMs ?? defaultTimeoutMs, endsOfCall, call.signal, ending.signal);
    try {
      if (limit.signal.aborted) throw limit.signal.reason;
      return await act(limit);
    } catch (error) {
      throw sender.failed(error, call, limit).error;
    } finally {
      limit.dispose();
    }
  }

  function refusal(call: Call, response: Dispatcher.ResponseData, text: string): KubeError {
    const last = sender.refusedLast;
    const over = last && overSince(last, clock.now());
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
        const response = await sender.send(call, 'request', limit, 0);
        const good = isGood(response);
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
        const response = await sender.send(call, 'request', limit, 0);
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
        const response = await sender.send(call, 'stream', limit, idleMs);
        if (response.statusCode !== 200) throw refusal(call, response, await read(response, refusalLimitBytes));
        return {
          body: chunksOf(response.body, (error) => sender.failed(error, call, limit).error),
          close: () => end(response.body, limit),
        };
      } catch (error) {
        limit.dispose();
        throw sender.failed(error, call, limit).error;
      }
    },

    upgrade: () => sender.upgrade(),

    route: () => (proxyFor(server, access.proxy, uses.env) === null ? 'direct' : 'proxy'),

    async close() {
      ending.abort();
      await sender.close();
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
  // undici emits an error when an unfinished body is destroyed; without a listener it would end the process.
  body.on('error', () => {});
  body.destroy();
}
