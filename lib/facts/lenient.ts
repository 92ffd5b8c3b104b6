import { z } from 'zod';

/**
 * Fields of objects that anybody may have written: a field of the wrong type counts as absent, an element of the wrong shape is passed over,
 * and no single string may be larger than any that a fact needs. Nothing here ever throws.
 */
const longestText = 16_384;

const bounded = z.string().transform((text) => (text.length > longestText ? text.slice(0, longestText) : text));

export const text = bounded.catch('');
export const textOrNull = bounded.nullable().catch(null);
export const numberOrNull = z.number().nullable().catch(null);
export const flagOrNull = z.boolean().nullable().catch(null);

/** Ports and the like: numbers that some write as text. */
export const numberish = z
  .union([z.number(), z.string().transform(Number)])
  .pipe(z.number().finite())
  .nullable()
  .catch(null);

/** Large text that is parsed again, such as a whole configuration file in a ConfigMap. */
export const document = z.string().max(1_048_576).nullable().catch(null);

export const textMap = z
  .record(z.string(), z.unknown())
  .catch({})
  .transform((map) =>
    Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
  );

export function listOf<T extends z.ZodType>(element: T) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((elements) =>
      elements.flatMap((one) => {
        const parsed = element.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      }),
    );
}

export const texts = listOf(bounded);

/** An object of lenient fields: something else counts as an empty one. */
export function fields<T extends z.ZodRawShape>(shape: T) {
  return z.preprocess((value) => (isRecord(value) ? value : {}), z.object(shape));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const metadata = fields({
  name: text,
  namespace: textOrNull,
  creationTimestamp: textOrNull,
  labels: textMap,
  annotations: textMap,
});
