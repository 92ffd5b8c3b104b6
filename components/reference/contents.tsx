import Link from 'next/link';
import { topicPath } from '#components/frame/paths.ts';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { counted } from '#lib/base/words.ts';
import { type ReferenceTopic, referenceTopics } from '#lib/reference/index.ts';
import { sourceKinds } from '#lib/spec/index.ts';

/** What there is to look up, and what the sources of its rows are. */
export function Contents() {
  return (
    <>
      <PageHead
        title="Reference"
        sub="What Signalbox knows about platforms, kernels and releases. The checks and the plan read the same tables."
      />
      <div className="grid items-start gap-4 min-[1100px]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel title="Tables">
          <ul>
            {referenceTopics.map((topic) => (
              <li key={topic.name} className="border-t border-line px-4 py-3 first:border-t-0">
                <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <Link href={topicPath(topic.name)} prefetch={false} className="min-h-6 font-[560]">
                    {topic.title}
                  </Link>
                  <span className="text-sm text-ink-3">{counted(rowsOf(topic), 'row')}</span>
                </div>
                <p className="text-sm text-ink-2">{topic.about}</p>
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title="Sources">
          <p className="px-4 pt-3 text-ink-2">
            Every row names its source and the day it was read. Nothing is filled in by guessing: where something is{' '}
            <em>unknown</em>, its page says how to find it out.
          </p>
          <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-2 px-4 py-3 text-sm">
            {sourceKinds.map(({ kind, what }) => (
              <div key={kind} className="contents">
                <dt className="text-ink-3">{kind}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      </div>
    </>
  );
}

function rowsOf({ tables }: ReferenceTopic): number {
  return tables().reduce((sum, part) => sum + (part.kind === 'table' ? part.rows : part.records).length, 0);
}
