import { isKubeError, type JsonPatchOperation, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { apiVersionOf, type Resource } from '#lib/spec/index.ts';
import { contractNamespace } from './both-sides.ts';
import { type CallResult, seenError, seenObject } from './call-result.ts';

/** One write by one of three managers. Fragments are merged into an object of the kind under test. */
export type Step = { by: 'red' | 'green' | 'blue'; on: 'main' | 'status' } & (
  | { do: 'apply'; force: boolean; fragment: Record<string, unknown> }
  | { do: 'merge'; fragment: Record<string, unknown> }
  | { do: 'json'; operations: JsonPatchOperation[] }
  | { do: 'replace'; fragment: Record<string, unknown> }
  | { do: 'delete' }
);

/** Does the step on one side. `wrote`: whether the object got a new version. */
export async function take(
  kube: Kube,
  resource: Resource,
  name: string,
  step: Step,
): Promise<CallResult & { wrote: boolean }> {
  const namespace = resource.namespaced ? contractNamespace : undefined;
  const ref = { resource, name, ...(namespace === undefined ? {} : { namespace }) };
  const before = await kube.get(ref);
  const options = { fieldManager: step.by, ...(step.on === 'status' ? { subresource: 'status' as const } : {}) };
  try {
    const object = await write();
    return {
      ...(object ? seenObject(object) : { object: null }),
      wrote: object?.metadata.resourceVersion !== before?.metadata.resourceVersion,
    };
  } catch (error) {
    if (!isKubeError(error)) throw error;
    return { ...seenError(error), wrote: false };
  }

  async function write(): Promise<KubeObject | null> {
    switch (step.do) {
      case 'apply':
        return kube.apply(resource, whole(step.fragment), { ...options, force: step.force });
      case 'merge':
        return kube.patch(ref, { type: 'merge', body: step.fragment }, options);
      case 'json':
        return kube.patch(ref, { type: 'json', operations: step.operations }, options);
      case 'replace': {
        const { metadata: given, ...rest } = whole(step.fragment);
        const version = before?.metadata.resourceVersion;
        return kube.replace(
          resource,
          { ...rest, metadata: { ...given, ...(version ? { resourceVersion: version } : {}) } } as KubeObject,
          options,
        );
      }
      case 'delete':
        await kube.delete(ref);
        return null;
    }
  }

  function whole(fragment: Record<string, unknown>): KubeObject {
    const metadata = typeof fragment.metadata === 'object' ? fragment.metadata : {};
    return {
      ...fragment,
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: { ...metadata, name, ...(namespace === undefined ? {} : { namespace }) },
    };
  }
}
