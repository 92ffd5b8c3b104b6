import { ButtonLink } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import type { Failure } from '#lib/console/host.ts';

/** Shown if a run cannot be read: it does not exist, its journal is of another version, or the cluster does not answer. */
export function RunMissing({ failure, cluster, run }: { failure: Failure; cluster: string; run: string }) {
  const isAway = failure.code.startsWith('cluster.');
  return (
    <>
      <PageHead title={isAway ? 'This run cannot be read now' : 'This run cannot be shown'} sub={<code>{run}</code>} />
      <Notice
        state={isAway ? 'warn' : 'bad'}
        title={failure.message}
        actions={
          <>
            {isAway && <ButtonLink href={`/clusters/${cluster}/runs/${run}`}>Try again</ButtonLink>}
            <ButtonLink href={`/clusters/${cluster}/runs`}>All runs</ButtonLink>
          </>
        }
      >
        {isAway ? 'A run in progress continues without this page.' : null}
      </Notice>
    </>
  );
}
