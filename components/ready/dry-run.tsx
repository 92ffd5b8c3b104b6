import { Suspense } from 'react';
import { StateMark } from '#components/ui/state-mark.tsx';
import { host } from '#lib/console/host.ts';
import { stakesOf } from '#lib/plan/index.ts';

/** Tries every change of the plan on the server, and its way back, without making it; the review shows the same answer. */
export function DryRun({ cluster, draft }: { cluster: string; draft: string }) {
  return (
    <Suspense fallback={<StateMark state="idle">dry run…</StateMark>}>
      <Tried cluster={cluster} draft={draft} />
    </Suspense>
  );
}

async function Tried({ cluster, draft }: { cluster: string; draft: string }) {
  const answer = await host().review(cluster, draft, 'kept');
  if (!answer.ok)
    return (
      <span role="alert" className="[overflow-wrap:anywhere]">
        <StateMark state="bad">{answer.message}</StateMark>
      </span>
    );
  const { oneWay } = stakesOf(answer.value.plan);
  return <StateMark state="ok">{oneWay === 0 ? 'dry run passed, undo included' : 'dry run passed'}</StateMark>;
}
