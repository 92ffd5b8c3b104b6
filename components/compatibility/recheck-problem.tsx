'use client';

import { Notice } from '#components/ui/notice.tsx';
import { useRecheck } from './recheck.tsx';

/** Why the cluster could not be read again; the earlier findings are still shown. */
export function RecheckProblem() {
  const { failure } = useRecheck();
  if (failure === null) return null;
  return (
    <div role="alert" className="mb-4">
      <Notice state="unknown" title="The cluster could not be read again. This page shows the earlier state.">
        {failure.message}
      </Notice>
    </div>
  );
}
