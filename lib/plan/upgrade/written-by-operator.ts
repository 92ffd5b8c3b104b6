import { isRecord, joinFields } from '#lib/base/records.ts';
import { names, operatorRewrites, releaseAtLeast, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import type { Act, Condition } from '../act.ts';
import { write } from '../define-operation.ts';
import { fieldAt, patchAt } from '../objects/field.ts';
import { felix, installation } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import { requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext, Rule, RuleScope } from '../operation.ts';
import { at, felixRef, installationRef, patched, writtenBy } from '../pins/parts.ts';
import { anyData, either, exactly, type Fits, fits, mapOf, maybe, type Pattern } from '../pins/pattern.ts';

/** What operators write by themselves from a release on. */
const rewrites = operatorRewrites.filter(({ since }) => since !== undefined);

/**
 * Takes out again what the new operator writes by itself and the earlier one does not know: each field as it was read, of the Installation and of
 * FelixConfiguration. Only once the earlier operator runs: until then it would be written again. What anybody else has written since is theirs, and stays.
 */
export function takenOut(context: PlanContext): { act: Act; done: Condition }[] {
  const from = context.running?.version ?? context.facts.installation.version ?? '';
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

/** The stored FelixConfiguration tells who wrote what; through Calico's own API it is its server, whoever asked that. */
export const takenOutNeeds = ({ felix: asked }: RuleScope): Rule[] => [
  rule(resources.felixConfigurations, ['get'], { names: [names.felixConfiguration] }),
  ...asked.map((resource) => rule(resource, ['get', 'patch'], { names: [names.felixConfiguration] })),
];

const earlier = maybe(anyData);

/** Plans and journals of earlier versions take them out whoever wrote them. */
function takenFrom(target: Pattern, body: Pattern): Fits {
  return either(patched(target, body), (step) => {
    if (!fits(step, { act: { kind: 'merge-patch', target, body, whose: 'operators' }, done: isRecord })) return false;
    return fits(at(step, 'done'), exactly({ ...writtenBy(at(step, 'act')), whose: 'operators' }));
  });
}

export const takenOutOfInstallation: Fits = takenFrom(installationRef, {
  spec: { nonPrivileged: earlier, cni: maybe({ binDir: earlier, confDir: earlier }) },
});
export const takenOutOfFelix: Fits = takenFrom(felixRef, { spec: mapOf(earlier) });
