import { Fragment } from 'react';
import { linkOf } from './link-of.ts';

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
