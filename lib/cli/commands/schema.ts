import { z } from 'zod';
import { nearest } from '#lib/base/nearest.ts';
import { findingsSchema } from '#lib/checks/index.ts';
import { factsSchema } from '#lib/facts/index.ts';
import { planSchema } from '#lib/plan/index.ts';
import { journalSchema, runEventSchema } from '#lib/run/index.ts';
import { choicesSchema } from '#lib/spec/index.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { outputIn } from '../global-flags.ts';
import { formatOf, writeData } from '../terminal/output.ts';

const schemas: Record<string, z.ZodType> = {
  Choices: choicesSchema,
  Facts: factsSchema,
  Findings: findingsSchema,
  Plan: planSchema,
  Event: runEventSchema,
  Journal: journalSchema,
};

export const schema: Command = {
  name: 'schema',
  arguments: 'NAME',
  summary: `Print the JSON Schema of a kind: ${Object.keys(schemas).join(', ')}.`,
  flags: outputIn('json (default) or yaml'),
  async run({ args, flags, terminal }) {
    const format = formatOf(flags, ['json', 'yaml'] as const);
    const [name, ...more] = args;
    const known = Object.keys(schemas);
    if (name === undefined || more.length > 0) throw usageError(`one NAME is needed: ${known.join(', ')}`);
    const found = schemas[known.find((one) => one.toLowerCase() === name.toLowerCase()) ?? ''];
    if (!found) {
      const near = nearest(name, known);
      throw usageError(
        `NAME: ${JSON.stringify(name)} is not one of ${known.join(', ')}${near ? `; did you mean ${near}?` : ''}`,
      );
    }
    writeData(terminal, format, z.toJSONSchema(found, { unrepresentable: 'any', io: 'input' }));
    return exit.fine;
  },
};
