import type { Act } from '#lib/plan/index.ts';
import { type Goal, names, objectId } from '#lib/spec/index.ts';

/** Kinds for which somebody would forge a journal: rights, and what runs as root on nodes. */
const guarded: Readonly<Record<string, string>> = {
  ClusterRole: 'rights',
  ClusterRoleBinding: 'rights',
  Role: 'rights',
  RoleBinding: 'rights',
  ServiceAccount: 'rights',
};

/** Fields of a workload that a foreign record may restore: those that runs of Signalbox undo there without changing what runs. */
const harmless = /^spec\.template\.(metadata\.annotations|spec\.(nodeSelector|dnsPolicy|dnsConfig))(\.|$)/;

/**
 * Why the earlier state in a foreign run is not restored here; null if it may be, once it was shown. Restoring a recorded Role, pod template, whole
 * object or Helm release would carry out whatever its author wrote: only the installation that recorded it does that (docs/security.md).
 */
export function whyNotRestored(act: Act): string | null {
  switch (act.kind) {
    case 'sequence':
      return act.steps.map((step) => whyNotRestored(step.act)).find((because) => because !== null) ?? null;
    case 'helm':
      return refusal(`release ${act.namespace}/${act.release}`, 'a stored release of Helm is a set of manifests');
    case 'create':
    case 'recreate':
      return refusal(objectId(act.target), 'the whole object');
    case 'apply':
    case 'merge-patch': {
      const { resource, namespace } = act.target;
      const { kind } = resource;
      // kube-proxy's configuration contains kubeconfigs and paths on nodes.
      if (kind === 'ConfigMap' && namespace === names.systemNamespace)
        return refusal(objectId(act.target), 'what runs on nodes');
      // A sidecar runs in every pod that the injector touches.
      if (kind === 'ConfigMap' && act.target.name === 'istio-sidecar-injector')
        return refusal(objectId(act.target), 'what the injector adds to pods');
      if (guarded[kind] !== undefined) return refusal(objectId(act.target), guarded[kind]);
      if (kind !== 'Deployment' && kind !== 'DaemonSet') return null;
      const isHarmless = act.kind === 'merge-patch' && leafPaths(act.body).every((path) => harmless.test(path));
      return isHarmless ? null : refusal(objectId(act.target), 'what runs on nodes');
    }
    default:
      return null;
  }
}

/**
 * What to do instead, if an upgrade of another installation cannot be undone here because its way back consists of recorded operators and rights.
 * Null if it can be undone, or is no upgrade.
 */
export function insteadOfUpgradeBack(
  { goal, run, direction }: { goal: Goal; run: string; direction: 'forward' | 'undo' },
  refused: number,
): string | null {
  if (goal !== 'upgrade' || refused === 0) return null;
  const forward = `Continue the upgrade here (\`signalbox resume ${run}\`), which plans it again from the files of its release. `;
  return `Where that installation is gone: ${direction === 'forward' ? forward : ''}${
    direction === 'forward' ? 'Or stop' : 'Stop'
  } this run (\`signalbox stop ${run}\`), and apply the operator's files of the earlier release by hand (\`kubectl apply --server-side --force-conflicts -f FILE\`): definitions first, then the operator.`;
}

function refusal(object: string, what: string): string {
  return `It would restore ${object} as this run recorded it: ${what}. Only the installation that recorded it does that. Undo the run there, or restore ${object} by hand and stop the run.`;
}

function leafPaths(value: unknown, above = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [above];
  const entries = Object.entries(value);
  if (entries.length === 0) return [above];
  return entries.flatMap(([key, member]) => leafPaths(member, above === '' ? key : `${above}.${key}`));
}
