import { type Fields, isRecord } from '#lib/base/records.ts';
import { names } from '#lib/spec/index.ts';

/** Stands for the run's name while the object is only shown: the run gets its name when it starts. */
const runToCome = 'the run that makes it';

/** An object with the mark of the run that creates it. */
export function markedAsMade(body: Fields, run = runToCome): Fields {
  const metadata = isRecord(body.metadata) ? body.metadata : {};
  const annotations = isRecord(metadata.annotations) ? metadata.annotations : {};
  return { ...body, metadata: { ...metadata, annotations: { ...annotations, [names.madeByAnnotation]: run } } };
}
