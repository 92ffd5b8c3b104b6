import { names } from '#lib/spec/index.ts';
import { writeFelix } from '../access/rules.ts';
import { defineOperation, write, writeBack } from '../define-operation.ts';
import { fieldAt, patchAt, textAt } from '../objects/field.ts';
import { felix } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { OperationDefinition, PlanContext } from '../operation.ts';
import { felixRef, patched, undoneBy } from '../pins/parts.ts';
import { either, shortText } from '../pins/pattern.ts';
import type { UndoPhase } from '../schema/planned-operation.ts';

const annotationPath = ['metadata', 'annotations', names.bpfEnabledAnnotation];
const fieldPath = ['spec', 'bpfEnabled'];

/** `bpfEnabled` and the operator's annotation of it, as read. Both must be equal or absent (calico.md §3.5, Ownership check). */
function ownership({ facts, choices }: Pick<PlanContext, 'facts' | 'choices'>) {
  const object = objectOf(facts.resources.objects, felix({ facts }));
  const value = fieldAt(object, fieldPath);
  const wanted = value === undefined ? null : String(value);
  return {
    isOn: value === true,
    wanted,
    isMended: choices.fix.includes('install.felix-annotation') && (textAt(object, annotationPath) ?? null) !== wanted,
  };
}

const patch = (context: PlanContext) => patchAt(annotationPath, ownership(context).wanted);

function annotation(
  appliesTo: (context: PlanContext) => boolean,
  undo: { phase: UndoPhase; title: string },
): OperationDefinition {
  return defineOperation({
    id: 'felix.annotation',
    title: 'Restore the operator’s mark on bpfEnabled',
    why: 'bpfEnabled was set by hand. The operator refuses to change it while its own mark has another value.',
    whenPaused: 'Traffic is as before.',
    effect: 'none',
    reversible: true,
    appliesTo,
    mayWrite: () => ({
      step: patched(felixRef, {
        metadata: { annotations: { [names.bpfEnabledAnnotation]: either(null, 'true', 'false') } },
      }),
      undo: undoneBy(
        undo.phase,
        patched(felixRef, { metadata: { annotations: { [names.bpfEnabledAnnotation]: either(null, shortText) } } }),
      ),
    }),
    needs: writeFelix,
    reads: (context) => [{ target: felix(context), paths: [annotationPath, fieldPath] }],
    act: (context) => write(felix(context), patch(context)).act,
    done: (context) => write(felix(context), patch(context)).done,
    undo: (context) => ({ ...writeBack(context, felix(context), patch(context)), ...undo }),
  });
}

/**
 * For a field that is false or absent: before the switch, which the operator would refuse otherwise. Undone after eBPF is off, because with the
 * earlier annotation the operator would refuse to switch it off.
 */
export const felixAnnotationBefore = annotation((context) => ownership(context).isMended && !ownership(context).isOn, {
  phase: 'options',
  title: 'Remove the operator’s mark on bpfEnabled again',
});

/**
 * For a field that is true while the Installation is not BPF: after the switch, because before it the operator would switch eBPF off. Undone before
 * the Installation is restored, for the same reason: eBPF that was set by hand stays on.
 */
export const felixAnnotationAfter = annotation((context) => ownership(context).isMended && ownership(context).isOn, {
  phase: 'ownership',
  title: 'Remove the operator’s mark on bpfEnabled again, so that it does not change eBPF',
});
