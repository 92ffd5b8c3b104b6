import { names, resources } from '#lib/spec/index.ts';
import { defineOperation } from '../define-operation.ts';
import { rule } from '../rules.ts';

/** What an undo needs is stored before the first act (product.md › Promises, 2). */
export const snapshot = defineOperation({
  id: 'snapshot',
  title: 'Record what this plan will change',
  why: 'Everything that is needed to take the plan back is in the cluster before anything is changed.',
  effect: 'none',
  reversible: true,
  appliesTo: () => true,
  needs: () => [
    rule(resources.configMaps, ['create', 'get', 'list', 'watch', 'patch', 'delete'], {
      namespace: names.systemNamespace,
    }),
  ],
  act: { kind: 'journal' },
  done: { kind: 'journalled' },
  // plan-as-shell.ts writes the line: it needs the targets of the operations that follow.
  command: '',
  usualSeconds: 1,
  deadlineSeconds: 30,
});
