import { Fragment } from 'react';

/** Sources, parted by `; `; those that have an address lead there. */
export function SourceText({ source }: { source: string }) {
  return source.split('; ').map((part, at) => {
    const href = linkOf(part);
    return (
      <Fragment key={part}>
        {at > 0 && '; '}
        {href === null ? (
          part
        ) : (
          <a href={href} rel="noreferrer" className="underline [overflow-wrap:anywhere]">
            {part}
          </a>
        )}
      </Fragment>
    );
  });
}

/** Where a source can be read: a page by its own address, a thread of a repository by its number. Null where it has no address. */
function linkOf(source: string): string | null {
  if (/^https:\/\/[^\s,]+$/.test(source)) return source;
  const thread = /^([\w.-]+\/[\w.-]+)#(\d+)\b/.exec(source);
  return thread === null ? null : `https://github.com/${thread[1]}/issues/${thread[2]}`;
}
