import { PageHead } from '#components/ui/page-head.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { ClusterView } from '#lib/console/wire.ts';
import type { ClusterStatus } from '#lib/status/index.ts';
import { nodesWereRead } from '#lib/status/unserved.ts';
import { DashboardActions, type DashboardActionsProps } from './actions/dashboard-actions.tsx';
import { runStateWords } from './run-state-words.ts';

export function DashboardHead({ name, ...actions }: DashboardActionsProps & { name: string }) {
  const { view } = actions;
  const { run } = view;
  return (
    <PageHead
      title={<span className="break-all">{name}</span>}
      sub={
        <>
          {whatRunsThere(view)}
          {run !== null && <RunNow run={run} />}
        </>
      }
      actions={<DashboardActions {...actions} />}
    />
  );
}

/** The state of an unfinished run; the first button opens its page. */
function RunNow({ run }: { run: NonNullable<ClusterView['run']> }) {
  const { isOpen, state, sentence } = runStateWords(run);
  if (!isOpen) return null;
  return (
    <>
      {' · '}
      <StateMark state={state}>{sentence}</StateMark>
    </>
  );
}

/** `Kubernetes 1.31.4 · Calico v3.31.4 by operator · 14 Linux nodes`. */
function whatRunsThere(view: ClusterView): string {
  const { kubernetes, status, nodes } = view;
  const linux = nodes.filter(({ plane }) => plane !== 'not-counted').length;
  const others = nodes.length - linux;
  return [
    kubernetes === null ? 'Kubernetes version not known' : `Kubernetes ${kubernetes.replace(/^v/, '')}`,
    calicoWords(status),
    nodesWereRead(view) ? counted(linux, 'Linux node') : 'nodes not read',
    ...(others > 0 ? [`${thousands(others)} not counted`] : []),
  ].join(' · ');
}

function calicoWords({ installation, manifest, agents, unknown }: ClusterStatus): string {
  const calico = installation ?? manifest;
  if (calico !== undefined)
    return `Calico ${calico.version ?? 'of an unknown version'} by ${installation === null ? 'manifest' : installation.by === 'helm' ? 'Helm' : 'operator'}`;
  if (agents !== null) return 'Calico without operator';
  return unknown.length > 0 ? 'Calico not read' : 'no Calico';
}
