import { fields, text, textMap, textOrNull } from './lenient.ts';

/** What every reader takes of `metadata`; in a list of metadata it is all there is. */
export const metadata = fields({
  name: text,
  namespace: textOrNull,
  creationTimestamp: textOrNull,
  labels: textMap,
  annotations: textMap,
});
