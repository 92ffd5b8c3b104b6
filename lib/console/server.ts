import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import type { LoopbackServers } from '#lib/base/loopback.ts';
import { gate, type WhoMayConnect } from '#lib/peers/index.ts';
import { OpenStreams } from './http/open-streams.ts';
import { refuseUnread } from './http/refuse-unread.ts';
import { keepKnownHeaders } from './http/request-headers.ts';
import { contentPolicy, fixedHeaders, newNonce } from './http/security-headers.ts';
import { type Admission, longestSignInBytes, whoMayAsk } from './http/who-may-ask.ts';
import { quieted } from './log/quieted.ts';
import { isUse } from './sign-in/is-use.ts';
import type { Sessions } from './sign-in/sessions.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * What answers admitted requests. The servers listen before it exists, because it needs the port; requests wait until then. `host`: `name:port` of the
 * printed link.
 */
export type Behind = { sessions: Sessions; next: Handler; host: string };

export type ConsoleServer = {
  servers: LoopbackServers<Server>;
  /** Ends streams, which would not end by themselves. */
  endStreams(): void;
};

/** With `--host 127.0.0.1`, browsers send the cookies of every program there, which on a developer's machine may exceed Node's 16 KiB. */
const longestHeadersBytes = 64 * 1024;
/** Time limit for receiving a request; answers have none (streams). */
const headersMs = 10_000;
const requestMs = 60_000;
const keepAliveMs = 10_000;
/** Upper limit of connections; lib/peers/gate.ts keeps their number far below it. */
const mostConnections = 4096;

const json = 'application/json; charset=utf-8';
const keySchema = z.strictObject({ key: z.string().max(200) });

/** The console's HTTP servers: check every request, then pass it to Next (architecture.md › Processes and toolchain, Who may ask). */
export function consoleServer(
  behind: Promise<Behind>,
  mayConnect: WhoMayConnect,
  log: (line: string, cause?: unknown) => void,
): ConsoleServer {
  const connections = gate(mayConnect);
  const streams = new OpenStreams();
  const logRefusal = quieted(log);
  void behind.then(
    ({ sessions }) => sessions.onEnd((id) => streams.end(id)),
    () => {},
  );
  const oneServer = () => {
    const server = createServer(
      {
        maxHeaderSize: longestHeadersBytes,
        headersTimeout: headersMs,
        requestTimeout: requestMs,
        keepAliveTimeout: keepAliveMs,
        connectionsCheckingInterval: 5000,
        // Node would refuse a request without a Host itself, without the security headers.
        requireHostHeader: false,
      },
      handleChecked,
    );
    // Requests with an unknown `Expect` are checked like any other. Node itself answers `100-continue`.
    server.on('checkExpectation', handleChecked);
    server.on('clientError', refuseUnread);
    server.maxConnections = mostConnections;
    server.on('connection', connections.enter);
    return server;
  };

  function handleChecked(request: IncomingMessage, response: ServerResponse): void {
    answer(request, response).catch((error: unknown) => {
      log(`${request.method} ${pathForLog(request)} failed`, error);
      if (response.headersSent) response.destroy();
      else say(response, 500, 'fault', 'An error in the console itself: its log says why.');
    });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [{ sessions, next, host }, stranger] = await Promise.all([behind, connections.refusalTo(request.socket)]);
    const policy = contentPolicy(newNonce());
    for (const [name, value] of Object.entries(fixedHeaders)) response.setHeader(name, value);
    response.setHeader('Content-Security-Policy', policy);

    if (stranger !== null) {
      response.setHeader('Cache-Control', 'no-store');
      logRefusal(`refused ${request.method} ${pathForLog(request)}: peer.foreign`);
      response.setHeader('Connection', 'close');
      return say(response, 403, 'peer.foreign', stranger);
    }
    const cookies = request.headers.cookie ?? null;
    const claim = sessions.claim(cookies);
    const verdict = whoMayAsk(askOf(request), host, claim ? 'valid' : 'none');
    // A refused request does not count as use of the session.
    if (claim && verdict.kind !== 'refused') {
      connections.signedIn(request.socket);
      if (isUse({ method: request.method, target: request.url, isRouter: request.headers.rsc !== undefined }))
        sessions.used(claim);
    }
    if (!(verdict.kind === 'next' && saysItself(request))) response.setHeader('Cache-Control', 'no-store');
    switch (verdict.kind) {
      case 'refused':
        logRefusal(`refused ${request.method} ${pathForLog(request)}: ${verdict.code}`);
        return refuse(request, response, verdict);
      case 'to-sign-in':
        return redirect(response, verdict.location);
      case 'sign-in':
        return signIn(request, response, sessions);
      case 'sign-out':
        response.setHeader('Set-Cookie', (await sessions.signOut(cookies)).cookie);
        return redirect(response, '/sign-in');
      case 'sign-out-everywhere':
        response.setHeader('Set-Cookie', (await sessions.signOutEverywhere(cookies)).cookie);
        return redirect(response, '/sign-in');
      case 'seen':
        response.writeHead(204).end();
        return;
      case 'next':
        // Next compares it with the Origin by case, and answers 500 if they differ.
        request.headers.host = host;
        keepKnownHeaders(request);
        request.headers['content-security-policy'] = policy;
        if (claim && request.url?.startsWith('/api/')) streams.add(claim, response, Date.now());
        return next(request, response);
    }
  }

  return { servers: { ipv4: oneServer(), ipv6: oneServer() }, endStreams: () => streams.end() };
}

function askOf(request: IncomingMessage) {
  const raw = request.rawHeaders;
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    hosts: raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === 'host'),
    header: (name: string) => request.headers[name]?.toString(),
  };
}

/**
 * Whether Next sets Cache-Control itself, which it does not if it is set already: for scripts, styles and fonts, whose names contain a hash, so that browsers
 * may cache them, and for event streams, which proxies must not transform.
 */
function saysItself({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/_next/static/') || /^\/api\/[^?]*\/events(\?|$)/.test(url);
}

async function signIn(request: IncomingMessage, response: ServerResponse, sessions: Sessions): Promise<void> {
  const body = keySchema.safeParse(await jsonBody(request));
  if (!body.success) return say(response, 400, 'body.form', 'A sign-in is JSON with one field, `key`.');
  const answer = await sessions.signIn(body.data.key, request.headers['user-agent']);
  if (answer.ok) {
    response.setHeader('Set-Cookie', answer.value.cookie);
    return sayJson(response, 200, { ok: true });
  }
  return sayJson(response, answer.code === 'key.too-many' ? 429 : 403, answer);
}

async function jsonBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    parts.push(part);
    length += part.length;
    if (length > longestSignInBytes) return null;
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return null;
  }
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location, 'Content-Length': 0 }).end();
}

/** Answers a refused request and closes the connection without reading the rest. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: Extract<Admission, { kind: 'refused' }>,
): void {
  if (mayCarryBody(request)) response.setHeader('Connection', 'close');
  // Next's router passes the text of a refused action to its caller only with exactly this type.
  const type = request.headers['next-action'] === undefined ? json : 'text/plain';
  end(response, status, type, JSON.stringify({ ok: false, code, message }));
}

function mayCarryBody({ method, headers }: IncomingMessage): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return !reads || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function say(response: ServerResponse, status: number, code: string, message: string): void {
  sayJson(response, status, { ok: false, code, message });
}

function sayJson(response: ServerResponse, status: number, body: unknown): void {
  end(response, status, json, JSON.stringify(body));
}

function end(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }).end(text);
}

/** The path without the query, which may be private. */
function pathForLog(request: IncomingMessage): string {
  return (request.url ?? '').split(/[?#]/, 1)[0]?.slice(0, 200) ?? '';
}
