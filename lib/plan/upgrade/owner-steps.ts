import { ownField, stepsOf } from '../pins/parts.ts';
import { exactly, type Fits, fits, listOf, maybe, type Pattern, shortText, text } from '../pins/pattern.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import type { OwnedObject, OwnerUids } from '../schema/named-objects.ts';

/** Steps that take owner references away and bring them back: as plain data, and as the patterns that a plan file must fit. */

type Step = { act: Act; done: Condition };

/** Takes the references away. It is a part of a sequence, so that a run that paused here acts again when it is continued, instead of only waiting. */
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

/** Brings the references back, once Calico's own API serves the expected UIDs: with other ones Kubernetes would delete the objects. */
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

/** An object of any kind, of which only references to Calico's own API are written. */
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

/** What a plan file may hold in place of `removal`: any objects, but only references to Calico's own API. */
export function ownersRemoved(when: Extract<Act, { kind: 'remove-owner-references' }>['when']): Fits {
  return asMade((dependants) => removal(dependants, when), 0);
}

/** What a plan file may hold in place of `restoration`, with exactly these UIDs. */
export function ownersRestored(uids: OwnerUids): Fits {
  return asMade((dependants) => restoration(dependants, uids), 1);
}

/** A step that equals what `make` makes from the objects of its part number `which` (from 0). */
function asMade(make: (dependants: OwnedObject[]) => Step, which: number): Fits {
  return (step) => {
    const dependants = ownField(ownField(stepsOf(ownField(step, 'act'))[which], 'act'), 'dependants');
    return fits(dependants, listOf(ownedObject)) && fits(step, exactly(make(dependants as OwnedObject[])));
  };
}
