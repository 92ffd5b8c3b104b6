import { counted } from '#lib/base/words.ts';
import type { Facts, NodeFact } from '#lib/facts/index.ts';
import { type NodeTest, nodeTests } from '#lib/spec/index.ts';
import type { Result } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { nodeSubject } from '../reading/nodes.ts';
import { listed } from '../wording/sentences.ts';

type Unknown = Extract<Result, { kind: 'unknown' }>;

/** The failure of a test on these nodes; null: none, or not tested. For checks that have another answer in that case. */
export function measuredFault(
  { measured }: Pick<Facts, 'measured'>,
  nodes: readonly NodeFact[],
  test: NodeTest,
): Extract<Result, { kind: 'fail' }> | null {
  const result = asMeasured({ measured }, nodes, test, { passed: '', otherwise: { kind: 'unknown', because: '' } });
  return result.kind === 'fail' ? result : null;
}

/** Whether all of these nodes passed a test. */
export function passedEverywhere(
  { measured }: Pick<Facts, 'measured'>,
  nodes: readonly NodeFact[],
  test: NodeTest,
): boolean {
  const result = asMeasured({ measured }, nodes, test, { passed: '', otherwise: { kind: 'unknown', because: '' } });
  return result.kind === 'pass';
}

/**
 * Whether none of these nodes has a service proxy or its rules. False if not all were tested, or if the API shows another product that may serve Services:
 * the test only recognises kube-proxy.
 */
export function noneServes(
  { measured, proxy, installation }: Pick<Facts, 'measured' | 'proxy' | 'installation'>,
  nodes: readonly NodeFact[],
): boolean {
  return (
    measured !== null &&
    proxy.running !== true &&
    installation.otherNetworks.every(({ serves }) => serves === false) &&
    nodes.length > 0 &&
    nodes.every(({ name }) => measured.nodes.find(({ node }) => node === name)?.proxy === 'none')
  );
}

/**
 * The result of a check that a test on each node decides. One node that fails is enough to fail; one that was not tested leaves it unknown. `passed`: the
 * sentence if all pass. `failing`: the remedy for a node that fails, if it is not the check's own, which usually asks for the test.
 */
export function asMeasured(
  { measured }: Pick<Facts, 'measured'>,
  nodes: readonly NodeFact[],
  test: NodeTest,
  { passed, otherwise, failing: remedy }: { passed: string; otherwise: Unknown; failing?: Remedy },
): Result {
  if (measured === null || nodes.length === 0) return otherwise;
  const outcomes = nodes.map((node) => ({
    node,
    outcome: measured.nodes.find((one) => one.node === node.name)?.tests[test],
  }));
  const failing = outcomes.flatMap(({ node, outcome }) =>
    outcome?.kind === 'failed' ? [nodeSubject(node, outcome.because)] : [],
  );
  const title = nodeTests.find(({ id }) => id === test)?.title ?? test;
  const evidence = [
    { object: 'probe', path: title, value: `${nodes.length - failing.length} of ${counted(nodes.length, 'node')}` },
  ];
  if (failing.length > 0)
    return {
      kind: 'fail',
      because: `Measured: ${title}, not on ${listed(
        failing.map(({ name, detail }) => `${name} (${detail})`),
        4,
      )}.`,
      subjects: failing,
      ...(remedy ? { remedy } : {}),
      evidence,
    };
  const untested = outcomes.filter(({ outcome }) => outcome?.kind !== 'passed');
  if (untested.length > 0)
    return {
      ...otherwise,
      because: `${otherwise.because} Not tested on ${counted(untested.length, 'node')}: ${listed(
        untested.map(({ node }) => node.name),
        4,
      )}.`,
    };
  return { kind: 'pass', because: `${passed} Measured on ${counted(nodes.length, 'node')}.`, evidence };
}
