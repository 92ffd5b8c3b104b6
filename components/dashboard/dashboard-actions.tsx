'use client';

import { type ReactNode, useActionState } from 'react';
import { checkAgain, enableEbpf } from '#app/clusters/[cluster]/actions.ts';
import { runPath } from '#components/frame/paths.ts';
import { Button, ButtonLink } from '#components/ui/button.tsx';
import type { Failure, Slug } from '#lib/console/host.ts';
import type { ClusterView } from '#lib/console/wire.ts';
import { runStanding } from './run-standing.ts';

/** A run that has not ended comes before all else: nothing new is begun while it is open. */
export function DashboardActions({ cluster, view, draft }: { cluster: Slug; view: ClusterView; draft: ReactNode }) {
  const { run, status } = view;
  const isOpen = run !== null && runStanding(run).isOpen;
  const canUndo = run !== null && ['done', 'stopped', 'failed'].includes(run.state.kind);
  const isOnBpf = status.installation?.dataplane === 'BPF';
  // Without Calico there is nothing to switch; the findings say what is missing.
  const hasCalico = status.installation !== null || status.agents !== null || status.unknown.length > 0;
  return (
    <>
      <ActionButton action={checkAgain.bind(null, cluster)} words="Check again" pending="Checking…" kind="plain" />
      {!isOpen && draft}
      {canUndo && <ButtonLink href={runPath(cluster, run.run)}>Undo…</ButtonLink>}
      {isOpen && (
        <ButtonLink kind="primary" href={runPath(cluster, run.run)}>
          Continue run
        </ButtonLink>
      )}
      {!isOpen && !isOnBpf && hasCalico && (
        <ActionButton action={enableEbpf.bind(null, cluster)} words="Enable eBPF" pending="Preparing…" kind="primary" />
      )}
    </>
  );
}

/** A form, so that it works before any script has come. */
function ActionButton({
  action,
  words,
  pending,
  kind,
}: {
  action: (before: Failure | null) => Promise<Failure | null>;
  words: string;
  pending: string;
  kind: 'plain' | 'primary';
}) {
  const [failure, submit, isPending] = useActionState(action, null);
  return (
    <form action={submit} className="flex flex-col items-end">
      <Button type="submit" kind={kind} disabled={isPending}>
        {isPending ? pending : words}
      </Button>
      {failure && (
        <p role="alert" className="mt-1 max-w-[36ch] text-sm text-red">
          {failure.message}
        </p>
      )}
    </form>
  );
}
