import { z } from 'zod';
import { isRecord } from '#lib/base/records.ts';
import { agreeing, inList } from '#lib/base/words.ts';
import { type Path, type Problem, problem } from './problem.ts';

/**
 * A field's schema from the release's CustomResourceDefinition, reduced to what completion and errors need: less than a tenth of 1.5 MB. The keywords are those
 * of Kubernetes' structural schemas.
 */
export type FieldSchema = {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string' | undefined;
  /** The first sentence of the description. */
  readonly about?: string | undefined;
  readonly properties?: Readonly<Record<string, FieldSchema>> | undefined;
  /** The values' schema of a map with free keys, such as labels; `true`: any values. */
  readonly values?: FieldSchema | true | undefined;
  readonly items?: FieldSchema | undefined;
  readonly required?: readonly string[] | undefined;
  readonly enum?: readonly (string | number)[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly maxItems?: number | undefined;
};

const aboutLimitChars = 160;
const maxDepth = 24;

/** Lenient: unknown keywords are ignored. */
const published = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxItems: z.number().optional(),
  'x-kubernetes-int-or-string': z.boolean().optional(),
  'x-kubernetes-preserve-unknown-fields': z.boolean().optional(),
});

const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const;

/** Reduces an `openAPIV3Schema`. Parts that are no schema become fields without any constraint. */
export function trimmedSchema(schema: unknown, depth = 0): FieldSchema {
  const read = published.safeParse(schema);
  if (!read.success || depth > maxDepth) return {};
  const { properties, additionalProperties, items, required, minimum, maximum, maxItems } = read.data;
  const isFree = read.data['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true;
  const isEither = read.data['x-kubernetes-int-or-string'] === true;
  const about = firstSentence(read.data.description ?? '');
  return defined({
    type: isEither ? ('int-or-string' as const) : types.find((one) => one === read.data.type),
    about: about === '' ? undefined : about,
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, trimmedSchema(one, depth + 1)])),
    values: isFree ? true : additionalProperties ? trimmedSchema(additionalProperties, depth + 1) : undefined,
    items: items === undefined ? undefined : trimmedSchema(items, depth + 1),
    required: required?.length ? required : undefined,
    enum: read.data.enum,
    minimum,
    maximum,
    maxItems,
  });
}

/** The schema at a path below `spec`; null if the release has no such field. */
export function schemaAt(schema: FieldSchema, path: Path): FieldSchema | null {
  let here: FieldSchema | null = schema;
  for (const step of path) {
    if (here === null) return null;
    const { properties, values, items }: FieldSchema = here;
    if (typeof step === 'number') here = items ?? null;
    else if (properties && Object.hasOwn(properties, step)) here = properties[step] ?? null;
    else here = values === true ? {} : (values ?? null);
  }
  return here;
}

/** Unknown fields, and values that the release's API server would refuse. `release`: its name in sentences. */
export function schemaProblems(schema: FieldSchema, spec: unknown, release: string): Problem[] {
  return problemsAt(schema, spec, [], release);
}

function problemsAt(schema: FieldSchema, value: unknown, path: Path, release: string): Problem[] {
  const say = (words: string, at: Path = path) => problem({ path: at, field: fieldOf(at) }, words);
  if (value === undefined || path.length > maxDepth) return [];
  const is = kindOf(value);
  if (schema.type !== undefined && !fits(schema.type, value))
    return [say(`${shown(value)} is ${articles[is]}; ${articles[schema.type]} is needed.`)];
  if (schema.enum && !schema.enum.some((one) => one === value))
    return [
      say(
        `${shown(value)} is not possible; ${inList(
          schema.enum.map((one) => (one === '' ? '""' : `${one}`)),
          schema.enum.length,
          'or',
        )} is.`,
      ),
    ];
  if (typeof value === 'number') return outOfBounds(schema, value).map((words) => say(words));
  if (Array.isArray(value)) {
    const { maxItems, items } = schema;
    return [
      ...(maxItems !== undefined && value.length > maxItems
        ? [say(`has ${value.length} entries; ${maxItems} ${agreeing(maxItems, 'is', 'are')} possible.`)]
        : []),
      ...(items ? value.flatMap((one, index) => problemsAt(items, one, [...path, index], release)) : []),
    ];
  }
  if (!isRecord(value)) return [];
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined);
  return [
    ...missing.map((key) => say(`${key} is missing; it is needed here.`)),
    ...Object.entries(value).flatMap(([key, one]) => {
      const below = schemaAt(schema, [key]);
      const at = [...path, key];
      if (below !== null) return problemsAt(below, one, at, release);
      return schema.properties ? [say(unknownField(key, Object.keys(schema.properties), release), at)] : [];
    }),
  ];
}

function outOfBounds({ minimum, maximum }: FieldSchema, value: number): string[] {
  return [
    ...(minimum !== undefined && value < minimum ? [`${value} is too small; ${minimum} or more is needed.`] : []),
    ...(maximum !== undefined && value > maximum ? [`${value} is too large; ${maximum} or less is needed.`] : []),
  ];
}

function unknownField(key: string, known: readonly string[], release: string): string {
  const meant = known.find((one) => one.toLowerCase() === key.toLowerCase()) ?? known.find((one) => isNear(one, key));
  return `is not a field of Calico ${release}, and its API server would drop it.${meant ? ` ${meant} is one.` : ''}`;
}

type Kind = NonNullable<FieldSchema['type']> | 'null';

const articles: Readonly<Record<Kind, string>> = {
  object: 'a group of fields',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  'int-or-string': 'a whole number or text',
  null: 'nothing',
};

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
}

function fits(type: NonNullable<FieldSchema['type']>, value: unknown): boolean {
  const is = kindOf(value);
  if (type === 'int-or-string') return is === 'integer' || is === 'string';
  return is === type || (type === 'number' && is === 'integer');
}

/** Whether two words differ by one letter added, missing, replaced, or swapped with the next. */
function isNear(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other].sort((a, b) => a.length - b.length);
  if (long.length - short.length > 1 || short.length < 3) return false;
  const from = [...short].findIndex((letter, index) => letter !== long[index]);
  if (from === -1) return true;
  const [a, b] = [short.slice(from), long.slice(from)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return a === b.slice(1) || a.slice(1) === b.slice(1) || isSwapped;
}

function fieldOf(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`),
    'spec',
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function firstSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const sentence = /^.*?[.:](?= |$)/.exec(line)?.[0] ?? line;
  return sentence.length > aboutLimitChars ? `${sentence.slice(0, aboutLimitChars - 1).trimEnd()}…` : sentence;
}

function defined<T extends Record<string, unknown>>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
