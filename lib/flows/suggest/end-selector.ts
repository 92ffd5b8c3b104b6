/** Labels of Kubernetes and Calico that change with each release or pod, or only repeat a name. */
const volatile =
  /^(?:pod-template-hash|pod-template-generation|controller-revision-hash|controller-uid|job-name|statefulset\.kubernetes\.io\/.+|apps\.kubernetes\.io\/.+|batch\.kubernetes\.io\/.+|projectcalico\.org\/.+|helm\.sh\/.+|app\.kubernetes\.io\/(?:version|managed-by))$/;
/** Labels by which a workload is usually selected. If it has one of these, its other labels add nothing. */
const identities = [
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/component',
  'k8s-app',
  'app',
];
/** The form that Kubernetes accepts; other texts are no label of a pod. */
const labelForm = /^((?:[a-z0-9.-]+\/)?[A-Za-z0-9][A-Za-z0-9._-]*)=([A-Za-z0-9][A-Za-z0-9._-]*)$/;

/** The labels that identify a workload, of labels in the form of flows (`app=checkout`). */
export function identityOf(labels: readonly string[]): readonly (readonly [key: string, value: string])[] {
  const all = labels.flatMap((label) => {
    const [, key = '', value = ''] = labelForm.exec(label) ?? [];
    return key === '' || volatile.test(key) ? [] : [[key, value] as const];
  });
  const usual = all.filter(([key]) => identities.includes(key));
  return (usual.length > 0 ? usual : all).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** A Calico selector; null if no label identifies the workload. */
export function selectorOf(identity: ReturnType<typeof identityOf>): string | null {
  return identity.length === 0 ? null : identity.map(([key, value]) => `${key} == '${value}'`).join(' && ');
}
