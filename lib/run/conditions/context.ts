import { runChecks } from '#lib/checks/index.ts';
import { collectFacts, type Facts } from '#lib/facts/index.ts';
import type { Clock, Kube } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import type { NodeState } from '../model/event.ts';
import type { Journal } from '../model/journal.ts';
import type { ServicesWatched } from '../services/services.ts';
import type { Progress } from './progress.ts';

/** What an evaluation may use. Proofs are remembered between the ticks of one wait: a proven node is not read again. */
export type ConditionContext = {
  kube: Kube;
  clock: Clock;
  signal: AbortSignal;
  /** ms: when the run started. */
  runStartedAt: number;
  /** By which the run knows what it has made. */
  journal: Pick<Journal, 'run' | 'entries'>;
  felixResource: Resource;
  /** By node: what was proven for this pod since this write. */
  proofs: Map<string, { of: string; state: NodeState }>;
  /** How services answer by now, where the run asks them. */
  services: ServicesWatched | null;
  /** Facts read afresh, at most once a tick. */
  readFacts(): Promise<Facts>;
  /** Reads facts and runs one check again. */
  recheck(check: string): Promise<Progress>;
};

export type ContextOptions = {
  kube: Kube;
  clock: Clock;
  signal: AbortSignal;
  plan: Plan;
  runStartedAt: number;
  journal: ConditionContext['journal'];
  proofs: ConditionContext['proofs'];
  services: ServicesWatched | null;
};

/** What one look at a condition may use; facts are read at most once a look. */
export function conditionContext({
  kube,
  clock,
  signal,
  plan,
  runStartedAt,
  journal,
  proofs,
  services,
}: ContextOptions): ConditionContext {
  let facts: Promise<Facts> | null = null;
  const readFacts = (): Promise<Facts> => {
    facts ??= collectFacts({ kube, choices: plan.choices, clock, signal });
    return facts;
  };
  return {
    kube,
    clock,
    signal,
    runStartedAt,
    journal,
    felixResource: felixResourceOf(plan),
    proofs,
    services,
    readFacts,
    recheck: async (check) => {
      const { findings } = runChecks(await readFacts(), plan.choices, { now: new Date(clock.now()).toISOString() });
      const finding = findings.find((one) => one.id === check);
      if (!finding || finding.status === 'pass' || finding.status === 'skipped')
        return { kind: 'met', evidence: finding?.evidence ?? [] };
      if (finding.status === 'unknown')
        return { kind: 'unknown', because: finding.because, subjects: finding.subjects };
      return { kind: 'waiting', awaiting: `check ${check} to pass: ${finding.because}`, heldUpBy: finding.subjects };
    },
  };
}

/** The API through which the plan writes FelixConfiguration: proofs read the same one. */
export function felixResourceOf({ operations }: Pick<Plan, 'operations'>): Resource {
  const written = operations.flatMap(({ act }) =>
    act.kind === 'merge-patch' || act.kind === 'apply' ? [act.target.resource] : [],
  );
  return written.find((resource) => resource.kind === 'FelixConfiguration') ?? resources.felixConfigurations;
}
