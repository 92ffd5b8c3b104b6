import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningConsole, runningConsole, signalbox } from '../../console/testing/console-process.ts';
import type { OwnAddress } from './door-tables.ts';
import { bytesOf, type RawRequest } from './raw-request.ts';
import { type Answer, type RawReply, send } from './wire.ts';

/** The name of a context in its kubeconfig and nowhere else: text with this word comes from a page of the console. */
export const canary = 'canary-8d1f04c6';

/** A console to attack, with valid and invalid sessions. Cookies are `name=value`. */
export type ADoor = {
  own: OwnAddress;
  state: string;
  /** The sandbox `standard`. */
  slug: string;
  cookies: Record<'valid' | 'signedOut' | 'expired' | 'otherPort' | 'otherInstallation', string>;
  /** Sends a request from this machine. */
  ask(request: RawRequest, cookie?: string): Promise<RawReply>;
  /** Reads a page or data as the owner. */
  read(path: string): Promise<Answer>;
  close(): Promise<void>;
};

/** Sets the clock back by thirteen hours, longer than a session lasts. */
const longAgo = `const D = Date, off = 13 * 3600e3;
globalThis.Date = class extends D {
  constructor(...given) { given.length > 0 ? super(...given) : super(D.now() - off); }
  static now() { return D.now() - off; }
};`;
/** Ends the process if a property was added to all objects (prototype pollution), which the test notices. */
const watched =
  'setInterval(() => { for (const name in {}) { console.error("polluted: " + name); process.exit(97); } }, 50).unref();';
const preload = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });

export const kubeconfig = `clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: ${canary}, context: {cluster: c, user: u}}]
`;

export async function aDoor(build: string): Promise<ADoor> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-hostile-'));
  const [state = '', twin = '', stranger = ''] = ['own', 'twin', 'stranger'].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  });
  writeFileSync(join(folder, 'kubeconfig'), kubeconfig);

  const past = await runningConsole(build, state, [], preload(longAgo));
  const port = String(past.port);
  const expired = await signedIn(past);
  await ended(past);
  // Cookies of the same installation on another port, and of another installation on this port.
  cpSync(join(state, 'signalbox'), join(twin, 'signalbox'), { recursive: true });
  const [other, strange] = await Promise.all([
    runningConsole(build, twin),
    runningConsole(build, stranger, ['--port', port]),
  ]);
  const [otherPort, otherInstallation] = await Promise.all([signedIn(other), signedIn(strange)]);
  await Promise.all([ended(other), ended(strange)]);

  const running = await runningConsole(
    build,
    state,
    ['--port', port, '--kubeconfig', join(folder, 'kubeconfig')],
    preload(watched),
  );
  const own = ownOf(running);
  const signedOut = await signedIn(running);
  await talk(running, signOut(own, signedOut));
  const valid = await signedIn(running, await newKey(state));
  const name = valid.split('=', 1)[0];
  const named = (cookie: string) => `${name}=${cookie.split('=')[1]}`;
  const cookies = {
    valid,
    signedOut,
    expired: named(expired),
    otherPort: named(otherPort),
    otherInstallation: named(otherInstallation),
  };
  const ask = (request: RawRequest, cookie?: string) =>
    talk(running, cookie === undefined ? request : { ...request, headers: [...request.headers, ['Cookie', cookie]] });
  const read = async (path: string) => {
    const headers = [['Sec-Fetch-Site', 'same-origin']] as const;
    const { answers } = await ask({ method: 'GET', target: path, hosts: [own.host], headers }, valid);
    if (!answers[0]) throw new Error(`${path}: no answer`);
    return answers[0];
  };
  const page = await read('/');
  const slug = /\/clusters\/(standard-[0-9a-f]{8})/.exec(page.body)?.[1];
  if (slug === undefined) throw new Error(`no sandbox on the first page: ${page.status} ${page.body.slice(0, 500)}`);
  return {
    own,
    state: join(state, 'signalbox'),
    slug,
    cookies,
    ask,
    read,
    close: async () => {
      const code = await ended(running);
      rmSync(folder, { recursive: true, force: true });
      if (code !== 0) throw new Error(`The console ended with ${code}:\n${running.err()}`);
    },
  };
}

/**
 * Each file of a state folder with the hash of its content, without files that the console writes anyway: its log, its lock, times of sessions, a sandbox's
 * clock.
 */
export function stateOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const kept = files.filter(({ name }) => !/^console\.|^sessions\.json|\.sqlite|\.holder$|\.kubeconfig$/.test(name));
  return Object.fromEntries(
    kept
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path.slice(folder.length), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}

function talk({ port }: RunningConsole, request: RawRequest): Promise<RawReply> {
  return send([bytesOf(request)], { port, method: request.method });
}

function ownOf(running: RunningConsole): OwnAddress {
  const { host, hostname, origin, port } = new URL(running.url);
  return { host, name: hostname, origin, port: Number(port) };
}

async function signedIn(running: RunningConsole, key = running.key): Promise<string> {
  const own = ownOf(running);
  const body = JSON.stringify({ key });
  const { answers } = await talk(running, {
    method: 'POST',
    target: '/sign-in',
    hosts: [own.host],
    headers: [
      ['Origin', own.origin],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.length)],
    ],
    body,
  });
  const cookie = answers[0]?.headers['set-cookie']?.split(';', 1)[0];
  if (cookie === undefined) throw new Error(`no sign-in: ${JSON.stringify(answers)}`);
  return cookie;
}

function signOut(own: OwnAddress, cookie: string): RawRequest {
  const headers = [
    ['Origin', own.origin],
    ['Content-Length', '0'],
    ['Cookie', cookie],
  ] as const;
  return { method: 'POST', target: '/sign-out', hosts: [own.host], headers };
}

/** Requests a key with the command line. */
async function newKey(state: string): Promise<string> {
  const link = signalbox(['console', 'link'], state);
  await link.ended;
  return /#key=(\S+)/.exec(link.out())?.[1] ?? '';
}

async function ended(running: RunningConsole): Promise<number | NodeJS.Signals> {
  running.child.kill('SIGTERM');
  return running.ended;
}
