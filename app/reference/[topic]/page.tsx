import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ReferenceTables } from '#components/reference/reference-tables.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { gatesByRelease, referenceTopics } from '#lib/reference/index.ts';
import { requireSession } from '../../session.ts';

type Props = {
  params: Promise<{ topic: string }>;
  searchParams: Promise<{ q?: string | string[]; record?: string | string[] }>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { topic } = await params;
  return { title: referenceTopics.find(({ name }) => name === topic)?.title ?? 'Not here' };
}

export default async function TopicPage({ params, searchParams }: Props) {
  await requireSession();
  const { topic: wanted } = await params;
  const topic = referenceTopics.find(({ name }) => name === wanted);
  if (!topic) notFound();
  const { q, record } = await searchParams;
  return (
    <>
      <PageHead title={topic.title} sub={topic.about} />
      <ReferenceTables
        tables={topic.tables()}
        matrix={topic.name === 'gates' ? gatesByRelease() : null}
        initial={typeof q === 'string' ? q : ''}
        opened={typeof record === 'string' ? record : null}
      />
    </>
  );
}
