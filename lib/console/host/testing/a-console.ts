import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Identity, ownIdentity, type RunState } from '#lib/run/index.ts';
import type { Answer, ClusterEntry, Draft, Failure, Review, RunDetails, Slug } from '../../host.ts';
import { clusterSlug } from '../cluster-slug.ts';
import { type MadeHost, makeHost } from '../make-host.ts';
import type { OpenedCluster } from '../open-clusters.ts';

export type AConsole = MadeHost & {
  state: string;
  logged: string[];
  /** As SIGTERM: resolves when everything is given back. */
  end(): Promise<void>;
};

export type ConsoleWish = {
  /** A new folder unless told. */
  state?: string;
  identity?: Identity;
  kubeconfig?: string;
  openLive?: (entry: ClusterEntry) => Promise<OpenedCluster>;
};

/** The sandbox of that name in any console. */
export const standard = clusterSlug('sandbox', 'standard');

const open: AConsole[] = [];

/** A console's host; the time of its sandboxes jumps. */
export async function aConsole(wish: ConsoleWish = {}): Promise<AConsole> {
  const state = wish.state ?? (await aFolder());
  const stop = new AbortController();
  const logged: string[] = [];
  const made = await makeHost({
    env: { HOME: state },
    kubeconfig: wish.kubeconfig,
    stateFolder: state,
    identity: wish.identity ?? (await ownIdentity(state)),
    log: (line, cause) => logged.push(cause instanceof Error ? `${line} (${cause.stack})` : line),
    signal: stop.signal,
    sandboxSpeed: 'instant',
    ...(wish.openLive ? { openLive: wish.openLive } : {}),
  });
  let ended: Promise<void> | null = null;
  const console: AConsole = {
    ...made,
    state,
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

/** A console that was killed gives nothing back. */
export function forgetConsole(console: AConsole): void {
  open.splice(open.indexOf(console), 1);
}

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Gone with this process: what a killed console left is looked at first. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-host-'));
  folders.push(folder);
  return folder;
}

export function ok<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw new Error(`${answer.code}: ${answer.message}`);
}

export function refused<T>(answer: Answer<T>): Failure {
  if (answer.ok) throw new Error('this was expected to be refused');
  return answer;
}

type TheHost = MadeHost['host'];

/** Answers everything that enabling eBPF asks here, and reviews it. */
export async function enableOn(host: TheHost, cluster: Slug): Promise<{ draft: Draft; review: Review }> {
  const created = ok(await host.createDraft(cluster, 'enable'));
  const first = ok(await host.answer(cluster, created.id, created.revision, 'endpoint', { acceptProposals: true }));
  const { findings } = ok(await host.assess(cluster, first.id, 'kept')).findings;
  const open = findings.filter(
    ({ status, severity }) => status === 'unknown' || (status === 'fail' && severity !== 'info'),
  );
  const draft = ok(
    await host.answer(cluster, first.id, first.revision, 'compatibility', {
      fix: open.filter(({ status, remedy }) => status === 'fail' && remedy.autofix !== undefined).map(({ id }) => id),
      acknowledge: Object.fromEntries(
        open
          .filter(({ status, remedy }) => status === 'unknown' || remedy.autofix === undefined)
          .map(({ id }) => [id, 'nothing can be dialled here']),
      ),
    }),
  );
  return { draft, review: ok(await host.review(cluster, draft.id, 'kept')) };
}

/** … and starts it; answers with the run. */
export async function startOn(host: TheHost, cluster: Slug): Promise<string> {
  const { draft, review } = await enableOn(host, cluster);
  const { hash: planHash, cluster: confirmation } = review.plan;
  return ok(await host.start(cluster, draft.id, { revision: draft.revision, planHash, confirmation })).run;
}

/** Asks as a page would that was just loaded. */
export async function askNow(
  host: TheHost,
  cluster: Slug,
  run: string,
  action: 'pause' | 'resume' | 'stop' | 'undo' | 'take-over',
): Promise<Answer<null>> {
  const { view, plan } = ok(await host.run(cluster, run));
  return host.ask(cluster, run, { action, revision: view.revision, confirmation: plan.cluster });
}

export async function untilRun(host: TheHost, cluster: Slug, run: string, kind: RunState['kind']): Promise<RunDetails> {
  return untilDetails(`run ${run} is ${kind}`, host, cluster, run, ({ report }) => report.state.kind === kind);
}

export async function untilDetails(
  what: string,
  host: TheHost,
  cluster: Slug,
  run: string,
  holds: (details: RunDetails) => boolean,
): Promise<RunDetails> {
  let found: RunDetails | null = null;
  await until(what, async () => {
    const details = ok(await host.run(cluster, run));
    found = holds(details) ? details : null;
    return found !== null;
  });
  if (!found) throw new Error(what);
  return found;
}

/** Real time: virtual time goes on in between. */
export async function until(what: string, holds: () => Promise<boolean>, seconds = 60): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what} did not come within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
