import { clustersPath } from '#components/frame/paths.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import type { ClusterEntry, Failure } from '#lib/console/host.ts';
import { TryAgain } from './try-again.tsx';
import { whyNoDashboard } from './why-no-dashboard.ts';

/** The whole page where the cluster says nothing: the reason, its code, what to do, and the way on. */
export function NoDashboard({ entry, failure }: { entry: ClusterEntry; failure: Failure }) {
  const { state, title, steps, isAway } = whyNoDashboard(failure, entry.name);
  return (
    <>
      <PageHead title={entry.name} sub={entry.server ?? undefined} />
      <Panel>
        <div className="max-w-[72ch] px-5 py-5">
          <h2 className="text-lg font-semibold">
            <StateMark state={state}>
              <span className="text-ink">{title}</span>
            </StateMark>
          </h2>
          <p className="mt-2 break-words">{failure.message}</p>
          <ul className="mt-3 flex list-disc flex-col gap-1.5 pl-5 text-ink-2">
            {steps.map((step) => (
              <li key={step}>
                <WithCommands text={step} />
              </li>
            ))}
          </ul>
          <div className="mt-5 flex flex-wrap items-center gap-2">
            <TryAgain byItself={isAway} />
            <ButtonLink href={clustersPath}>All clusters</ButtonLink>
            <span className="ml-auto text-sm text-ink-3">
              code <code>{failure.code}</code>
            </span>
          </div>
        </div>
      </Panel>
    </>
  );
}

/** A sentence with commands between backticks. */
function WithCommands({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place.
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
