import Link from 'next/link';
import { runPath } from '#components/frame/paths.ts';
import { CommandBlock } from '#components/ui/code-block.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { Slug } from '#lib/console/host.ts';
import { askedTitle, type LastHeard, lastHeard } from '#lib/run/model/index.ts';
import { serviceTitle } from '#lib/spec/watched-services.ts';
import { type FlagsByProgram, withClusterFlags } from '#lib/text/index.ts';
import { goalName } from '../run-state-words.ts';
import { type LastRun, lastRuns } from './last-runs.ts';

/**
 * What the nodes answered about Services when the last run asked them. A test of the nodes leaves Services out while nothing serves them on any node
 * (prepare-probe.ts), so it is only offered where some nodes are served.
 */
export async function ServicesAsked({
  cluster,
  down,
  flags,
}: {
  cluster: Slug;
  down: 'everywhere' | 'on some nodes';
  flags: FlagsByProgram;
}) {
  const { runs, unread } = await lastRuns(cluster);
  const answered = runs.map(heardIn).filter(({ heard }) => heard.length > 0);
  // Anybody may write a journal: what this installation has heard comes first.
  const last = answered.find(({ shown }) => shown.foreign === null) ?? answered[0];
  return (
    <Panel title={last?.title ?? titleWithoutAnswers} aside={<StateMark state="unknown">not asked now</StateMark>}>
      {last !== undefined && (
        <TableBox label="Table of Services">
          <table className={tableAsBlocks}>
            <thead>
              <tr>
                <th scope="col">Path</th>
                <th scope="col">Last answers</th>
                <th scope="col">Asked</th>
              </tr>
            </thead>
            <tbody>
              {last.heard.map((one) => (
                <Row key={one.kind} heard={one} isClaimed={last.shown.foreign !== null} />
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
      <div className="flex flex-col gap-2 border-line px-4 py-3 text-sm text-ink-2 not-first:border-t">
        <p className="max-w-[72ch]">
          {last !== undefined ? (
            <>
              These are the answers during{' '}
              <Link href={runPath(cluster, last.shown.run)} prefetch={false}>
                {goalName(last.shown)}
              </Link>
              {last.shown.foreign === null ? '.' : ', as its journal claims. They are not verified.'}
            </>
          ) : unread === null ? (
            'No answers of nodes are recorded: the outage shows in the cluster’s objects.'
          ) : (
            <StateMark state="unknown">Not read: {unread}</StateMark>
          )}{' '}
          {down === 'everywhere'
            ? 'Services cannot be tested while nothing serves them: restore kube-proxy first.'
            : 'To test the API and cluster DNS from each node:'}
        </p>
        {down === 'on some nodes' && (
          <CommandBlock
            command={withClusterFlags('signalbox preflight', flags)}
            of="the command that tests the nodes"
            on="sheet"
          />
        )}
      </div>
    </Panel>
  );
}

/** While no run is known to have asked. */
const titleWithoutAnswers = askedTitle({ nodes: [], of: 0 });

function heardIn({ shown, view }: LastRun): { shown: LastRun['shown']; heard: LastHeard[]; title: string | null } {
  const services = view?.services ?? null;
  return services === null
    ? { shown, heard: [], title: null }
    : { shown, heard: lastHeard(services), title: askedTitle(services) };
}

function Row({ heard: { kind, asked, answered, at }, isClaimed }: { heard: LastHeard; isClaimed: boolean }) {
  return (
    <tr className="max-sm:grid max-sm:grid-cols-[8rem_1fr] max-sm:gap-x-4 max-sm:border-line max-sm:px-4 max-sm:py-2 max-sm:not-first:border-t">
      <th scope="row" className="border-t border-line font-normal! text-ink!">
        {serviceTitle(kind)}
      </th>
      <td>
        <StateMark state={isClaimed ? 'unknown' : answered === asked ? 'idle' : 'bad'}>
          {thousands(answered)} of {counted(asked, 'node')}
        </StateMark>
      </td>
      <td className="text-ink-2 max-sm:col-start-2">
        <RelativeTime at={at} />
      </td>
    </tr>
  );
}
