import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { maskedAt } from '#lib/text/index.ts';
import type { Check, Result } from '../check.ts';
import { checks as allChecks } from '../checks.ts';
import type { Finding, Findings } from '../findings.ts';
import { inCalicosTerms } from '../reading/planned-variant.ts';
import { plainLine, plainLines, plainValue } from '../wording/plain.ts';
import { withCoverage } from './coverage.ts';
import { notMeasuredGroup } from './not-measured.ts';
import type { ReleaseFiles } from './release-files.ts';
import { countsOf, verdictOf } from './verdict.ts';
import { withCauses } from './with-causes.ts';
import { aboutEbpfOnly, isAboutEbpfAlone } from './without-ebpf.ts';

/** `now`: when the checks run, ISO 8601. `files`: files of releases that the caller has. `checks`: only for tests of the framework. */
export type RunOptions = { now: string; files?: ReleaseFiles; checks?: readonly Check[] };

/**
 * Runs every check of the goal, in the order of the catalogue. Pure, never throws. Wrong answers (accepting a blocking failure, a fix that does not exist)
 * have no effect; `choiceProblems` reports them.
 */
export function runChecks(
  facts: Facts,
  choices: Choices,
  { now, files = {}, checks = allChecks }: RunOptions,
): Findings {
  const inTerms = inCalicosTerms(facts, choices, files);
  const ofGoal = checks.filter((check) => check.goals.includes(choices.goal));
  const findings = withCauses(
    ofGoal.map((check) => findingOf(check, inTerms.facts, inTerms.choices, files)),
    ofGoal,
  );
  return {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Findings',
    goal: choices.goal,
    cluster: plainLine(facts.cluster.name),
    ...(facts.cluster.warnings.length > 0
      ? { warnings: facts.cluster.warnings.map((warning) => plainLine(warning)) }
      : {}),
    verdict: verdictOf(findings),
    counts: countsOf(findings),
    findings,
    checkedAt: now,
  };
}

function findingOf(check: Check, facts: Facts, choices: Choices, files: ReleaseFiles): Finding {
  const result = resultOf(check, facts, choices, files);
  const severity = (result.kind === 'fail' && result.severity) || check.severity;
  const remedy = ('remedy' in result && result.remedy) || check.remedy;
  const canBeAcknowledged = result.kind === 'unknown' || (result.kind === 'fail' && severity !== 'blocking');
  const notMeasured = (result.kind === 'unknown' && result.notMeasured) || null;
  // The goal *restore* asks for nothing but the fix of what is broken.
  const isRequested = choices.goal === 'restore' || choices.fix.includes(check.id);
  const fixIsChosen = result.kind === 'fail' && isRequested;
  return {
    id: check.id,
    group: check.group,
    severity,
    status: result.kind,
    outage: result.kind === 'fail' && result.outage === true,
    title: titleOf(check, result, notMeasured !== null),
    because: plainLine(result.because ?? `${check.title}.`),
    subjects: (('subjects' in result && result.subjects) || []).map((subject) => ({
      kind: plainLine(subject.kind),
      namespace: subject.namespace === null ? null : plainLine(subject.namespace),
      name: plainLine(subject.name),
      detail: plainLine(subject.detail),
      ...(subject.missing === undefined ? {} : { missing: subject.missing }),
    })),
    ifIgnored: check.ifIgnored,
    consequence: ('consequence' in result && result.consequence) || check.consequence,
    remedy: {
      ...remedy,
      steps: remedy.steps.map((step) => plainLine(step)),
      ...(remedy.details === undefined ? {} : { details: remedy.details.map((detail) => plainLine(detail)) }),
      ...(remedy.command === undefined ? {} : { command: plainLines(remedy.command) }),
    },
    evidence: (('evidence' in result && result.evidence) || []).map(({ object, path, value }) => ({
      object: plainLine(object),
      path: plainLine(path),
      value: plainValue(maskedAt(path, value)),
    })),
    observedAt: facts.observedAt,
    acknowledged: canBeAcknowledged ? acknowledgement(choices, check.id, notMeasured !== null) : null,
    fixedBy: fixIsChosen ? (remedy.autofix ?? null) : null,
    notMeasured,
    ...(result.kind === 'unknown' && result.withheld ? { withheld: result.withheld } : {}),
    followsFrom: null,
  };
}

/** The title for an outcome; the sentence for a pass is used for passes only. */
function titleOf({ title, gap, topic }: Check, result: Result, isNotMeasured: boolean): string {
  if (result.kind === 'pass') return title;
  if (result.kind === 'fail') return plainLine(result.gap ?? gap);
  if (result.kind === 'skipped') return `${topic}: does not apply`;
  return `${topic}: ${isNotMeasured ? 'not tested' : 'not verified'}`;
}

/** The result of a check. One that throws is a fault of Signalbox: it is unknown and says so, and the other checks run on. */
function resultOf(check: Check, facts: Facts, choices: Choices, files: ReleaseFiles): Result {
  try {
    if (isAboutEbpfAlone(check, choices)) return { kind: 'skipped', because: aboutEbpfOnly, restsOn: [] };
    const applies = check.appliesTo?.(facts, choices) ?? true;
    const result = applies === true ? check.run(facts, choices, files) : { kind: 'skipped' as const, ...applies };
    return withCoverage(check, facts, result);
  } catch (error) {
    const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return {
      kind: 'unknown',
      because: `Signalbox could not judge this because of a fault of its own (${plainLine(cause, 200)}). Please report it.`,
    };
  }
}

/** The reason for accepting a finding: its own, else the one for all that was not measured; null: none. */
function acknowledgement({ acknowledge }: Choices, id: string, isNotMeasured: boolean): string | null {
  const names = [id, ...(isNotMeasured ? [notMeasuredGroup] : [])];
  const name = names.find((one) => Object.hasOwn(acknowledge, one));
  return (name !== undefined && acknowledge[name]) || null;
}
