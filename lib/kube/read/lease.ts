import type { V1Lease } from '@kubernetes/client-node';
import { readerOf } from './json.ts';
import { fields, numberOrNull, text } from './lenient.ts';

/** The fields of a Lease that are read. `renewTime` stays text: it is another machine's clock, so it may only be compared for equality. */
export const leaseOf = readerOf<V1Lease>()(
  fields({
    metadata: fields({ resourceVersion: text }),
    spec: fields({ holderIdentity: text, renewTime: text, leaseTransitions: numberOrNull }),
  }),
);
