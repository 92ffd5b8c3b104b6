'use client';

import { Button, ButtonLink } from '#components/ui/button.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { useNow } from '#components/ui/time/use-now.ts';
import type { Connection } from '#lib/console/wire.ts';
import { connectionWords, type LiveSource } from './connection-words.ts';

export type ConnectionBadgeProps = {
  connection: Connection;
  /** The view's `stale`: since when the cluster has not answered. */
  stale: { since: string; message: string } | null;
  pause: () => void;
  resume: () => void;
  /** The source that `stale` is about; default: the cluster. */
  from?: LiveSource;
  /** Milliseconds of the server's clock, so that server and browser render the same words first. */
  renderedAt: number;
};

/** "live · 2 s ago", with the button that pauses updates (WCAG 2.2, 2.2.2) and, if the session has ended, the link to sign in. */
export function ConnectionBadge({ connection, stale, from, pause, resume, renderedAt }: ConnectionBadgeProps) {
  const { state, words, detail } = connectionWords(connection, stale, useNow(renderedAt), from);
  const isHeld = connection.kind === 'paused';
  const needsSession = connection.kind === 'stopped' && connection.problem.code === 'session.missing';
  return (
    <span
      className="inline-flex min-h-8 flex-wrap items-center gap-x-2 text-sm tabular-nums"
      title={detail ?? undefined}
    >
      {/* A minimum width, so that the button beside it does not move while the seconds count. */}
      <span className="min-w-30">
        <StateMark state={state}>{words}</StateMark>
      </span>
      {detail !== null && <span className="sr-only">{detail}</span>}
      {needsSession && (
        <ButtonLink kind="plain" href="/sign-in">
          Sign in again
        </ButtonLink>
      )}
      {connection.kind !== 'stopped' && (
        <Button kind="quiet" onClick={isHeld ? resume : pause} aria-pressed={isHeld}>
          {isHeld ? 'Resume updates' : 'Pause updates'}
        </Button>
      )}
    </span>
  );
}
