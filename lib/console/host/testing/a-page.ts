import type { RunState } from '#lib/run/index.ts';
import type { Draft, Failure, HostAnswer, RequestTiming, Review, RunDetails, Slug } from '../../host.ts';
import { clusterSlug } from '../clusters/cluster-slug.ts';
import type { MadeHost } from '../make-host.ts';

/** The slug of the sandbox `standard` in any console. */
export const standard = clusterSlug('sandbox', 'standard');

export function okValue<T>(answer: HostAnswer<T>): T {
  if (answer.ok) return answer.value;
  throw new Error(`${answer.code}: ${answer.message}`);
}

export function failureOf<T>(answer: HostAnswer<T>): Failure {
  if (answer.ok) throw new Error('this was expected to be refused');
  return answer;
}

type TheHost = MadeHost['host'];

/** Answers everything that enabling eBPF asks on this cluster, and reviews the plan. */
export async function enableOn(host: TheHost, cluster: Slug): Promise<{ draft: Draft; review: Review }> {
  const created = okValue(await host.createDraft(cluster, 'enable'));
  const first = okValue(
    await host.answer(cluster, created.id, created.revision, 'endpoint', { acceptProposals: true }),
  );
  const { findings } = okValue(await host.assess(cluster, first.id, 'kept')).findings;
  const open = findings.filter(
    ({ status, severity }) => status === 'unknown' || (status === 'fail' && severity !== 'info'),
  );
  const draft = okValue(
    await host.answer(cluster, first.id, first.revision, 'compatibility', {
      fix: open.filter(({ status, remedy }) => status === 'fail' && remedy.autofix !== undefined).map(({ id }) => id),
      acknowledge: Object.fromEntries(
        open
          .filter(({ status, remedy }) => status === 'unknown' || remedy.autofix === undefined)
          .map(({ id }) => [id, 'nothing can be dialled here']),
      ),
    }),
  );
  return { draft, review: okValue(await host.review(cluster, draft.id, 'kept')) };
}

/** The same, and starts it; returns the run. */
export async function startOn(host: TheHost, cluster: Slug): Promise<string> {
  const { draft, review } = await enableOn(host, cluster);
  const { hash: planHash, cluster: confirmation } = review.plan;
  return okValue(await host.start(cluster, draft.id, { revision: draft.revision, planHash, confirmation })).run;
}

/** Sends a request as a page would that was just loaded. */
export async function askNow(
  host: TheHost,
  cluster: Slug,
  run: string,
  action: 'pause' | 'resume' | 'stop' | 'undo' | 'take-over',
): Promise<HostAnswer<RequestTiming>> {
  const { view, plan } = okValue(await host.run(cluster, run));
  return host.ask(cluster, run, { action, revision: view.revision, confirmation: plan.cluster });
}

/** Examines a foreign run and carries it on, as its page does; returns the run that goes on. */
export async function takeUp(host: TheHost, cluster: Slug, run: string, how: 'resume' | 'undo'): Promise<string> {
  const { digest, problems, cluster: confirmation } = okValue(await host.lookThrough(cluster, run, how));
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  return okValue(await host.takeUp(cluster, run, { digest, how, confirmation })).run;
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
    const details = okValue(await host.run(cluster, run));
    found = holds(details) ? details : null;
    return found !== null;
  });
  if (!found) throw new Error(what);
  return found;
}

/** Waits in real time, and long: virtual time goes on meanwhile, on a machine that may be busy with other tests. */
export async function until(what: string, holds: () => Promise<boolean>, seconds = 300): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what} did not come within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
