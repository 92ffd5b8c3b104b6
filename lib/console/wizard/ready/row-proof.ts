import { counted } from '#lib/base/words.ts';
import type { Finding } from '#lib/checks/index.ts';
import type { NodeTest } from '#lib/spec/index.ts';
import type { FindingInState } from '../open-findings.ts';
import type { WizardContext } from '../wizard-context.ts';

/** What a row rests on: the worst that its findings say. Null: nothing is in its way, and nothing had to be shown. */
export type Proof = { state: 'ok' | 'bad' | 'warn' | 'unknown'; words: string } | null;

export type ShownValue = { words: string; shownBy: string };

const order = ['blocking', 'unknown', 'decide'] as const;
const stateOf = { blocking: 'bad', unknown: 'unknown', decide: 'warn' } as const;

/** What was accepted, or waits for another finding, shows nothing. */
export function proofOf(found: readonly FindingInState[], good: ShownValue | null): Proof {
  for (const state of order) {
    const worst = found.find((one) => one.state === state);
    if (worst)
      return { state: stateOf[state], words: state === 'decide' ? 'needs your answer' : inShort(worst.finding) };
  }
  const accepted = found.filter(({ state, finding }) => state === 'answered' && finding.fixedBy === null);
  if (accepted.some(({ finding }) => finding.status === 'unknown'))
    return { state: 'unknown', words: 'accepted, not verified' };
  if (accepted.length > 0 || found.some(({ state }) => state === 'waiting')) return null;
  const isShown = found.some(({ state, finding }) => state === 'pass' && finding.id === good?.shownBy);
  return good !== null && isShown ? { state: 'ok', words: good.words } : null;
}

/** A finding in a line: its subjects where they are nodes. The whole of it stands elsewhere on the page. */
function inShort({ status, notMeasured, subjects, because }: Finding): string {
  if (notMeasured !== null) return 'not tested on the nodes';
  if (status === 'unknown') return 'not verified';
  const nodes = subjects.filter(({ kind }) => kind === 'Node');
  const [first] = nodes;
  if (first !== undefined && nodes.length === subjects.length)
    return nodes.length === 1
      ? `fails on ${first.name}`
      : `fails on ${counted(nodes.length, 'node')}, ${first.name} first`;
  return because.length <= mostChars ? because : 'blocks: see above';
}
const mostChars = 64;

/** What a test says that every node passed; null where it was not taken, or not passed by all. */
export function passedOn(
  { measured }: WizardContext['facts'],
  test: NodeTest,
  words: (nodes: string) => string,
): string | null {
  const nodes = measured?.nodes ?? [];
  if (nodes.length === 0 || nodes.some(({ tests }) => tests[test]?.kind !== 'passed')) return null;
  return words(`${nodes.length} of ${counted(nodes.length, 'node')}`);
}
