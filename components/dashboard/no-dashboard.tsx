import { clustersPath } from '#components/frame/paths.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import type { ClusterEntry, Failure } from '#lib/console/host.ts';
import { TryAgain } from './try-again.tsx';
import { whyNoDashboard } from './why-no-dashboard.ts';
import { WhyNothing } from './why-nothing.tsx';

/** The page for a cluster that does not answer: reason, code, what to do, and links. */
export function NoDashboard({ entry, failure }: { entry: ClusterEntry; failure: Failure }) {
  const { state, title, steps, isAway } = whyNoDashboard(failure, entry);
  return (
    <>
      <PageHead title={entry.name} sub={entry.server ?? undefined} />
      <WhyNothing state={state} title={title} code={failure.code}>
        <p className="break-words">{failure.message}</p>
        <ul className="flex list-disc flex-col gap-1.5 pl-5 text-ink-2">
          {steps.map((step) => (
            <li key={step}>
              <WithCode text={step} />
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap items-center gap-2">
          <TryAgain byItself={isAway} kind={failure.code === 'cluster.forbidden' ? 'plain' : 'primary'} />
          <ButtonLink href={clustersPath}>All clusters</ButtonLink>
        </div>
      </WhyNothing>
    </>
  );
}
