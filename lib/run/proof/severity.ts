import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { names, type Resource } from '#lib/spec/index.ts';
import { valueAt } from '../fields.ts';

/**
 * The severity at which the agents log to the screen: env wins, then `node.<name>`, then `default` (calico.md §5).
 * Read once a tick; `of(node)` is null where nothing is set, which is Info.
 */
export async function logSeverities(
  kube: Kube,
  felixResource: Resource,
  daemonSet: KubeObject,
  signal: AbortSignal,
): Promise<{ of(node: string): string | null }> {
  const env = environmentSeverity(daemonSet);
  const byName = new Map<string, string>();
  try {
    for await (const page of kube.list(felixResource, { signal })) {
      for (const object of page.items) {
        const severity = valueAt(object, ['spec', 'logSeverityScreen']);
        if (typeof severity === 'string') byName.set(object.metadata.name ?? '', severity);
      }
    }
  } catch (error) {
    if (!isKubeError(error, 'forbidden', 'not-served')) throw error;
  }
  return { of: (node) => env ?? byName.get(`node.${node}`) ?? byName.get(names.felixConfiguration) ?? null };
}

function environmentSeverity(daemonSet: KubeObject): string | null {
  const containers = (valueAt(daemonSet, ['spec', 'template', 'spec', 'containers']) ?? []) as {
    name?: string;
    env?: { name?: string; value?: string }[];
  }[];
  const agent = containers.find((one) => one.name === names.nodeContainer);
  return agent?.env?.find((one) => one.name === 'FELIX_LOGSEVERITYSCREEN')?.value ?? null;
}
