import type { Dispatcher } from 'undici';
import { orAborted } from '#lib/base/async/or-aborted.ts';
import type { Clock } from '../../clock.ts';
import { isKubeError, KubeError } from '../../error.ts';
import type { Credential } from '../credentials/credential.ts';
import type { ClusterAccess } from '../kubeconfig/access.ts';
import { type AgentPair, makeAgents } from './agents.ts';
import { backoffMs } from './backoff.ts';
import { type Call, effectOf } from './call.ts';
import type { Deadline } from './deadline.ts';
import { isGood, retryAfter } from './read-answer.ts';
import { transportError } from './transport-error.ts';

/** For the headers of an answer that is a stream, and for calls without a limit of their own. */
export const defaultTimeoutMs = 30_000;
const attempts = 4;
const retry = { firstMs: 100, baseMs: 200, maxMs: 2_000 };
/** On a longer Retry-After the call fails, and the caller decides. */
const longestRetryAfterMs = 15_000;

type Headers = Record<string, string | string[]>;
export type Upgrade = { dispatcher: Dispatcher; headers: Headers };

type Uses = {
  clock: Clock;
  random: () => number;
  env: Readonly<Record<string, string | undefined>>;
  userAgent: string;
};

/** Sends requests with the credentials of the moment, and again after failures that a retry may fix. */
export class Sender {
  readonly #access: ClusterAccess;
  readonly #uses: Uses;
  /** On loopback, compression saves nothing and costs processor time at both ends. */
  readonly #gzip: boolean;
  #agents: { pair: AgentPair; certificate: Credential['certificate'] } | null = null;
  #refusedLast: Credential | null = null;

  constructor(access: ClusterAccess, uses: Uses) {
    this.#access = access;
    this.#uses = uses;
    this.#gzip = access.compression === 'wanted' && !access.server.loopback;
  }

  /** The last credentials that the server answered 401 to. */
  get refusedLast(): Credential | null {
    return this.#refusedLast;
  }

  /** The answer, whatever its status. `idleMs`: a stream fails after this time without a byte. */
  async send(
    call: Call,
    kind: 'request' | 'stream',
    limit: Deadline,
    idleMs: number,
  ): Promise<Dispatcher.ResponseData> {
    const { random } = this.#uses;
    let refusedCredential: Credential | null = null;
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    for (let attempt = 1; ; attempt++) {
      const credential: Credential = await this.#credential(refusedCredential, limit);
      let response: Dispatcher.ResponseData;
      try {
        response = await this.#request(call, kind, credential, body, limit, idleMs);
      } catch (error) {
        const failure = this.failed(error, call, limit);
        const again =
          failure.error.code === 'unreachable' && (effectOf(call) === 'none' || failure.progress === 'not-sent');
        if (kind === 'stream' || !again || attempt >= attempts) throw failure.error;
        const waitMs = backoffMs(attempt, random, retry);
        if (waitMs >= limit.remainingMs()) throw failure.error;
        await this.#sleep(waitMs, limit);
        continue;
      }
      if (isGood(response)) return response;
      if (response.statusCode === 401) this.#refusedLast = credential;
      if (response.statusCode === 401 && refusedCredential === null) {
        refusedCredential = credential;
        if ((await this.#credential(credential, limit)) !== credential) {
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
      await this.#sleep(retryAfterMs + random() * 250, limit);
    }
  }

  /** What a WebSocket needs, which sends its own HTTP request. */
  async upgrade(): Promise<Upgrade> {
    const credential = await this.#access.credentials.get(null);
    return { dispatcher: this.#agentsFor(credential).streams, headers: this.#headersOfUser(credential) };
  }

  /** The error of a call that did not end with an answer, as a sentence, and whether its request may have been sent. */
  failed(error: unknown, call: Call, limit: Deadline): ReturnType<typeof transportError> {
    const { server, redactor } = this.#access;
    // The deadline's reason is a KubeError and says more than the socket's error, but less than what it was waited for.
    const reason: unknown = limit.signal.aborted && !isKubeError(error, 'timeout') ? limit.signal.reason : error;
    if (isKubeError(reason)) return { error: reason, progress: 'unknown' };
    return transportError(reason, { host: server.host, effect: effectOf(call), redactor });
  }

  async close(): Promise<void> {
    await Promise.all([this.#agents?.pair.requests.destroy(), this.#agents?.pair.streams.destroy()]);
  }

  #request(
    call: Call,
    kind: 'request' | 'stream',
    credential: Credential,
    body: string | null,
    limit: Deadline,
    idleMs: number,
  ): Promise<Dispatcher.ResponseData> {
    const { server } = this.#access;
    const stream = kind === 'stream';
    const pair = this.#agentsFor(credential);
    return pair[stream ? 'streams' : 'requests'].request({
      origin: server.origin,
      path: server.prefix + call.path,
      method: call.method,
      headers: {
        accept: call.accept ?? 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
        ...this.#headersOfUser(credential),
        ...(this.#gzip && !stream && call.method === 'GET' ? { 'accept-encoding': 'gzip' } : {}),
      },
      body,
      signal: limit.signal,
      headersTimeout: stream ? defaultTimeoutMs : 0,
      bodyTimeout: stream ? idleMs : 0,
    });
  }

  /** Who asks: the same for requests and for WebSockets. */
  #headersOfUser(credential: Credential): Headers {
    return {
      'user-agent': this.#uses.userAgent,
      ...(credential.authorization ? { authorization: credential.authorization.reveal() } : {}),
      ...this.#access.impersonation,
    };
  }

  /** A renewed client certificate needs new connections. Old ones close after their requests. */
  #agentsFor({ certificate }: Credential): AgentPair {
    if (this.#agents?.certificate === certificate && this.#agents) return this.#agents.pair;
    void this.#agents?.pair.requests.close();
    void this.#agents?.pair.streams.close();
    this.#agents = { certificate, pair: makeAgents(this.#access, certificate, this.#uses.env) };
    return this.#agents.pair;
  }

  /** Credentials that do not come in time are no fault of the server: what gives them may be waiting for somebody. */
  async #credential(refusedBefore: Credential | null, limit: Deadline): Promise<Credential> {
    const { credentials, server } = this.#access;
    try {
      return await orAborted(credentials.get(refusedBefore), limit.signal);
    } catch (error) {
      if (!isKubeError(error, 'timeout')) throw error;
      const says = `The credentials for ${server.host} did not come in time. Their program may be waiting for a login: run it by hand once.`;
      throw new KubeError('timeout', says, error.detail, error);
    }
  }

  #sleep(ms: number, limit: Deadline): Promise<void> {
    return this.#uses.clock.sleep(ms, limit.signal);
  }
}
