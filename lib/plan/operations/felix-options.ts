import type { Choices } from '#lib/spec/index.ts';
import { defineOperation } from '../define-operation.ts';
import { writeFelixBack, writeFelixFields } from '../felix-write.ts';
import type { Json } from '../merge-patch.ts';
import type { PlanContext } from '../operation.ts';
import { felix } from '../places.ts';
import { writeFelix } from '../rules.ts';

/** Which answer sets which field of FelixConfiguration (calico.md §5). One row an option. */
const options: readonly { field: string; value(choices: Choices): unknown; title: string }[] = [
  {
    field: 'bpfExternalServiceMode',
    value: ({ dsr }) => (dsr ? 'DSR' : undefined),
    title: 'answers go straight back to the client (DSR)',
  },
];

function chosen({ choices }: Pick<PlanContext, 'choices'>) {
  return options.filter((option) => option.value(choices) !== undefined);
}

function patch(context: PlanContext): Json {
  return { spec: Object.fromEntries(chosen(context).map(({ field, value }) => [field, value(context.choices)])) };
}

/** Options of the eBPF data plane, set before it is in use: changing them later restarts every agent once more. */
export const felixOptions = defineOperation({
  id: 'felix.options',
  title: (context) =>
    `Set how eBPF works: ${chosen(context)
      .map(({ title }) => title)
      .join(', ')}`,
  why: 'These were chosen; they take effect with the switch.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) => chosen(context).length > 0,
  needs: writeFelix,
  reads: (context) => [{ target: felix(context), paths: chosen(context).map(({ field }) => ['spec', field]) }],
  act: (context) => writeFelixFields(context, patch(context)).act,
  done: (context) => writeFelixFields(context, patch(context)).done,
  undo: (context) => ({
    title: 'Set the options of eBPF back to what they were',
    ...writeFelixBack(context, patch(context)),
    phase: 'options',
  }),
});
