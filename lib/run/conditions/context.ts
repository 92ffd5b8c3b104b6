import { runChecks } from '#lib/checks/index.ts';
import { collectFacts, type Facts } from '#lib/facts/index.ts';
import type { Clock, Kube } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import type { NodeState } from '../model/event.ts';
import type { Journal } from '../model/journal.ts';
import type { ServicesWatched } from '../services/services.ts';
import type { Progress } from './progress.ts';

/**
 * How many pods a condition runs a command in at a time: each goes through the API server, which refuses too many. What it refuses would count as something
 * that cannot be seen.
 */
export const execsAtOnce = 16;

/** What the evaluation of a condition may use. */
export type ConditionContext = {
  kube: Kube;
  clock: Clock;
  signal: AbortSignal;
  /** When the run started, in ms since the epoch. */
  runStartedAt: number;
  /** Entries that name what this run has made. */
  journal: Pick<Journal, 'run' | 'entries'>;
  felixResource: Resource;
  /** Proven nodes by name, kept from one look of a wait to the next, so that a proven node is not read again. `of`: the pod and the write that the proof is about. */
  proofs: Map<string, { of: string; state: NodeState }>;
  /** How Services answer now; null if the run does not watch them. */
  services: ServicesWatched | null;
  /** Reads the facts, at most once in a look. Rejects as `collectFacts`. */
  readFacts(): Promise<Facts>;
  /** Runs one check on those facts. `met` also where the check is skipped or does not apply to the goal. */
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

/** The context of one look: every look needs a new one, as facts are read once in each. */
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

/** The API by which the plan writes FelixConfiguration. Proofs read the same one. */
export function felixResourceOf({ operations }: Pick<Plan, 'operations'>): Resource {
  const written = operations.flatMap(({ act }) =>
    act.kind === 'merge-patch' || act.kind === 'apply' ? [act.target.resource] : [],
  );
  return written.find((resource) => resource.kind === 'FelixConfiguration') ?? resources.felixConfigurations;
}
