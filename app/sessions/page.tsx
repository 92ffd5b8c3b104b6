import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { Frame } from '#components/frame/frame.tsx';
import { clustersPath } from '#components/frame/paths.ts';
import { RailLinks } from '#components/frame/rail/rail-links.tsx';
import { SessionList } from '#components/sessions/session-list.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { host } from '#lib/console/host.ts';
import { requireSession } from '../session.ts';
import { WithActions } from '../with-actions.tsx';

export const metadata: Metadata = { title: 'Sessions' };

export default async function SessionsPage() {
  await requireSession();
  const sessions = host().sessions((await headers()).get('cookie'));
  return (
    <Frame rail={<RailLinks label="Console" links={[{ href: clustersPath, label: 'Clusters' }]} />}>
      <PageHead
        title="Sessions"
        sub="A session ends after 2 hours without use, and 12 hours after sign-in. A page that is visible counts as use."
      />
      <WithActions>
        <SessionList sessions={sessions} />
      </WithActions>
    </Frame>
  );
}
