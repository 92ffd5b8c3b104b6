import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Flows } from '#components/flows/flows.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { host } from '#lib/console/host.ts';
import { requireSession } from '../../../session.ts';

export const metadata: Metadata = { title: 'Flows' };

type Props = {
  params: Promise<{ cluster: string }>;
  searchParams: Promise<Partial<Record<'q' | 'show' | 'first' | 'pair' | 'run' | 'of', string | string[]>>>;
};

/** Flows with the deciding policies. */
export default async function FlowsPage({ params, searchParams }: Props) {
  await requireSession();
  const { cluster } = await params;
  const asked = await searchParams;
  const entry = (await host().clusters()).find(({ slug }) => slug === cluster);
  if (!entry) return null;
  return (
    <Suspense
      fallback={
        <>
          <PageHead title="Flows" sub="Connecting to the aggregator of this cluster." />
          {/* What is streamed is put in place by a script. */}
          <noscript>
            <p>
              Without JavaScript this page shows no flows: <code>signalbox flows</code> does.
            </p>
          </noscript>
          <Panel>
            <Skeleton label="Reading the flows of this cluster" widths={['w-full', 'w-2/3', 'w-full', 'w-1/2']} />
          </Panel>
        </>
      }
    >
      <Flows
        entry={entry}
        address={{
          q: asText(asked.q),
          show: asText(asked.show),
          first: asText(asked.first),
          pair: asText(asked.pair),
          run: asText(asked.run),
          of: asText(asked.of),
        }}
      />
    </Suspense>
  );
}

const asText = (asked: string | string[] | undefined) => (typeof asked === 'string' ? asked.slice(0, 2_000) : '');
