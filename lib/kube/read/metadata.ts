import { fields, text, textMap, textOrNull } from './lenient.ts';

/** The fields of `metadata` that every reader has. */
export const metadata = fields({
  name: text,
  namespace: textOrNull,
  creationTimestamp: textOrNull,
  labels: textMap,
  annotations: textMap,
});
