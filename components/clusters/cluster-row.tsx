import Link from 'next/link';
import { Suspense } from 'react';
import { runStateWords } from '#components/dashboard/run-state-words.ts';
import { clusterPath, runPath } from '#components/frame/paths.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { type ClusterEntry, host, type Slug } from '#lib/console/host.ts';
import { AskCluster } from './ask-cluster.tsx';
import { ReachLine } from './reach-line.tsx';
import { ResetSandbox } from './reset-sandbox.tsx';
import { StateLine } from './state-line.tsx';

/** A cluster of the list: name, origin, whether it answers, and its actions. */
export function ClusterRow({ entry }: { entry: ClusterEntry }) {
  const { slug, name, kind, shows, kept, warnings, notAsked, problem } = entry;
  // An unused sandbox is as its line describes, so it is not opened for the list.
  const isAsked = kind !== 'sandbox' || kept;
  return (
    <>
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="flex flex-wrap items-baseline gap-x-3">
          <Link
            href={clusterPath(slug)}
            prefetch={false}
            className="min-h-6 font-semibold break-all no-underline hover:underline"
          >
            {name}
          </Link>
          <span className="text-sm font-normal text-ink-3">{shows ?? origin(entry)}</span>
          {kept && <span className="text-sm font-normal text-ink-3">used on this machine</span>}
        </h3>
        <div className="mt-1 text-sm empty:hidden">
          {problem === null ? (
            isAsked && (
              // On a narrow screen the answer is as high as its placeholder, so that the page below does not move.
              <div className="max-[899px]:min-h-20">
                <Suspense fallback={<Asking name={name} />}>
                  <ReachLine cluster={slug} />
                </Suspense>
              </div>
            )
          ) : (
            <StateLine state="bad" words="Cannot be used">
              {problem}
            </StateLine>
          )}
          {warnings.map((warning) => (
            <div key={warning} className="mt-1">
              <StateLine state="warn" words="Note">
                {warning}
              </StateLine>
            </div>
          ))}
        </div>
      </div>
      {problem === null && isAsked && (
        <div className="flex flex-wrap items-center gap-2">
          {kind === 'sandbox' && kept && <ResetSandbox cluster={slug} name={name} />}
          <Suspense fallback={notAsked !== null && <RoomForButton />}>
            <AskCluster cluster={slug} name={name} />
            <ContinueRun cluster={slug} />
          </Suspense>
        </div>
      )}
    </>
  );
}

/** Reserves the button's own line on narrow screens, so that nothing moves when it appears. */
function RoomForButton() {
  return <span className="block h-[34px] w-32" />;
}

/** A placeholder of the awaited line's size. */
function Asking({ name }: { name: string }) {
  return (
    <span role="status" aria-label={`Asking ${name}`} className="flex h-[18px] items-center gap-4">
      <span className="block h-3 w-28 animate-pulse rounded bg-line" />
      <span className="block h-3 w-64 max-w-[40%] animate-pulse rounded bg-line" />
    </span>
  );
}

/** The origin of a cluster, as a phrase. */
function origin({ kind, current, server }: ClusterEntry): string {
  switch (kind) {
    case 'in-cluster':
      return 'the cluster that this console runs in';
    case 'sandbox':
      return 'sandbox';
    case 'kubeconfig':
      return `${current ? "the kubeconfig's current context" : 'kubeconfig'}${server === null ? '' : ` · ${server}`}`;
  }
}

/** Shown once the cluster has answered that a run has not ended. Many rows may have one, so none is the page's primary action. */
async function ContinueRun({ cluster }: { cluster: Slug }) {
  const reach = await host()
    .reach(cluster)
    .catch(() => null);
  if (reach?.kind !== 'reachable' || reach.run === null || !runStateWords(reach.run).isOpen) return null;
  return (
    <ButtonLink href={runPath(cluster, reach.run.run)}>
      {reach.run.state.kind === 'paused' ? 'Open the paused run' : 'Follow the run'}
    </ButtonLink>
  );
}
