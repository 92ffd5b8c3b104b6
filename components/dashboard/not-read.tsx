import { Notice } from '#components/ui/notice.tsx';
import type { ClusterStatus } from '#lib/status/index.ts';

/** Kinds that could not be read, each with its reason: what they would tell is unknown, and unknown is never shown as fine. */
export function NotRead({ unknown }: { unknown: ClusterStatus['unknown'] }) {
  if (unknown.length === 0) return null;
  const kinds = unknown.map(({ kind }) => kind).join(', ');
  return (
    <Notice state="unknown" title={`${kinds} could not be read, so part of this page is not known`}>
      <ul className="flex flex-col gap-1">
        {unknown.map(({ kind, because }) => (
          <li key={kind} className="break-words">
            <b className="font-semibold">{kind}</b>: {because}
          </li>
        ))}
      </ul>
      <p className="mt-1">
        <code>signalbox rbac</code> prints a role with every right that is needed.
      </p>
    </Notice>
  );
}
