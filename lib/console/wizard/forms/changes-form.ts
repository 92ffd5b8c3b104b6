import { z } from 'zod';
import { exactScalar, scalarText } from '#lib/base/exact-scalar.ts';
import { hostAnswer } from '#lib/spec/choices.ts';
import type { Answers } from '../answers.ts';
import { defineStepForm, type Values } from './step-form.ts';

type Changes = NonNullable<Answers['changes']>;

/** Values for one change; empty: undecided. */
const decisions: ReadonlySet<string> = new Set(['', 'keep', 'take', 'write']);

/** Longest typed value; enough for a large value of a ConfigMap. */
const mostChars = 64 * 1024;

/**
 * Decisions about changes in an upgrade by manifest, and the chart of one by Helm. Names of form fields cannot have dots and brackets, which names of changes
 * have, so fields are named `decide-`, `value-` and `remove-` followed by the change's name in base64url.
 */
export const changesForm = defineStepForm<Values>({
  schema: z.record(z.string(), z.string()).superRefine((values, context) => {
    const say = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    for (const [name, value] of Object.entries(values)) {
      const [kind, change] = partsOf(name);
      if (kind === 'chart') for (const fault of chartFaults(value)) say(name, fault);
      if (kind !== 'decide' || change === null) continue;
      if (!decisions.has(value)) say(name, 'Choose what becomes of this change.');
      if (value !== 'write') continue;
      const written = fieldName('value', change);
      const text = values[written] ?? '';
      if (text.trim() === '') say(written, 'Enter the value to write.');
      if (text.length > mostChars) say(written, 'At most 65,536 characters are possible.');
    }
  }),
  read: ({ changes = {}, remove = [], chart }) => ({
    chart: chart ?? '',
    ...Object.fromEntries(
      Object.entries(changes)
        .filter(([name]) => !hostAnswer.test(name))
        .flatMap(([name, answer]) =>
          typeof answer === 'string'
            ? [[fieldName('decide', name), answer]]
            : [
                [fieldName('decide', name), 'write'],
                [fieldName('value', name), scalarText(answer.write)],
              ],
        ),
    ),
    ...Object.fromEntries(remove.map((name) => [fieldName('remove', name), 'yes'])),
  }),
  write: (values, answers) => {
    const named = Object.entries(values).flatMap(([name, value]) => {
      const [kind, change] = partsOf(name);
      return change === null ? [] : [{ kind, change, value }];
    });
    const changes = Object.fromEntries(
      named.flatMap(({ kind, change, value }): [string, Changes[string]][] => {
        if (kind !== 'decide' || hostAnswer.test(change)) return [];
        if (value === 'keep' || value === 'take') return [[change, value]];
        const written = values[fieldName('value', change)] ?? '';
        return value === 'write' ? [[change, { write: exactScalar(written) }]] : [];
      }),
    );
    // Answers of another step stay unchanged.
    const ofHosts = Object.entries(answers.changes ?? {}).filter(([name]) => hostAnswer.test(name));
    const all = { ...changes, ...Object.fromEntries(ofHosts) };
    const remove = named.flatMap(({ kind, change, value }) => (kind === 'remove' && value === 'yes' ? [change] : []));
    const chart = values.chart?.trim() ?? '';
    return {
      changes: Object.keys(all).length === 0 ? undefined : all,
      remove: remove.length === 0 ? undefined : remove,
      chart: chart === '' ? undefined : chart,
    };
  },
});

/** The name of the form field for a change, or for an object that the new release no longer has. */
export function fieldName(kind: 'decide' | 'value' | 'remove', change: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(change));
  return `${kind}-${btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The subject of a field in words: the change without its object; for other fields their name. */
export function fieldMeaning(name: string): string {
  const [, change] = partsOf(name);
  return change === null ? name : (/:(.+)$/s.exec(change)?.[1] ?? change);
}

/** The kind and the change of a field's name; the change is null for a name of another form. */
export function partsOf(name: string): [kind: string, change: string | null] {
  const at = name.indexOf('-');
  if (at < 0) return [name, null];
  try {
    const bytes = atob(
      name
        .slice(at + 1)
        .replaceAll('-', '+')
        .replaceAll('_', '/'),
    );
    const change = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));
    return [name.slice(0, at), change];
  } catch {
    return [name.slice(0, at), null];
  }
}

/** Like Choices, but refuses relative folders, which would start at the console's own working directory. */
function chartFaults(text: string): string[] {
  const chart = text.trim();
  if (chart === '') return [];
  if (/^\.{1,2}(\/|$)/.test(chart))
    return ['Enter the full path on the machine that runs the console. It begins with a slash.'];
  return /^[A-Za-z0-9/][A-Za-z0-9/._:+~-]{0,1000}$/.test(chart)
    ? []
    : ['Enter where the chart is: a folder, a packed chart, an address, or repository/chart. No spaces.'];
}
