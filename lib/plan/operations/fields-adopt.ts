import { counted } from '#lib/base/words.ts';
import { defineOperation } from '../define-operation.ts';
import { objectOf } from '../objects/objects.ts';
import { ownField } from '../pins/parts.ts';
import { exactly, type Fits, fits } from '../pins/pattern.ts';
import { manifestParts } from '../upgrade/manifest/manifest-parts.ts';
import { manifestRefs } from '../upgrade/manifest/manifest-pins.ts';
import { manifestNeeds } from './manifest-apply.ts';

const adopted = (step: unknown): boolean =>
  fits(step, {
    act: { kind: 'adopt-fields', targets: manifestRefs },
    done: { kind: 'fields-adopted', targets: exactly(ownField(ownField(step, 'act'), 'targets')) },
  });

/** Does what client-go's csaupgrade does: a field with a second owner would stay although a later release no longer has it (pain H22). */
export const fieldsAdopt = defineOperation({
  id: 'fields.adopt',
  title: (context) => `Take over the fields of ${counted(targetsOf(context).length, 'object')} from whoever wrote them`,
  why: 'kubectl owns fields that the old manifest had and the new one lacks. Once Signalbox owns them, they are removed with the upgrade. No value changes.',
  whenPaused: 'Only the owners of fields have changed, no value. Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: (context) => targetsOf(context).length > 0,
  mayWrite: () => ({ step: adopted as Fits }),
  needs: manifestNeeds,
  act: (context) => ({ kind: 'adopt-fields', targets: targetsOf(context) }),
  done: (context) => ({ kind: 'fields-adopted', targets: targetsOf(context) }),
  usualSeconds: 5,
  deadlineSeconds: 120,
});

/** Leaves out what an earlier release of the same plan writes, which is ours already. */
function targetsOf(context: Parameters<typeof manifestParts>[0]) {
  return manifestParts(context).flatMap(({ target, live }) =>
    live === null || live !== objectOf(context.facts.resources.objects, target) ? [] : [target],
  );
}
