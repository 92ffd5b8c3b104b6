import type { z } from 'zod';
import type { Answers } from '../answers.ts';

/** A form's values: strings by field name, so that a form without script sends the same. */
export type Values = Record<string, string>;

type Parsed =
  | { ok: true; answers: Partial<Answers> }
  /** Error sentences by field name. */
  | { ok: false; fields: Record<string, string> };

/** A step's form: its schema, the values from stored answers, and the answers from its values. Used in browser and server. */
export type StepForm = {
  readonly schema: z.ZodType<Values, Values>;
  read(answers: Answers): Values;
  /** The answers from a form's unvalidated fields. A key with the value undefined removes that answer. */
  parse(fields: unknown, answers: Answers): Parsed;
};

export function defineStepForm<V extends Values>(form: {
  schema: z.ZodType<V, Values>;
  read(answers: Answers): V;
  write(values: V, answers: Answers): { [K in keyof Answers]?: Answers[K] | undefined };
}): StepForm {
  return {
    schema: form.schema,
    read: form.read,
    parse: (fields, answers) => {
      const parsed = form.schema.safeParse(fields);
      if (parsed.success) return { ok: true, answers: form.write(parsed.data, answers) as Partial<Answers> };
      const sentences: Record<string, string> = {};
      for (const { path, message } of parsed.error.issues) sentences[path.join('.')] ??= message;
      return { ok: false, fields: sentences };
    },
  };
}
