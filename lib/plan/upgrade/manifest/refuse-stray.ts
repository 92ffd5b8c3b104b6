import { manifestChanges, manifestFileOf, objectsCompared } from '#lib/checks/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { refOf } from '../../objects/release-objects.ts';
import type { PlanContext } from '../../operation.ts';
import { PlanError } from '../../plan-error.ts';
import { isHostAnswer } from '../afterwards/refuse-afterwards.ts';
import { manifestIn } from './manifest-file.ts';

type Known = Pick<PlanContext, 'facts' | 'choices' | 'release' | 'running'>;

/**
 * Throws a PlanError for an answer that names no change by hand: a misspelt name would silently leave its change undecided. Names are those that `check`
 * and the browser show, from the release that runs to the chosen one, also where the upgrade goes by another release.
 */
export function refuseStray({ facts, choices, release, running }: Known): void {
  const { changes: answers = {}, remove = [] } = choices;
  const named = Object.keys(answers).filter((name) => name !== 'all' && !isHostAnswer(name, choices));
  if (release === null || (named.length === 0 && remove.length === 0)) return;
  const next = manifestIn(release, { facts });
  const old = running?.manifests[manifestFileOf(facts)] ?? null;
  const { changes, dropped } = manifestChanges(facts, { old, next, answers });
  const known = new Set([...objectsCompared(next).map((one) => objectId(refOf(one))), ...changes.map(({ id }) => id)]);
  const stray = named.find((name) => !known.has(name));
  if (stray !== undefined)
    throw new PlanError(
      'choices.changes',
      `changes: ${JSON.stringify(stray)} is not a manual change of this cluster; \`check --goal upgrade -o json\` has the name of each.`,
      ['changes', stray],
    );
  const unknown = remove.find((name) => !dropped.some(({ id }) => id === name));
  if (unknown !== undefined)
    throw new PlanError(
      'choices.remove',
      `remove: ${unknown} is not an object that the new release drops${dropped.length > 0 ? `; these are: ${dropped.map(({ id }) => id).join(', ')}` : '; there is none'}.`,
      ['remove'],
    );
}
