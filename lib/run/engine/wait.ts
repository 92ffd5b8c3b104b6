import type { Condition, PlannedOperation } from '#lib/plan/index.ts';
import type { Step } from '../model/steps.ts';
import type { CarriedRun } from './carried-run.ts';
import type { Next } from './decision.ts';
import { LastingFaults } from './lasting-faults.ts';
import { LastingUnknown } from './lasting-unknown.ts';
import { tigeraConditions } from './tigera-conditions.ts';

/** Carries out a nudge. Null: the wait goes on. */
export type GiveNudge = (nudge: NonNullable<PlannedOperation['nudge']>) => Promise<Next | null>;

/** Watches a condition until the run has something else to do: it is met, fails, stays unknown, its deadline passes, or a request comes. */
export async function waitFor(run: CarriedRun, step: Step, done: Condition, giveNudge: GiveNudge): Promise<Next> {
  const { clock, kube, signal } = run.o;
  const began = clock.monotonic();
  const deadlineAt = new Date(clock.now() + step.deadlineSeconds * 1000).toISOString();
  const doubts = new LastingUnknown();
  const faults = new LastingFaults();
  let silentSince: number | null = null;
  for (;;) {
    const started = clock.monotonic();
    const progress = await run.look(done);
    const now = clock.monotonic();
    silentSince = progress.kind === 'waiting' && progress.operatorSilent ? (silentSince ?? now) : null;

    const next = run.decide({
      saw: 'progress',
      done,
      progress,
      unknownSeconds: doubts.seconds(progress, now),
      waitedSeconds: (now - began) / 1000,
      silentSeconds: silentSince === null ? null : (now - silentSince) / 1000,
      fault: progress.kind === 'waiting' ? faults.among(progress.faults ?? [], now) : null,
    });
    if (next.do !== 'keep-waiting') return next;
    run.events.waiting(step, next.awaiting, next.heldUpBy, deadlineAt);

    const ending = next.nudge && (await giveNudge(next.nudge));
    if (ending) return ending;
    const marked = run.decide({ saw: 'reconcilers', subjects: await run.reconcilers() });
    if (marked.do !== 'listen') return marked;
    const gap = run.services.tooLong();
    const held = gap && run.decide({ saw: 'gap', gap });
    if (held && held.do !== 'listen') return held;
    run.events.changedConditions(await run.retry.until(() => tigeraConditions(kube, signal)));
    const call = await run.listen();
    if (call) return run.decide({ saw: 'call', call });
    run.events.beat();
    // Slower looks are made less often: reading 5,000 nodes takes longer than reading four.
    await run.retry.rest(Math.min(15_000, Math.max(1_000, 4 * (now - started))));
  }
}
