import { gunzipSync } from 'node:zlib';
import { type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { definitionChartOf, names, resources } from '#lib/spec/index.ts';
import { sandboxRelease } from './release/sandbox-release.ts';
import { helmRelease, manifestOfKinds } from './templates/helm-release.ts';

type Recorded = {
  readonly chart: { readonly metadata: { readonly name: string; readonly version: string } };
  readonly config: Record<string, unknown>;
};

/** The annotation with a revision's operator version, in place of the manifest that Helm stores. */
const operatorThen = 'sandbox.signalbox.dev/operator';

const operatorOf = (version: string) => sandboxRelease(version).operator;

/**
 * Helm for a sandbox, as far as plans need it: `upgrade` of the chart of the operator or of the kinds, and `rollback`. Each writes a revision and
 * sets the operator of that chart's release; a dry run returns the manifest of the chart of the kinds. `words`: helm's arguments. Rejects with helm's
 * messages.
 */
export async function sandboxHelm(kube: Kube, words: readonly string[]): Promise<string> {
  const [verb, release = ''] = words;
  const namespace = after(words, '--namespace') ?? 'default';
  const records = await recordsOf(kube, release, namespace);
  const newest = Math.max(0, ...records.keys());
  const known = records.get(verb === 'rollback' ? Number(words[2]) : newest);
  if (known === undefined) throw new KubeError('invalid', 'Error: release: not found');
  const { chart, config } = decoded(known);
  const version = after(words, '--version') ?? chart.metadata.version;
  const holdsKinds = definitionChartOf(`${chart.metadata.name}-${version}`) !== undefined;
  if (words.some((word) => word.startsWith('--dry-run')))
    return JSON.stringify({ manifest: holdsKinds ? manifestOfKinds(kindsOf(version)) : '' });
  // A sandbox's kinds are the same in all of its releases.
  const before = holdsKinds
    ? null
    : await replaceOperator(kube, known.metadata.annotations?.[operatorThen] ?? operatorOf(version));
  const deployed = records.get(newest);
  if (deployed) {
    const target = { resource: resources.secrets, namespace, name: deployed.metadata.name ?? '' };
    const annotations = before === null ? {} : { annotations: { [operatorThen]: before } };
    const metadata = { labels: { status: 'superseded' }, ...annotations };
    await kube.patch(target, { type: 'merge', body: { metadata } });
  }
  const description = verb === 'rollback' ? `Rollback to ${words[2]}` : 'Upgrade complete';
  const made = { revision: newest + 1, version, description, name: release, chart: chart.metadata.name };
  await kube.create(resources.secrets, helmRelease(config, made));
  return '';
}

function kindsOf(version: string): string[] {
  const { manifests } = sandboxRelease(version);
  return (manifests['operator-crds.yaml']?.objects ?? []).map(({ metadata }) => metadata.name);
}

function after(words: readonly string[], flag: string): string | undefined {
  const at = words.indexOf(flag);
  return at < 0 ? undefined : words[at + 1];
}

async function recordsOf(kube: Kube, release: string, namespace: string): Promise<Map<number, KubeObject>> {
  const found = new Map<number, KubeObject>();
  const labelSelector = `owner=helm,name=${release}`;
  for await (const { items } of kube.list(resources.secrets, { namespace, labelSelector }))
    for (const item of items) found.set(Number(item.metadata.labels?.version), item);
  return found;
}

function decoded(secret: KubeObject): Recorded {
  const { release = '' } = secret.data as { release?: string };
  const packed = Buffer.from(Buffer.from(release, 'base64').toString('latin1'), 'base64');
  return JSON.parse(gunzipSync(packed).toString('utf8'));
}

/** Sets the operator to this version, and returns the earlier version. */
async function replaceOperator(kube: Kube, version: string): Promise<string> {
  const target = {
    resource: resources.deployments,
    namespace: names.operatorNamespace,
    name: names.operatorDeployment,
  };
  const found = await kube.get(target);
  if (found === null) throw new KubeError('invalid', 'Error: no operator is there');
  const { containers } = (found.spec as Workload).template.spec;
  const before = containers.find(({ name }) => name === names.operatorDeployment)?.image ?? '';
  const replaced = containers.map((one) => ({ ...one, image: one.image.replace(/:v[^:]*$/, `:${version}`) }));
  await kube.patch(target, { type: 'merge', body: { spec: { template: { spec: { containers: replaced } } } } });
  return before.slice(before.lastIndexOf(':') + 1);
}

type Workload = { readonly template: { readonly spec: { readonly containers: { name: string; image: string }[] } } };
