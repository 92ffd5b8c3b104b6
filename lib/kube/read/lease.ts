import type { V1Lease } from '@kubernetes/client-node';
import { readerOf } from './json.ts';
import { fields, numberOrNull, text } from './lenient.ts';

/** What is read of a Lease. `renewTime` as it was written, to be compared and never computed with: it is of another machine's clock. */
export const leaseOf = readerOf<V1Lease>()(
  fields({
    metadata: fields({ resourceVersion: text }),
    spec: fields({ holderIdentity: text, renewTime: text, leaseTransitions: numberOrNull }),
  }),
);
