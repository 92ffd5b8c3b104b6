import { z } from 'zod';
import { afterwards, hostAnswer } from '#lib/spec/choices.ts';
import type { Answers } from '../answers.ts';
import { fieldName, partsOf } from './changes-form.ts';
import { defineStepForm, type Values } from './step-form.ts';

type Changes = NonNullable<Answers['changes']>;

const given: ReadonlySet<string> = new Set(['', 'yes']);
const decisions: ReadonlySet<string> = new Set(['', 'keep', 'take']);

/** Steps after an upgrade, one field each, named as on the command line; `decide-…`: decisions about host endpoints and labels of their nodes. */
export const afterwardsForm = defineStepForm<Values>({
  schema: z.record(z.string(), z.string()).superRefine((values, context) => {
    const say = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    for (const what of afterwards) if (!given.has(values[what] ?? '')) say(what, 'Choose whether it follows.');
    for (const [name, value] of Object.entries(values))
      if (partsOf(name)[0] === 'decide' && !decisions.has(value)) say(name, 'Choose which of both stays.');
  }),
  read: ({ afterwards: chosen = [], changes = {} }) => ({
    ...Object.fromEntries(afterwards.map((what) => [what, chosen.includes(what) ? 'yes' : ''])),
    ...Object.fromEntries(
      Object.entries(changes).flatMap(([name, answer]) =>
        hostAnswer.test(name) && typeof answer === 'string' ? [[fieldName('decide', name), answer]] : [],
      ),
    ),
  }),
  write: (values, answers) => {
    const chosen = afterwards.filter((what) => values[what] === 'yes');
    const others = Object.entries(answers.changes ?? {}).filter(([name]) => !hostAnswer.test(name));
    // Without the step that they belong to, they would be refused.
    const ofHosts = chosen.includes('host-endpoints') ? Object.entries(values).flatMap(decided) : [];
    const changes = Object.fromEntries([...others, ...ofHosts]);
    return {
      afterwards: chosen.length === 0 ? undefined : chosen,
      changes: Object.keys(changes).length === 0 ? undefined : changes,
    };
  },
});

function decided([name, value]: [string, string]): [string, Changes[string]][] {
  const [kind, change] = partsOf(name);
  const isOfHost = kind === 'decide' && change !== null && hostAnswer.test(change);
  return isOfHost && (value === 'keep' || value === 'take') ? [[change, value]] : [];
}
