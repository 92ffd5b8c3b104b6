import { clustersPath, referencePath, topicPath } from '#components/frame/paths.ts';
import { RailLinks } from '#components/frame/rail/rail-links.tsx';
import { referenceTopics } from '#lib/reference/index.ts';

export function ReferenceRail() {
  return (
    <>
      <RailLinks label="Console" links={[{ href: clustersPath, label: 'Clusters' }]} />
      <p className="mt-4 mb-1 px-2 text-xs text-ink-3">Reference</p>
      <RailLinks
        label="Reference"
        links={[
          { href: referencePath, label: 'Contents and sources' },
          ...referenceTopics.map(({ name, title }) => ({ href: topicPath(name), label: title })),
        ]}
      />
    </>
  );
}
