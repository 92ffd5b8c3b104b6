import { type ReactNode, Suspense } from 'react';
import { ButtonLink } from '#components/ui/button.tsx';
import { type ClusterEntry, type HostAnswer, host, type Slug } from '#lib/console/host.ts';
import { type ClusterView, clusterSentence } from '#lib/console/wire.ts';
import { draftPath } from '#lib/console/wizard/index.ts';
import { EnableButton, EnableEbpf, InstallButton, InstallCalico } from './actions/enable-ebpf.tsx';
import { UndoAvailable } from './actions/undo-available.tsx';
import { UpgradeButton, UpgradeCalico } from './actions/upgrade-button.tsx';
import { answersSoon } from './answers-soon.ts';
import { calicoHere } from './calico-here.ts';
import { Blockers, Outages } from './cluster-health.tsx';
import { Endpoint } from './endpoint.tsx';
import { findingsNow } from './findings-now.ts';
import { InstallPanel } from './install-panel.tsx';
import { LiveDashboard } from './live-dashboard.tsx';
import { NoDashboard } from './no-dashboard.tsx';
import { downWhere } from './outage/down-where.ts';
import { OutageStory } from './outage/outage-story.tsx';
import { servedAsSeen } from './served-as-seen.ts';

/** How long the page waits for the findings: an outage or a blocker that comes later pushes down what is there. */
const findingsMs = 4_000;

/** The first look, made on the server; what follows comes by the stream. What needs more than the view comes when it comes. */
export async function Dashboard({
  entry,
  view,
}: {
  entry: ClusterEntry;
  /** Asked for already; null for an entry that cannot be used at all. */
  view: Promise<HostAnswer<ClusterView>> | null;
}) {
  const { slug, name, problem, server } = entry;
  if (view === null)
    return <NoDashboard entry={entry} failure={{ ok: false, code: 'cluster.config', message: problem ?? '' }} />;
  const answer = await view;
  if (!answer.ok) return <NoDashboard entry={entry} failure={answer} />;
  const { status } = answer.value;
  const calico = calicoHere(status);
  const running = (status.installation ?? status.manifest)?.version ?? null;
  const servedBy = servedAsSeen(answer.value);
  const isWhole = await answersSoon(findingsNow(slug, servedBy), findingsMs);
  const { lead, rest } = clusterSentence(answer.value, Date.now());
  const seen = `${lead} ${rest}`;
  return (
    <LiveDashboard
      cluster={slug}
      name={name}
      initial={answer.value}
      renderedAt={Date.now()}
      // Read from this machine's disk: to wait for it costs less than a button that comes later and pushes the page down.
      draft={<OpenDraft cluster={slug} />}
      upgrade={
        <Suspense fallback={<UpgradeButton cluster={slug} running={running} kind="plain" />}>
          <UpgradeCalico cluster={slug} running={running} servedBy={servedBy} />
        </Suspense>
      }
      install={
        calico === 'agents' ? null : (
          <WhenKnown isKnown={isWhole}>
            <InstallPanel cluster={slug} servedBy={servedBy} />
          </WhenKnown>
        )
      }
      outages={
        <WhenKnown isKnown={isWhole}>
          <Outages cluster={slug} servedBy={servedBy} seen={seen} />
        </WhenKnown>
      }
      story={
        <Suspense fallback={null}>
          <OutageStory cluster={slug} servedBy={servedBy} down={downWhere(answer.value)} />
        </Suspense>
      }
      blockers={
        <WhenKnown isKnown={isWhole}>
          <Blockers cluster={slug} servedBy={servedBy} />
        </WhenKnown>
      }
      begin={
        <Suspense fallback={<InstallButton cluster={slug} kind="plain" />}>
          <InstallCalico cluster={slug} servedBy={servedBy} />
        </Suspense>
      }
      enable={
        <Suspense fallback={<EnableButton cluster={slug} kind="plain" />}>
          <EnableEbpf cluster={slug} servedBy={servedBy} />
        </Suspense>
      }
      endpoint={
        <Suspense fallback={<Reading what="the API endpoint" />}>
          <Endpoint cluster={slug} server={server} />
        </Suspense>
      }
      undo={
        <Suspense fallback={<Reading what="the runs" />}>
          <UndoAvailable cluster={slug} calico={calico} />
        </Suspense>
      }
    />
  );
}

/** Renders the children with the page if their data is known; otherwise they are streamed later, without a placeholder. */
function WhenKnown({ isKnown, children }: { isKnown: boolean; children: ReactNode }) {
  return isKnown ? children : <Suspense fallback={null}>{children}</Suspense>;
}

function Reading({ what }: { what: string }) {
  return (
    <span role="status" aria-label={`Reading ${what}`} className="flex h-[18px] items-center">
      <span className="block h-3 w-40 animate-pulse rounded bg-line" />
    </span>
  );
}

/** Answers that were given and have not become a run: the way back to them. */
async function OpenDraft({ cluster }: { cluster: Slug }) {
  const drafts = await host()
    .drafts(cluster)
    .catch(() => []);
  const draft = drafts.find(({ run }) => run === null);
  if (!draft) return null;
  return <ButtonLink href={draftPath(draft)}>Continue the draft</ButtonLink>;
}
