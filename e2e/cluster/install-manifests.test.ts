import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Plane, startControlPlane } from '#e2e/controlplane/index.ts';
import { connect, type LiveKube } from '#lib/kube/index.ts';
import { openRelease } from '#lib/release/index.ts';
import { type ManifestObject, type Resource, resources } from '#lib/spec/index.ts';
import { eventually } from './testing/eventually.ts';

/** What we send of a published release is what its files say, and a real API server takes it as it is. */
let plane: Plane;
let kube: LiveKube;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'bare', nodes: 0, components: 'api-only' });
  kube = await connect({ kubeconfig: plane.kubeconfig });
});

afterAll(async () => {
  await kube?.close();
  await plane?.stop();
});

const options = { signal: new AbortController().signal };
const files = ['operator-crds.yaml', 'tigera-operator.yaml', 'custom-resources.yaml', 'custom-resources-bpf.yaml'];

test.each(['v3.30.7', 'v3.31.4'])(
  'every object of %s is accepted under strict field validation, and kept whole',
  async (version) => {
    const { manifests } = await openRelease({ version }, options);
    const published = files.filter((file) => version !== 'v3.30.7' || !file.endsWith('-bpf.yaml'));
    expect(Object.keys(manifests).sort()).toEqual(published.toSorted());
    const lost: string[] = [];
    for (const file of published) {
      for (const object of manifests[file]?.objects ?? []) {
        const resource = await resourceOf(object);
        const stored = await kube.apply(resource, object, { fieldValidation: 'Strict', force: true });
        const paths = missing(object, stored, `${file} ${object.kind}/${object.metadata.name}`);
        lost.push(...paths.filter((path) => !isDefault.test(path)));
        // Nothing is left to change: what a repeated apply would write is there.
        const again = await kube.apply(resource, object, { fieldValidation: 'Strict', force: true });
        if (again.metadata.generation !== stored.metadata.generation) lost.push(`${object.kind} changed when repeated`);
      }
    }
    expect(lost).toEqual([]);
  },
);

test('strict means strict: a field that the kind does not have is refused', async () => {
  const { manifests } = await openRelease({ version: 'v3.31.4' }, options);
  const deployment = manifests['tigera-operator.yaml']?.objects.find(({ kind }) => kind === 'Deployment');
  if (!deployment) throw new Error('no Deployment');
  const wrong = { ...deployment, spec: { ...Object(deployment.spec), replica: 1 } };
  await expect(
    kube.apply(resources.deployments, wrong, { fieldValidation: 'Strict', force: true, dryRun: 'all' }),
  ).rejects.toThrow('replica');
});

/** As the server's discovery has it; custom resources are served a moment after their definition. */
async function resourceOf({ apiVersion, kind }: ManifestObject): Promise<Resource> {
  let found: Resource | undefined;
  await eventually(`${apiVersion} ${kind} to be served`, async () => {
    found = (await kube.discover()).resources.find(
      (one) => one.kind === kind && apiVersion === (one.group ? `${one.group}/${one.version}` : one.version),
    );
    return found !== undefined;
  });
  if (!found) throw new Error(`${kind} is not served`);
  return found;
}

/** `false` there is as good as absent, and the server leaves it out. */
const isDefault = /CustomResourceDefinition\/.*\.spec\.preserveUnknownFields$/;

/** The paths of fields that were sent and are not stored as sent. Empty lists, empty maps and null are ignored. */
function missing(sent: unknown, stored: unknown, path: string): string[] {
  if (isNothing(sent)) return [];
  if (Array.isArray(sent)) {
    if (!Array.isArray(stored)) return [path];
    return sent.flatMap((item, index) => missing(item, stored[index], `${path}[${index}]`));
  }
  if (typeof sent !== 'object') return Object.is(sent, stored) ? [] : [path];
  if (typeof stored !== 'object' || stored === null) return [path];
  const fields = stored as Readonly<Record<string, unknown>>;
  return Object.entries(sent as object).flatMap(([key, value]) => missing(value, fields[key], `${path}.${key}`));
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}
