import Link from 'next/link';
import { Frame } from '#components/frame/frame.tsx';
import { clusterPath, clustersPath } from '#components/frame/paths.ts';
import { RailLinks } from '#components/frame/rail/rail-links.tsx';
import { ButtonLink } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { host } from '#lib/console/host.ts';
import { requireSession } from './session.ts';

/** Most sandboxes that are listed without a cluster; the page of clusters has all. */
const mostSamples = 7;

/** For an unknown page or cluster: lists what exists. */
export default async function NotFound() {
  await requireSession();
  const all = await host().clusters();
  const real = all.filter(({ kind }) => kind !== 'sandbox');
  const clusters = real.length > 0 ? real : all.slice(0, mostSamples);
  return (
    <Frame rail={<RailLinks label="Console" links={[{ href: clustersPath, label: 'Clusters' }]} />}>
      <title>Not here · Signalbox</title>
      <PageHead
        title="There is nothing at this address"
        sub="A context may have been renamed, or a draft discarded. See the list of clusters."
        actions={<ButtonLink href={clustersPath}>All clusters</ButtonLink>}
      />
      <Panel title="Clusters">
        <ul className="px-4 py-3">
          {clusters.map(({ slug, name, kind }) => (
            <li key={slug}>
              <Link
                href={clusterPath(slug)}
                prefetch={false}
                className="inline-flex min-h-7 items-center gap-2 break-all"
              >
                {name}
              </Link>
              <span className="ml-3 text-sm text-ink-3">{kind}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </Frame>
  );
}
