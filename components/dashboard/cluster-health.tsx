import Link from 'next/link';
import { findingsPath, runPath } from '#components/frame/paths.ts';
import { wayBackWords } from '#components/run/way-back-words.ts';
import { wayOutOfOutage } from '#components/run/way-out-of-outage.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { CommandBlock } from '#components/ui/code-block.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { StateIcon } from '#components/ui/state-mark.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import { counted } from '#lib/base/words.ts';
import type { Finding } from '#lib/checks/index.ts';
import { host, type Slug } from '#lib/console/host.ts';
import type { ShownRun } from '#lib/run/index.ts';
import { ActionButton } from './actions/action-button.tsx';
import { type FindingsNow, findingsNow } from './findings-now.ts';
import { runStateWords } from './run-state-words.ts';
import type { ServedBy } from './served-as-seen.ts';

const blockersShown = 3;

/** Present outages with their remedies, from findings, or from the watches if no finding reports them yet. */
export async function Outages({ cluster, servedBy, seen }: { cluster: Slug; servedBy: ServedBy; seen: string }) {
  const outages = (await findingsNow(cluster, servedBy))?.outages ?? [];
  if (outages.length === 0 && servedBy !== 'nobody') return null;
  const runs = await host()
    .runs(cluster)
    .catch(() => null);
  const run = runs?.ok ? (runs.value.runs.find(({ state }) => state.kind !== 'undone') ?? null) : null;
  return (
    <section aria-label="Outage" className="flex flex-col gap-4">
      {outages.map((outage) => (
        <Outage key={outage.id} outage={outage} cluster={cluster} run={run} />
      ))}
      {outages.length === 0 && (
        <div role="alert">
          <Notice state="bad" title={seen} />
        </div>
      )}
    </section>
  );
}

/** Findings that block the next step offered on this page. */
export async function Blockers({ cluster, servedBy }: { cluster: Slug; servedBy: ServedBy }) {
  const found = await findingsNow(cluster, servedBy);
  return found === null || found.blockers.length === 0 ? null : <BlockerList cluster={cluster} found={found} />;
}

/** An outage with the button that ends it; the command and other ways are beside it. */
function Outage({ outage, cluster, run }: { outage: Finding; cluster: Slug; run: ShownRun | null }) {
  const { because, consequence, remedy, id } = outage;
  const ways = waysOut({ cluster, run, canRestore: remedy.goal === 'restore' });
  return (
    <div
      role="alert"
      className="grid gap-x-8 gap-y-3 rounded-md border border-red bg-red-tint px-4 py-3.5 min-[1100px]:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]"
    >
      <div className="flex min-w-0 gap-3">
        <span className="mt-1 shrink-0">
          <StateIcon state="bad" />
        </span>
        <div className="min-w-0">
          <p className="text-lg font-semibold text-red [overflow-wrap:anywhere]">{because}</p>
          <p className="mt-0.5 max-w-[84ch]">
            <WithCode text={consequence} />
          </p>
          <div className="mt-3 flex flex-wrap items-center gap-2">
            {ways}
            <Link href={`${findingsPath(cluster)}#finding-${id}`} prefetch={false} className="px-1 py-1.5 font-[560]">
              What was read
            </Link>
          </div>
        </div>
      </div>
      <div className="min-w-0 text-sm max-[1099px]:pl-6.5">
        <ul className="list-disc pl-5">
          {remedy.steps.map((step) => (
            <li key={step} className="[overflow-wrap:anywhere]">
              <WithCode text={step} />
            </li>
          ))}
        </ul>
        {remedy.command !== undefined && (
          <div className="mt-2">
            <CommandBlock command={remedy.command} of="the command that ends the outage" />
          </div>
        )}
      </div>
    </div>
  );
}

/** The buttons of an outage; `wayOutOfOutage` decides their order. */
function waysOut({ cluster, run, canRestore }: { cluster: Slug; run: ShownRun | null; canRestore: boolean }) {
  const { first, second } = wayOutOfOutage(run && { ...run, isOpen: runStateWords(run).isOpen }, canRestore);
  if (first === null) return undefined;
  return [first, second].map((way) => {
    const kind = way === first ? 'primary' : 'plain';
    if (way === 'restore')
      return (
        <ActionButton
          key={way}
          action="restoreProxy"
          cluster={cluster}
          words="Restore kube-proxy"
          pending="Preparing…"
          kind={kind}
        />
      );
    if (way === null || run === null) return null;
    return (
      <ButtonLink key={way} kind={kind} href={runPath(cluster, run.run)}>
        {way === 'open-run' ? 'Open the run' : wayBackWords(run.goal).ask}
      </ButtonLink>
    );
  });
}

/** Not red, because the cluster works and no switch was requested. */
function BlockerList({ cluster, found: { goal, blockers } }: { cluster: Slug; found: FindingsNow }) {
  const more = blockers.length - blockersShown;
  const purpose = goal === 'install' ? 'before Calico can be installed' : 'before eBPF can be enabled';
  return (
    <Notice
      state="warn"
      title={`${counted(blockers.length, 'finding')} must be fixed ${purpose}`}
      actions={
        <Link href={findingsPath(cluster)} prefetch={false}>
          {more > 0 ? `${more} more in Findings` : 'Open the findings'}
        </Link>
      }
    >
      <ul className="list-disc pl-5">
        {blockers.slice(0, blockersShown).map(({ id, because }) => (
          <li key={id} className="py-1 [overflow-wrap:anywhere]">
            <Link href={`${findingsPath(cluster)}#finding-${id}`} prefetch={false} className="text-ink-2">
              {because}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
