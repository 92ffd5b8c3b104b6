import type { ReactNode } from 'react';
import { PageHead } from '#components/ui/page-head.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { Slug } from '#lib/console/host.ts';
import type { ClusterView } from '#lib/console/wire.ts';
import { DashboardActions } from './dashboard-actions.tsx';

export function DashboardHead({
  cluster,
  name,
  view,
  draft,
  enable,
  begin,
}: {
  cluster: Slug;
  name: string;
  view: ClusterView;
  draft: ReactNode;
  enable: ReactNode;
  begin: ReactNode;
}) {
  return (
    <PageHead
      title={<span className="break-all">{name}</span>}
      sub={whatRunsThere(view)}
      actions={<DashboardActions cluster={cluster} view={view} draft={draft} enable={enable} begin={begin} />}
    />
  );
}

/** `Kubernetes 1.31.4 · Calico v3.31.4 by operator · 14 Linux nodes`. */
function whatRunsThere({ kubernetes, status: { installation, agents }, nodes }: ClusterView): string {
  const linux = nodes.filter(({ plane }) => plane !== 'not-counted').length;
  const others = nodes.length - linux;
  return [
    kubernetes === null ? 'Kubernetes version not known' : `Kubernetes ${kubernetes.replace(/^v/, '')}`,
    installation
      ? `Calico ${installation.version ?? 'of an unknown version'} by operator`
      : agents
        ? 'Calico without operator'
        : 'no Calico',
    counted(linux, 'Linux node'),
    ...(others > 0 ? [`${thousands(others)} not counted`] : []),
  ].join(' · ');
}
