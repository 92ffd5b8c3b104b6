import { beforeEach, expect, test } from 'vitest';
import { type Host, provideHost } from '#lib/console/host.ts';
import { aWizardContext } from '#lib/console/wizard/testing/a-wizard-context.ts';
import { changeAnswers } from './change-answers.ts';

const place = { cluster: 'prod-00000001', draft: 'draft-000000000001', step: 'compatibility' } as const;
const { draft } = aWizardContext();
let given: number[];

/** Another tab is a moment earlier than the first answer. */
beforeEach(() => {
  given = [];
  const host: Pick<Host, 'draft' | 'answer'> = {
    draft: async () => ({ ok: true, value: { ...draft, revision: given.length + 1 } }),
    answer: async (_cluster, _id, revision) => {
      given.push(revision);
      return revision === 2 ? { ok: true, value: draft } : { ok: false, code: 'draft.changed', message: 'Changed.' };
    },
  };
  provideHost(host as Host);
});

test.each<[string, number | undefined, boolean, number[]]>([
  ['of one’s own words is given again', undefined, true, [1, 2]],
  ['that rests on what was shown is refused, once', 1, false, [1]],
  ['to what is kept now is kept', 2, true, [2]],
])('an answer %s', async (_what, seen, isKept, revisions) => {
  expect((await changeAnswers(place, () => ({ acknowledge: {} }), seen)).ok).toBe(isKept);
  expect(given).toEqual(revisions);
});
