import { counted } from '#lib/base/words.ts';
import { names, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import { removalOfAll } from '../objects/made-here.ts';
import type { PlanContext } from '../operation.ts';
import { aName } from '../pins/parts.ts';
import { isRequested } from '../upgrade/afterwards/refuse-afterwards.ts';
import { existingOf, mayDelete, recreationOf } from '../upgrade/afterwards/requested-deletion.ts';
import { inWords, replacedEndpoints } from '../upgrade/afterwards/successors.ts';

const old = (context: PlanContext) =>
  existingOf(
    context,
    replacedEndpoints(context).map(({ name }) => ({ resource: resources.hostEndpoints, name })),
  );

/** spec › Delete old host endpoint. Until it is deleted, a policy that selects it also applies to the node (calico.md §7). */
export const hepDeleteOld = defineOperation({
  id: 'hep.delete-old',
  title: (context) =>
    `Delete ${counted(old(context).length, 'host endpoint')} for all interfaces that were created by hand`,
  why: (context) =>
    [
      'Every node has its automatic host endpoint by now, with the labels of the node.',
      ...replacedEndpoints(context)
        .filter(({ lacks }) => lacks.length > 0)
        .slice(0, 20)
        .map(inWords),
    ].join(' '),
  whenPaused: 'Some nodes have two host endpoints. Policies apply to them as before.',
  effect: 'traffic',
  reversible: true,
  appliesTo: (context) => isRequested('host-endpoints', context) && old(context).length > 0,
  mayWrite: () => mayDelete([{ resource: resources.hostEndpoints, name: aName }]),
  needs: () => [rule(resources.hostEndpoints, ['get', 'list', 'create', 'delete'])],
  // In storage their labels are text in an annotation.
  reads: (context) =>
    old(context).map((target) => ({
      target,
      paths: [['spec'], ['metadata', 'labels'], ['metadata', 'annotations', names.metadataAnnotation]],
    })),
  act: (context) => removalOfAll(old(context)).act,
  done: (context) => removalOfAll(old(context)).done,
  undo: (context) => recreationOf(context, old(context), 'Make the earlier host endpoints again'),
});
