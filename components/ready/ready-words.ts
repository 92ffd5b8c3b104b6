import { counted } from '#lib/base/words.ts';
import { lackWords } from '#lib/checks/wording/withheld-among.ts';
import type { Answers, ReadyState } from '#lib/console/wizard/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { nodeTests } from '#lib/spec/index.ts';

const goals = {
  enable: (name: string) => `switch ${name} to eBPF`,
  install: (name: string) => `install Calico on ${name}`,
  upgrade: (name: string) => `upgrade ${name}`,
  undo: (name: string) => `undo a run on ${name}`,
  restore: (name: string) => `restore kube-proxy on ${name}`,
  policy: (name: string) => `make a policy on ${name}`,
  'flow-logs': (name: string) => `turn flow logs on for ${name}`,
} as const;

/** `Ready to switch prod-eu to eBPF`; `Not ready to switch …: worker-9`. Says ready only where nothing is open. */
export function readyTitle({ goal }: Pick<Answers, 'goal'>, { cluster }: Pick<Facts, 'cluster'>, state: ReadyState) {
  const what = goals[goal](cluster.name);
  switch (state.verdict) {
    case 'ready':
      return `Ready to ${what}`;
    case 'nothing':
      return `Nothing to change on ${cluster.name}`;
    case 'open':
      return `Almost ready to ${what}`;
    case 'blocked':
      return `Not ready: ${blockedBy(state.blockers)}`;
    case 'unplanned':
      return `Not ready to ${what}`;
  }
}

/** `worker-3 blocks the plan`; `2 findings block the plan`. */
function blockedBy(blockers: ReadyState['blockers']): string {
  const names = blockedNodes(blockers);
  const one = names.length === 1 || (names.length === 0 && blockers.length === 1);
  return `${blockerName(blockers)} ${one ? 'blocks' : 'block'} the plan`;
}

/** The blockers in a few words: the names of the nodes if only a few are concerned, else their number: `worker-3`, `2 findings`. */
export function blockerName(blockers: ReadyState['blockers']): string {
  const names = blockedNodes(blockers);
  return names.length > 0 ? names.join(' and ') : counted(blockers.length, 'finding');
}

function blockedNodes(blockers: ReadyState['blockers']): string[] {
  const subjects = blockers.flatMap((finding) => finding.subjects);
  const names = [...new Set(subjects.map(({ name }) => name))];
  return subjects.every(({ kind }) => kind === 'Node') && names.length <= 2 ? names : [];
}

export type NodeResult = NonNullable<Facts['measured']>['nodes'][number];

/** The state of a node by its tests, with the titles of those that failed and that did not run. It is `ok` only if all tests passed. */
export function nodeOutcome({ tests }: Pick<NodeResult, 'tests'>) {
  const of = (kind: 'failed' | 'not-run') =>
    nodeTests.filter(({ id }) => tests[id]?.kind === kind).map(({ title }) => title);
  const failed = of('failed');
  const missed = of('not-run');
  const state = failed.length > 0 ? 'bad' : missed.length > 0 ? 'unknown' : 'ok';
  return { state, failed, missed } as const;
}

/** How many questions are open, or were accepted: an accepted one is no passed check, and never green. */
export function answersWords(questions: ReadyState['questions']): string {
  const open = questions.filter(({ finding }) => finding.acknowledged === null).length;
  return open === 0 ? `${questions.length} accepted` : `${open} open`;
}

/** Why the button Review is off, or what it does. */
export function footerWords({ verdict, blockers, questions, withheld, unmeasured, unready, stepsLeft }: ReadyState): {
  lead: string;
  rest: string;
} {
  const open = questions.filter(({ finding }) => finding.acknowledged === null).length;
  switch (verdict) {
    case 'ready':
      return { lead: 'Nothing has changed yet.', rest: 'Review shows every change; the run starts there.' };
    case 'nothing':
      return {
        lead: 'Nothing to start.',
        rest:
          stepsLeft === 0
            ? 'Every step of the plan is done already.'
            : `${counted(stepsLeft, 'step')} left, and none of them writes anything.`,
      };
    case 'unplanned':
      return unready === null
        ? { lead: 'No plan yet.', rest: 'The reason stands in the plan.' }
        : { lead: `${unready.name} first.`, rest: unready.because };
    case 'blocked':
      return {
        lead: `The plan needs ${blockerName(blockers)} fixed first.`,
        rest: open === 0 ? '' : `${counted(open, 'question')} ${open === 1 ? 'follows' : 'follow'}.`,
      };
    case 'open':
      return {
        lead: [
          open === 0 ? '' : `${counted(open, 'answer')} needed.`,
          withheld.length === 0 ? '' : `${counted(withheld.length, 'check')} ${lackWords(withheld)}.`,
          unmeasured.length === 0 ? '' : `${counted(unmeasured.length, 'check')} not tested.`,
        ]
          .filter((part) => part !== '')
          .join(' '),
        rest: 'Nothing has changed yet.',
      };
  }
}
