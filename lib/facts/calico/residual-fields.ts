import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { defineCollector, type RecordedField } from '../collector.ts';
import { evidence, idOf } from '../reading/evidence.ts';
import { writersOf } from '../reading/field-writers.ts';
import type { LeftBehind } from '../schema.ts';
import { defaultFelix, felixReads } from './felix.ts';

/** Tolerance in ms: managedFields have whole seconds, and the clocks of the API server and of this machine differ. */
const slackMs = 5_000;

/**
 * Fields that an earlier run set for its own duration and left. The journal has the earlier value. A field with another value now, or with a later writer,
 * belongs to the administrator and is not listed.
 */
export const residualFields = defineCollector({
  id: 'residual-fields',
  provides: [],
  reads: felixReads,
  collect: (read, facts, { leftBehind: recorded }) => {
    const { value: object } = defaultFelix(read, facts);
    return {
      resources: {
        leftBehind: recorded.flatMap((field) => (object === null ? [] : standing(field, object))),
      },
    };
  },
});

function standing({ endedAt, ...field }: RecordedField, object: KubeObject): LeftBehind[] {
  if (idOf(object) !== field.object || !isDeepStrictEqual(valueAt(object, field.path), field.value)) return [];
  const writers = writersOf(object, field.path);
  const others = writers.filter(({ manager }) => manager !== names.fieldManager);
  if (others.some(({ time }) => time > Date.parse(endedAt) + slackMs)) return [];
  const path = field.path.join('.');
  const written = writers.map(({ manager, at }) =>
    evidence(object, `metadata.managedFields of ${path}`, `${manager}, ${at}`),
  );
  return [{ ...field, evidence: [evidence(object, path, field.value), ...written, field.evidence] }];
}
