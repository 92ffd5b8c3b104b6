import { isDeepStrictEqual } from 'node:util';
import type { TestOutcome } from '#lib/kube/index.ts';
import { testedBetweenNodes } from '#lib/spec/index.ts';
import type { KeptMeasurement } from './kept-schema.ts';

type Measured = KeptMeasurement['nodes'][number];

/** When this node was tested, in ms since the epoch. The nodes of one test share one time. */
export function timeOf({ at, times }: Pick<KeptMeasurement, 'at' | 'times'>, node: string): number {
  return times?.[node] ?? at;
}

/**
 * Joins a new measurement of some nodes with the kept one; each node keeps its own time. Kept results are dropped if they were measured with other
 * settings or before `since`. Of tests between nodes, a pass is dropped too unless all nodes tested with each other at once: the other paths were
 * never tested.
 */
export function joinedMeasurement(before: KeptMeasurement, now: KeptMeasurement, since: number): KeptMeasurement {
  const isNew = new Set(now.nodes.map(({ node }) => node));
  const holds = ({ node }: Measured) => !isNew.has(node) && timeOf(before, node) >= since;
  const others = isSameQuestion(before, now) && before.at <= now.at ? before.nodes.filter(holds) : [];
  if (others.length === 0) return now;
  const all = [...others.map(({ node }) => node), ...isNew];
  const earlier = new Map(before.nodes.map((one) => [one.node, one]));
  /** Whether all nodes of both were tested together with this one. */
  const wereTestedTogether = (node: string) =>
    earlier.has(node) && all.every((one) => earlier.has(one) && timeOf(before, one) === timeOf(before, node));
  const times = new Map<string, number>();
  const nodes = [...others, ...now.nodes].map((one): Measured => {
    const { node } = one;
    times.set(node, timeOf(isNew.has(node) ? now : before, node));
    if (!isNew.has(node))
      return wereTestedTogether(node) ? one : between(one, (outcome) => partly(outcome, all.length));
    const then = wereTestedTogether(node) ? earlier.get(node)?.tests : undefined;
    return between(one, (outcome, test) => {
      const former = then?.[test];
      if (outcome.kind !== 'passed' || former?.kind !== 'passed') return partly(outcome, all.length);
      // The result is as old as the older of the two.
      times.set(node, timeOf(before, node));
      return outcome;
    });
  });
  return {
    ...now,
    nodes,
    times: Object.fromEntries(times),
    addresses: { ...before.addresses, ...now.addresses },
    ...(before.addressesV6 || now.addressesV6 ? { addressesV6: { ...before.addressesV6, ...now.addressesV6 } } : {}),
    boots: { ...before.boots, ...now.boots },
    plan: {
      ...now.plan,
      objects: [...new Set([...(before.plan.objects ?? []), ...(now.plan.objects ?? [])])],
      ended:
        (['left', 'kept'] as const).find((end) => [before, now].some(({ plan }) => plan.ended === end)) ??
        now.plan.ended,
    },
  };
}

const partly = (outcome: TestOutcome, nodes: number): TestOutcome =>
  outcome.kind === 'passed'
    ? { kind: 'not-run', because: `it did not test with all of the ${nodes} nodes that were tested, at once` }
    : outcome;

function between(
  measured: Measured,
  changed: (outcome: TestOutcome, test: (typeof testedBetweenNodes)[number]) => TestOutcome,
): Measured {
  const tests = { ...measured.tests };
  for (const test of testedBetweenNodes) {
    const outcome = tests[test];
    if (outcome !== undefined) tests[test] = changed(outcome, test);
  }
  return { ...measured, tests };
}

function isSameQuestion(one: KeptMeasurement, other: KeptMeasurement): boolean {
  const questionOf = ({
    script,
    endpoint,
    settings,
    image,
    plan: { release, images, flexVolumeFolder },
  }: KeptMeasurement) => ({
    ...{ script, endpoint, settings, image, release, images, flexVolumeFolder },
  });
  return isDeepStrictEqual(questionOf(one), questionOf(other));
}
