import { type Clock, isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { apiVersionOf, names, type Resource, resources } from '#lib/spec/index.ts';
import { memberAt } from '../difference.ts';
import { refs } from '../reconcile/refs.ts';

/** What the functions need that wait before the operator's first reconcile. */
type Waiting = { kube: Kube; clock: Clock; signal: AbortSignal };

const againMs = 1_000;

/** Waits until ConfigMap calico-system/active-operator names no namespace, or that of this operator (calico.md §3.1). */
export async function becomeActive({ kube, clock, signal, namespace }: Waiting & { namespace: string }): Promise<void> {
  for (;;) {
    const active = memberAt(await kube.get(refs.activeOperator, { signal }), 'data', names.activeNamespaceKey);
    if (typeof active !== 'string' || active === '' || active === namespace) return;
    await clock.sleep(againMs, signal);
  }
}

/** Without these kinds the operator can neither read its task nor report a status. */
const needed: readonly Resource[] = [
  resources.installations,
  resources.tigeraStatuses,
  resources.apiServers,
  resources.felixConfigurations,
  resources.ipPools,
];

/** Waits until the kinds that the operator reads and writes are served. CRDs may come after the operator. */
export async function awaitKinds({ kube, clock, signal, log }: Waiting & { log(line: string): void }): Promise<void> {
  for (let hasLogged = false; ; hasLogged = true) {
    const served = (await kube.discover({ signal })).resources;
    const missing = needed.filter(
      ({ group, plural }) => !served.some((one) => one.group === group && one.plural === plural),
    );
    if (missing.length === 0) return;
    if (!hasLogged)
      log(`waiting until ${missing.map((one) => `${one.kind} (${apiVersionOf(one)})`).join(', ')} are served`);
    await clock.sleep(againMs, signal);
  }
}

/** Whether the operator creates CRDs: by its own argument since 1.38, or that of the first init container in OpenShift's bundle (calico.md §1.2). */
export function bringsDefinitions(deployment: KubeObject | null): boolean {
  const containers = ['containers', 'initContainers'].map((list) =>
    memberAt(deployment, 'spec', 'template', 'spec', list),
  );
  return /-manage-crds=true|-bootstrap-crds/.test(JSON.stringify(containers));
}

/** Creates the missing CRDs. Existing ones stay as they are. */
export async function bringDefinitions(
  kube: Kube,
  definitions: readonly KubeObject[],
  signal: AbortSignal,
): Promise<void> {
  const resource = resources.customResourceDefinitions;
  for (const definition of definitions) {
    const { name = '' } = definition.metadata;
    if (await kube.get({ resource, name }, { signal })) continue;
    try {
      await kube.create(resource, definition, { fieldManager: names.operatorFieldManager, signal });
    } catch (error) {
      if (!isKubeError(error, 'already-exists')) throw error;
    }
  }
}
