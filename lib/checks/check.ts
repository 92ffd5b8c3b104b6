import type { Evidence, FactKey, Facts, Subject } from '#lib/facts/index.ts';
import type { Choices, Goal } from '#lib/spec/index.ts';
import type { Finding, Group, Remedy, Severity } from './findings.ts';
import type { ReleaseFiles } from './framework/release-files.ts';

/**
 * The facts that decided the result, if fewer than all of `reads`: an address that was chosen on the command line needs no ConfigMap. A *pass* or
 * *skipped* then needs only these to be covered, and an *unknown* names only these.
 */
type Grounds = { restsOn?: readonly FactKey[] };

/** `severity`, `gap`, `consequence` and `remedy` only if they depend on the facts. */
export type Result =
  | ({
      kind: 'pass';
      because?: string;
      evidence?: Evidence[];
      /** Used if a fact behind it was not read, and it becomes *unknown*. */
      remedy?: Remedy;
    } & Grounds)
  | ({ kind: 'skipped'; because: string } & Grounds)
  | ({
      kind: 'unknown';
      because: string;
      subjects?: Subject[];
      evidence?: Evidence[];
      consequence?: string;
      remedy?: Remedy;
      /** How it will be measured, if only a measurement on the nodes is missing. */
      notMeasured?: string;
      /** What is missing and can be provided. */
      withheld?: Finding['withheld'];
    } & Grounds)
  | {
      kind: 'fail';
      because: string;
      subjects: Subject[];
      severity?: Severity;
      /** The fault in place of `Check.gap`, if what failed has a name. At most 60 characters. */
      gap?: string;
      /** Broken now, whatever the goal: shown before all others. */
      outage?: true;
      evidence?: Evidence[];
      consequence?: string;
      remedy?: Remedy;
    };

/**
 * Checks, by id, whose open failure makes this one redundant, and when: *always* (their pass too), while they are *open* (fail or unknown), only
 * while *unknown*, or if they fail on the *same subjects*. The finding stays and names that check (`Finding.followsFrom`).
 */
export type FollowsFrom = Readonly<Record<string, 'always' | 'open' | 'unknown' | 'same-subjects'>>;

/**
 * A rule over Facts and Choices (architecture.md › Check). Pure. `run` may get facts that are partly empty: the framework turns a *pass* into
 * *unknown* if a key of `reads` was not covered, while one failing subject is enough to fail. A rule that fails because something is *absent* must
 * check coverage itself: what was not read may exist.
 */
export type Check = {
  id: string;
  group: Group;
  severity: Severity;
  /** A run in progress makes it fail, so a failure during a run is no reason against continuing. */
  causedByRuns?: true;
  followsFrom?: FollowsFrom;
  goals: readonly Goal[];
  reads: readonly FactKey[];
  /** The statement that holds when it passes: the title of a passing finding. */
  title: string;
  /** The fault when it fails: the title of a failing finding. At most 60 characters. */
  gap: string;
  /** The subject without its state: `VXLAN between nodes`, to be followed by *: not tested*. */
  topic: string;
  /** What happens if it is ignored, in eight words at most, for a line of a table. */
  ifIgnored: string;
  /** What happens if it is ignored, in full and with the reason. */
  consequence: string;
  remedy: Remedy;
  /** Row of checks.md's last column: `spec › Limits`, `pain C1`. */
  source: string;
  appliesTo?(facts: Facts, choices: Choices): true | ({ because: string } & Grounds);
  run(facts: Facts, choices: Choices, files: ReleaseFiles): Result;
};

/** Marks a check. The registry in `checks.ts` decides which checks run. */
export function defineCheck(check: Check): Check {
  return check;
}
