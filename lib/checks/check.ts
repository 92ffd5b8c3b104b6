import type { Evidence, FactKey, Facts, Subject } from '#lib/facts/index.ts';
import type { Choices, Goal } from '#lib/spec/index.ts';
import type { Finding, Group, Remedy, Severity } from './findings.ts';
import type { ReleaseFiles } from './framework/release-files.ts';

/**
 * What the result was decided by, when that is less than everything in `reads`: an address that was chosen on the command line needs no
 * ConfigMap. Only those keys must then be covered for a *pass* or *skipped*, and an *unknown* names only those among its reasons.
 */
export type Grounds = { restsOn?: readonly FactKey[] };

/** `severity`, `consequence` and `remedy` only where they depend on what was found. */
export type Result =
  | ({
      kind: 'pass';
      because?: string;
      evidence?: Evidence[];
      /** For where a part of its grounds was not read, and it turns into *unknown*. */
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
      /** How it will be measured, where nothing but a measurement on the nodes is missing. */
      notMeasured?: string;
      /** What it lacks and somebody can give. */
      withheld?: Finding['withheld'];
    } & Grounds)
  | {
      kind: 'fail';
      because: string;
      subjects: Subject[];
      severity?: Severity;
      /** Broken now, whatever the goal: told before all else. */
      outage?: true;
      evidence?: Evidence[];
      consequence?: string;
      remedy?: Remedy;
    };

/**
 * Checks by id whose open fail leaves this one nothing to say of its own, and when: *always* (a pass says nothing either), while it is *open* (fails or
 * is unknown), only while it is *unknown*, or where it fails on the *same subjects*. The finding stays, and names that check (`Finding.followsFrom`).
 */
export type FollowsFrom = Readonly<Record<string, 'always' | 'open' | 'unknown' | 'same-subjects'>>;

/**
 * A rule over Facts and Choices (architecture.md › Check). Pure. `run` sees facts that may be partly empty: the framework turns a
 * *pass* into *unknown* when a key in `reads` was not covered; one failing subject is enough to fail. A rule that fails because something
 * is *absent* looks at coverage itself: what was not read may be there.
 */
export type Check = {
  id: string;
  group: Group;
  severity: Severity;
  /** A run that is under way fails it by itself: found in the middle of one, it says nothing against carrying that on. */
  causedByRuns?: true;
  followsFrom?: FollowsFrom;
  goals: readonly Goal[];
  reads: readonly FactKey[];
  /** What is true when it passes: the title of a finding that does. */
  title: string;
  /** What is wrong when it fails: the title of a finding that does. At most 60 characters. */
  gap: string;
  /** What it is about, without saying how it stands: `VXLAN between nodes`, and then *: not tested*. */
  topic: string;
  /** What happens where it is left as it is, in eight words at most: for a line of a table. */
  ifIgnored: string;
  /** The same in full: what happens, and why. */
  consequence: string;
  remedy: Remedy;
  /** Row of checks.md's last column: `spec › Limits`, `pain C1`. */
  source: string;
  appliesTo?(facts: Facts, choices: Choices): true | ({ because: string } & Grounds);
  run(facts: Facts, choices: Choices, files: ReleaseFiles): Result;
};

/** Says only that this is a check; the registry in `checks.ts` is what runs. */
export function defineCheck(check: Check): Check {
  return check;
}
