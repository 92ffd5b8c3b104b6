import { parseAllDocuments } from 'yaml';
import type { Finding } from '#lib/checks/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { type openSandbox, templates } from '#lib/sandbox/index.ts';
import { apiVersionOf, type Resource, resources } from '#lib/spec/index.ts';

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/** The objects in a remedy's `kubectl apply -f -`. */
export const appliedIn = ({ remedy: { command = '' } }: Finding): KubeObject[] => {
  const text = /^kubectl apply -f - <<'EOF'\n([\s\S]*)\nEOF$/.exec(command)?.[1] ?? '';
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
};

/** Replaces objects by those of another sandbox, as a migration by the operator does. */
export const as =
  (other: string, gone: (object: KubeObject) => boolean) =>
  async ({ kube, objects }: Sandbox): Promise<void> => {
    const known: readonly Resource[] = Object.values(resources);
    const resourceOf = ({ apiVersion, kind }: KubeObject) =>
      known.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
    const keyOf = ({ kind, metadata: { namespace = '', name = '' } }: KubeObject) => `${kind} ${namespace}/${name}`;
    const here = new Set(objects().map(keyOf));
    for (const one of objects().filter(gone)) {
      const resource = resourceOf(one);
      const { namespace, name = '' } = one.metadata;
      if (resource) await kube.delete({ resource, name, ...(namespace ? { namespace } : {}) });
    }
    for (const one of templates[other]?.objects(Date.UTC(2026, 0, 1)) ?? []) {
      const resource = resourceOf(one);
      if (resource && !here.has(keyOf(one)) && one.kind !== 'Pod') await kube.create(resource, one);
    }
  };
