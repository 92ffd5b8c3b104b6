import Link from 'next/link';
import { Frame } from '#components/frame/frame.tsx';
import { clusterPath, clustersPath } from '#components/frame/paths.ts';
import { RailLinks } from '#components/frame/rail-links.tsx';
import { ButtonLink } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { host } from '#lib/console/host.ts';
import { requireSession } from './session.ts';

/** No such page or no such cluster: what there is instead. */
export default async function NotFound() {
  await requireSession();
  const clusters = await host().clusters();
  return (
    <Frame
      rail={<RailLinks label="Console" links={[{ href: clustersPath, label: 'Clusters', count: clusters.length }]} />}
    >
      <title>Not here · Signalbox</title>
      <PageHead
        title="There is nothing at this address"
        sub="A context may have been renamed, or a draft discarded. Here are your clusters."
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
