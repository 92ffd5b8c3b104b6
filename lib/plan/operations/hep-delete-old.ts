import { counted } from '#lib/base/words.ts';
import { names, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import type { PlanContext } from '../operation.ts';
import { aName } from '../pins/parts.ts';
import { isAskedFor } from '../upgrade/afterwards/asked-for.ts';
import { inWords, replaced } from '../upgrade/afterwards/successors.ts';
import { comeBack, goTogether, mayGo, thereToGo } from '../upgrade/afterwards/taken-away.ts';

const old = (context: PlanContext) =>
  thereToGo(
    context,
    replaced(context).map(({ name }) => ({ resource: resources.hostEndpoints, name })),
  );

/** spec › Delete old host endpoint. Until it is deleted, a policy that selects it also applies to the node (calico.md §7). */
export const hepDeleteOld = defineOperation({
  id: 'hep.delete-old',
  title: (context) =>
    `Delete ${counted(old(context).length, 'host endpoint')} for all interfaces that were created by hand`,
  why: (context) =>
    [
      'Every node has its automatic host endpoint by now, with the labels of the node.',
      ...replaced(context)
        .filter(({ lacks }) => lacks.length > 0)
        .slice(0, 20)
        .map(inWords),
    ].join(' '),
  whenPaused: 'Some nodes have two host endpoints. Policies apply to them as before.',
  effect: 'traffic',
  reversible: true,
  appliesTo: (context) => isAskedFor('host-endpoints', context) && old(context).length > 0,
  mayWrite: () => mayGo([{ resource: resources.hostEndpoints, name: aName }]),
  needs: () => [rule(resources.hostEndpoints, ['get', 'list', 'create', 'delete'])],
  // In storage their labels are text in an annotation.
  reads: (context) =>
    old(context).map((target) => ({
      target,
      paths: [['spec'], ['metadata', 'labels'], ['metadata', 'annotations', names.metadataAnnotation]],
    })),
  act: (context) => goTogether(old(context)).act,
  done: (context) => goTogether(old(context)).done,
  undo: (context) => comeBack(context, old(context), 'Make the earlier host endpoints again'),
});
