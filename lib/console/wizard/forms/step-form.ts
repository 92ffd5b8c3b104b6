import type { z } from 'zod';
import type { Answers } from '../answers.ts';

/** What a form holds and sends: strings by the name of the field, so that a form without script sends the same. */
export type Values = Record<string, string>;

export type Parsed =
  | { ok: true; answers: Partial<Answers> }
  /** Sentences by the name of the field. */
  | { ok: false; fields: Record<string, string> };

/** One step's form: its schema, how stored answers fill it, and what it stores. The same object serves browser and server. */
export type StepForm = {
  readonly schema: z.ZodType<Values, Values>;
  read(answers: Answers): Values;
  /** From a form's fields, whoever sent them. A key without a value takes that answer back. */
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
