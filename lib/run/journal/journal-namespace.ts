import { isKubeError, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';

const mark = `${names.managedByLabel}=${names.fieldManager}`;

function refOf(name: string): ObjectRef {
  return { resource: resources.namespaces, name };
}

/**
 * Creates the namespace of journals if it is missing. One that the user chose (`--journal-namespace`) must exist. Rejects with `forbidden` if it may
 * not be created, and with `conflict` if a namespace of that name is not Signalbox's or is being deleted; both messages say what to do.
 */
export async function prepareJournalNamespace(kube: Kube, name: string): Promise<void> {
  if (name !== names.journalNamespace) return;
  const found = (await kube.get(refOf(name))) ?? (await createdNamespace(kube, name)) ?? (await kube.get(refOf(name)));
  if (found === null || isGoing(found))
    throw new KubeError(
      'conflict',
      `Namespace ${name}, where a run keeps its journal, is being deleted. Try again once it is gone.`,
      { isNamespaceGoing: true },
    );
  if (!isOurNamespace(found))
    throw new KubeError(
      'conflict',
      `Namespace ${name} is not Signalbox's: it has no label ${mark}. Nothing is written there. If it is meant for Signalbox: \`kubectl label namespace ${name} ${mark}\`. Else keep journals elsewhere: --journal-namespace NAMESPACE.`,
    );
}

/** Null if another process created it first. */
async function createdNamespace(kube: Kube, name: string): Promise<KubeObject | null> {
  try {
    return await kube.create(resources.namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { [names.managedByLabel]: names.fieldManager } },
    });
  } catch (error) {
    if (isKubeError(error, 'already-exists')) return null;
    if (!isKubeError(error, 'forbidden')) throw error;
    throw new KubeError(
      'forbidden',
      `Namespace ${name} for journals is missing, and you may not create namespaces. Ask an administrator to run \`kubectl create namespace ${name} && kubectl label namespace ${name} ${mark}\`. Or keep journals in another namespace: --journal-namespace ${names.systemNamespace}.`,
      error.detail,
      error,
    );
  }
}

/** Whether Signalbox created the namespace, by its label `app.kubernetes.io/managed-by`. */
export function isOurNamespace({ metadata }: KubeObject): boolean {
  return metadata.labels?.[names.managedByLabel] === names.fieldManager;
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
