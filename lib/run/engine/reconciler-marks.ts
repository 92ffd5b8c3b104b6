import { reconcilerName } from '#lib/checks/index.ts';
import { marksOf, type Subject } from '#lib/facts/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { agentDaemonSets, names, type ObjectRef, objectId, type Resource, resources } from '#lib/spec/index.ts';
import { forwardProgress, type Journal } from '../model/journal.ts';

/** Objects that an upgrade brings: by the operator, and by manifest. */
const broughtByUpgrade: readonly ObjectRef[] = [
  { resource: resources.deployments, namespace: names.operatorNamespace, name: names.operatorDeployment },
  ...agentDaemonSets
    .filter(({ namespace }) => namespace === names.systemNamespace)
    .map((one) => ({ resource: resources.daemonSets, ...one })),
];

/**
 * Marks of tools that restore their own state, on objects of check `managed-by.reconciler` that this run has written. Marks that were there when the
 * plan was made were paused or accepted, else the check would have blocked the plan. So a mark that is found here is new.
 */
export async function reconcilerMarks(
  kube: Kube,
  plan: Plan,
  journal: Journal,
  felixResource: Resource,
  signal: AbortSignal,
): Promise<Subject[]> {
  const { finished, begun } = forwardProgress(journal);
  const written = new Set(
    plan.operations.filter(({ seq }) => finished.includes(seq) || seq === begun).flatMap(({ targets }) => targets),
  );
  const watched: ObjectRef[] = [
    { resource: resources.installations, name: names.installation },
    { resource: felixResource, name: names.felixConfiguration },
    { resource: resources.daemonSets, namespace: names.systemNamespace, name: names.kubeProxyDaemonSet },
    ...(plan.goal === 'upgrade' ? broughtByUpgrade : []),
  ];
  const known = new Set(
    plan.findings.findings
      .filter(({ id }) => id === 'managed-by.reconciler')
      .flatMap(({ evidence }) => evidence.map(({ object, path }) => `${object} ${path}`)),
  );
  const found = await Promise.all(
    watched
      .filter((ref) => written.has(objectId(ref)))
      .map(async (ref) => {
        const object = await kube.get(ref, { signal });
        return (object ? marksOf(object) : []).flatMap(({ by, evidence, state }): Subject[] => {
          const isKnown = state === 'paused' || known.has(`${evidence.object} ${evidence.path}`);
          const tool = isKnown ? null : reconcilerName(by);
          const { resource, namespace = null, name } = ref;
          return tool === null
            ? []
            : [{ kind: resource.kind, namespace, name, detail: `${tool} marks it: ${evidence.path}` }];
        });
      }),
  );
  return found.flat();
}
