import type { Act, Condition, OwnedObject, OwnerUids } from '../act.ts';
import { at, stepsOf } from '../pins/parts.ts';
import { exactly, type Fits, fits, listOf, maybe, type Pattern, shortText, text } from '../pins/pattern.ts';

/** How owner references are taken away and brought back, each step as plain data and as what a plan file may hold of it. */

type Step = { act: Act; done: Condition };

/** A part of a sequence, so that whoever continues a run that paused here looks and acts again, and does not only wait. */
export function removal(
  dependants: OwnedObject[],
  when: Extract<Act, { kind: 'remove-owner-references' }>['when'],
): Step {
  const done: Condition = { kind: 'owner-references-gone', dependants };
  return {
    act: { kind: 'sequence', steps: [{ act: { kind: 'remove-owner-references', dependants, when }, done }] },
    done,
  };
}

/** Nothing is written until the API serves the UIDs that are expected. */
export function restoration(dependants: OwnedObject[], uids: OwnerUids): Step {
  const done: Condition = { kind: 'owner-references-restored', dependants, uids };
  return {
    act: {
      kind: 'sequence',
      steps: [
        { act: { kind: 'wait' }, done: { kind: 'owners-served', dependants, uids } },
        { act: { kind: 'restore-owner-references', dependants, uids }, done },
      ],
    },
    done,
  };
}

const bool: Fits = (value) => typeof value === 'boolean';

/** Of any kind; of it nothing is written but references to Calico's own API. */
const ownedObject: Pattern = {
  target: { resource: (value: unknown) => value !== undefined, namespace: maybe(shortText), name: shortText },
  uid: shortText,
  references: listOf({
    apiVersion: text(/^projectcalico\.org\/v\d+$/),
    kind: shortText,
    name: shortText,
    uid: shortText,
    controller: maybe(bool),
    blockOwnerDeletion: maybe(bool),
  }),
};

export function ownersRemoved(when: Extract<Act, { kind: 'remove-owner-references' }>['when']): Fits {
  return asMade((dependants) => removal(dependants, when), 0);
}

export function ownersRestored(uids: OwnerUids): Fits {
  return asMade((dependants) => restoration(dependants, uids), 1);
}

/** Everything follows from the objects that the part at `which` names. */
function asMade(make: (dependants: OwnedObject[]) => Step, which: number): Fits {
  return (step) => {
    const dependants = at(at(stepsOf(at(step, 'act'))[which], 'act'), 'dependants');
    return fits(dependants, listOf(ownedObject)) && fits(step, exactly(make(dependants as OwnedObject[])));
  };
}
