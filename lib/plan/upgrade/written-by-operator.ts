import { isRecord, joinFields } from '#lib/base/records.ts';
import { names, operatorRewrites, releaseAtLeast, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { write } from '../define-operation.ts';
import { fieldAt, patchAt } from '../objects/field.ts';
import { felix, installation } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import { earlierVersion, requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext, RuleScope } from '../operation.ts';
import { felixRef, installationRef, ownField, patched, writtenBy } from '../pins/parts.ts';
import { anyData, either, exactly, type Fits, fits, mapOf, maybe, type Pattern } from '../pins/pattern.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import type { Rule } from '../schema/planned-operation.ts';

/** Fields that operators write by themselves, from a certain release on. */
const rewrites = operatorRewrites.filter(({ since }) => since !== undefined);

/**
 * Steps that restore fields of the Installation and FelixConfiguration that the new operator sets and the earlier one does not know. They come after
 * the earlier operator runs, since the new one would set the fields again. A field that somebody else has written since stays.
 */
export function takenOut(context: PlanContext): { act: Act; done: Condition }[] {
  const from = earlierVersion(context) ?? '';
  const to = requiredRelease(context).version;
  return [installation, felix(context)].flatMap((target) => {
    const before = objectOf(context.before, target);
    if (!before) return [];
    const patches = rewrites
      .filter(({ kind, since = '' }) => kind === target.resource.kind && releaseAtLeast(from, since) === 'no')
      .filter(({ since = '' }) => releaseAtLeast(to, since) !== 'no')
      .filter(({ when, path }) => when === 'always' || fieldAt(before, path) === undefined)
      .map(({ path }) => patchAt(path, fieldAt(before, path) ?? null));
    const body = patches.reduce(joinFields, {});
    return patches.length === 0 ? [] : [ofOperator(write(target, body))];
  });
}

function ofOperator({ act, done }: ReturnType<typeof write>): { act: Act; done: Condition } {
  return { act: { ...act, whose: 'operators' }, done: { ...done, whose: 'operators' } };
}

/** Rights to see who wrote a field: the stored FelixConfiguration shows it. Through Calico's own API, its server counts as the writer of everything. */
export const takenOutNeeds = ({ felix: felixResources }: RuleScope): Rule[] => [
  rule(resources.felixConfigurations, ['get'], { names: [names.felixConfiguration] }),
  ...felixResources.map((resource) => rule(resource, ['get', 'patch'], { names: [names.felixConfiguration] })),
];

const earlier = maybe(anyData);

/** A step of `takenOut`. Plans and journals of earlier versions have it without `whose`. */
function takenFrom(target: Pattern, body: Pattern): Fits {
  return either(patched(target, body), (step) => {
    if (!fits(step, { act: { kind: 'merge-patch', target, body, whose: 'operators' }, done: isRecord })) return false;
    return fits(ownField(step, 'done'), exactly({ ...writtenBy(ownField(step, 'act')), whose: 'operators' }));
  });
}

export const takenOutOfInstallation: Fits = takenFrom(installationRef, {
  spec: { nonPrivileged: earlier, cni: maybe({ binDir: earlier, confDir: earlier }) },
});
export const takenOutOfFelix: Fits = takenFrom(felixRef, { spec: mapOf(earlier) });
