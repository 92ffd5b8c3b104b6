'use client';

import { Button, ButtonLink } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { clustersPath } from './paths.ts';

/** An error of Signalbox. Its cause is in the log, under the same reference. */
export function Fault({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null;
  return (
    <>
      <PageHead title="This page failed to load" sub="The fault is in the console. It changed nothing." />
      <Panel>
        <div className="max-w-[72ch] px-5 py-5">
          <p>
            Try again. When it stays, the console's log has the cause. Its path was printed where the console was
            started.
          </p>
          <div className="mt-5 flex flex-wrap items-center gap-2">
            <Button kind="primary" onClick={retry}>
              Try again
            </Button>
            <ButtonLink href={clustersPath}>All clusters</ButtonLink>
            {digest !== null && (
              <span className="ml-auto text-sm text-ink-3">
                reference <code>{digest}</code>
              </span>
            )}
          </div>
        </div>
      </Panel>
    </>
  );
}
