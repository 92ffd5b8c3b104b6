import { createHash, randomUUID } from 'node:crypto';
import type { Identity } from '#lib/run/index.ts';
import { ownIdentity } from '#lib/run/index.ts';
import type { Answer, Draft, Host, Review, Slug } from '../../host.ts';
import { clusterSlug } from '../cluster-slug.ts';
import { type MadeHost, makeHost } from '../make-host.ts';

export type AConsole = MadeHost & {
  sandbox: Slug;
  logged: string[];
  /** As SIGTERM: resolves when everything is given back. */
  end(): Promise<void>;
};

const open: AConsole[] = [];

/** A console's host over the sandbox `standard`, whose time jumps. */
export async function aConsole(wish: {
  state: string;
  identity?: Identity;
  kubeconfig?: string;
  env?: NodeJS.ProcessEnv;
}): Promise<AConsole> {
  const stop = new AbortController();
  const logged: string[] = [];
  const made = await makeHost({
    env: wish.env ?? { HOME: wish.state },
    kubeconfig: wish.kubeconfig,
    stateFolder: wish.state,
    identity: wish.identity ?? (await ownIdentity(wish.state)),
    log: (line, cause) => logged.push(cause instanceof Error ? `${line} (${cause.stack})` : line),
    signal: stop.signal,
    sandboxSpeed: 'instant',
  });
  let ended: Promise<void> | null = null;
  const console: AConsole = {
    ...made,
    sandbox: clusterSlug('sandbox', 'standard'),
    logged,
    end: () => {
      stop.abort(new Error('the console ends'));
      ended ??= made.close();
      return ended;
    },
  };
  open.push(console);
  return console;
}

export async function closeConsoles(): Promise<void> {
  await Promise.all(open.splice(0).map((console) => console.end()));
}

export function ok<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw new Error(`${answer.code}: ${answer.message}`);
}

/** Answers everything that enabling eBPF on the sandbox asks, and reviews it. */
export async function enableOn(host: MadeHost['host'], cluster: Slug): Promise<{ draft: Draft; review: Review }> {
  const created = ok(await host.createDraft(cluster, 'enable'));
  const first = ok(await host.answer(cluster, created.id, created.revision, 'endpoint', { acceptProposals: true }));
  const { findings } = ok(await host.assess(cluster, first.id, 'kept')).findings;
  const acknowledge = Object.fromEntries(
    findings
      .filter(({ status, severity }) => status === 'unknown' || (status === 'fail' && severity === 'warning'))
      .filter(({ remedy }) => remedy.autofix === undefined)
      .map(({ id }) => [id, 'known from the test']),
  );
  const fix = findings
    .filter(({ status, remedy }) => status === 'fail' && remedy.autofix !== undefined)
    .map(({ id }) => id);
  const draft = ok(await host.answer(cluster, first.id, first.revision, 'compatibility', { acknowledge, fix }));
  const review = ok(await host.review(cluster, draft.id, 'kept'));
  return { draft, review };
}

/** Real time: virtual time goes on in between. */
export async function waitFor(what: string, holds: () => Promise<boolean>, seconds = 60): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what} did not come within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function anotherInstall(): Identity {
  return {
    install: randomUUID(),
    process: `1@1@${createHash('sha256').update(randomUUID()).digest('hex').slice(0, 8)}`,
  };
}
export type { Host };
