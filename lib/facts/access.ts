import { type AccessAnswer, isKubeError } from '#lib/kube/index.ts';
import { defineCollector } from './collector.ts';
import type { Query } from './query.ts';

const kind = 'SelfSubjectAccessReview.authorization.k8s.io';

/** Asked once for all journeys' rules together. */
const answers: Query<AccessAnswer[]> = {
  rules: [],
  enlist: (session) => async () => {
    if (session.isDump) return { value: [], missing: [{ kind, because: 'a dump cannot tell what you may do' }] };
    if (session.rules.length === 0) return { value: [], missing: [{ kind, because: 'nobody asked what you may do' }] };
    try {
      const value = await session.kube.allowed(
        session.rules,
        session.signal === undefined ? {} : { signal: session.signal },
      );
      return { value, missing: [] };
    } catch (error) {
      if (!isKubeError(error) || error.code === 'aborted') throw error;
      return { value: [], missing: [{ kind, because: error.message }] };
    }
  },
};

export const access = defineCollector({
  id: 'access',
  tells: ['access'],
  reads: { answers },
  collect: (read) => ({
    resources: { access: read.answers.value.map(({ reason: _reason, ...rule }) => rule) },
  }),
});
