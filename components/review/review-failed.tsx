import { ButtonLink } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Failure } from '#lib/console/host.ts';
import { ReviewAgain } from './review-again.tsx';

/** Shown if there is no plan: the error's sentence and links. For a refused dry run the sentence names the step. */
export function ReviewFailed({ failure, cluster, draft }: { failure: Failure; cluster: string; draft: string }) {
  const isRefusal = /^The dry run of .* was refused: /.test(failure.message);
  const title = isRefusal
    ? 'The cluster would refuse this plan'
    : failure.code.startsWith('cluster.')
      ? 'The cluster does not answer as it should'
      : 'This plan cannot be made';
  return (
    <Notice
      state="bad"
      title={title}
      actions={
        <>
          <ReviewAgain cluster={cluster} draft={draft} />
          <ButtonLink href={`/clusters/${cluster}/runs/${draft}/compatibility`}>Go to compatibility</ButtonLink>
        </>
      }
    >
      <p>{failure.message}</p>
      <p className="mt-1 text-sm">Nothing was changed. Your answers are kept.</p>
    </Notice>
  );
}
