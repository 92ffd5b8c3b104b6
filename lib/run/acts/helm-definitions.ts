import { isRecord } from '#lib/base/records.ts';
import { counted, inList } from '#lib/base/words.ts';
import { nameOf, objectsOfManifest } from '#lib/facts/index.ts';
import { type Kube, KubeError } from '#lib/kube/index.ts';
import type { Act } from '#lib/plan/index.ts';
import { type ObjectRef, resources } from '#lib/spec/index.ts';
import { shellLine } from '#lib/text/index.ts';
import { onlyOursLeft } from '../conditions/only-ours-left.ts';
import { helmRecord, helmRevisions } from './helm-state.ts';

type HelmAct = Extract<Act, { kind: 'helm' }>;
type UpgradeAct = Extract<HelmAct, { verb: 'upgrade' }>;
type RollbackAct = Extract<HelmAct, { verb: 'rollback' }>;

/**
 * Throws KubeError with the names if an upgrade would delete a definition, with objects or without. Helm deletes what is in the manifest of the
 * running revision and not in the next one's (helm pkg/kube `Client.Update`, read in 3.22 and 4.3), and the API server deletes all objects of a kind
 * with its definition. `rendered`: the output of `helm upgrade --dry-run --output json`; needed only if the release holds a definition.
 */
export async function refuseLostByUpgrade(
  kube: Kube,
  act: UpgradeAct,
  rendered: () => Promise<string>,
  signal?: AbortSignal,
): Promise<void> {
  const revisions = await helmRevisions(kube, act, signal);
  // The revision that Helm compares the chart with.
  const compared = revisions.findLast(({ status }) => status === 'deployed') ?? revisions.at(-1);
  if (compared === undefined) return;
  const recorded = await definitionsOfRevision(kube, act, compared.revision, signal);
  if (recorded.length === 0) return;
  const coming = new Set(definitionsIn(manifestIn(await rendered(), act), `What helm makes of ${act.chart}`));
  const lost = await deletable(
    kube,
    recorded.filter((name) => !coming.has(name)),
    signal,
  );
  if (lost.length === 0) return;
  const { release, namespace, version } = act;
  throw new KubeError(
    'invalid',
    `The Helm release ${namespace}/${release} holds ${counted(lost.length, 'kind')} that the chart ${act.chart}${version === null ? '' : ` ${version}`} lacks: ${inList(lost)}. Helm would delete ${lost.length === 1 ? 'it' : 'them'}, and with a kind go all its objects. Nothing was sent. Let Helm leave ${lost.length === 1 ? 'it' : 'them'} (\`${keepCommand(lost)}\`), or name a chart that has ${lost.length === 1 ? 'it' : 'them'}, and try again.`,
  );
}

/**
 * Throws KubeError with the objects that a rollback would delete with their kinds. Kinds that came after the target revision may go, as long as
 * nobody has objects of them.
 */
export async function refuseLostByRollback(kube: Kube, act: RollbackAct, signal?: AbortSignal): Promise<void> {
  const newest = (await helmRevisions(kube, act, signal)).at(-1);
  if (newest === undefined || newest.revision === act.revision) return;
  const now = await definitionsOfRevision(kube, act, newest.revision, signal);
  if (now.length === 0) return;
  const then = new Set(await definitionsOfRevision(kube, act, act.revision, signal));
  const lost = await deletable(
    kube,
    now.filter((name) => !then.has(name)),
    signal,
  );
  if (lost.length === 0) return;
  const found = await onlyOursLeft(
    { kind: 'only-ours-left', within: lost.map(definitionRef) },
    { kube, signal: signal ?? new AbortController().signal },
  );
  if (found.kind === 'met') return;
  throw new KubeError(
    'invalid',
    `Revision ${act.revision} of the Helm release ${act.namespace}/${act.release} has no ${inList(lost)}, so that going back deletes ${lost.length === 1 ? 'this kind' : 'these kinds'} with all objects. ${'because' in found ? found.because : ''} Or let Helm leave ${lost.length === 1 ? 'it' : 'them'}: \`${keepCommand(lost)}\`.`,
  );
}

const keep = { annotation: 'helm.sh/resource-policy', value: 'keep' };

function keepCommand(names: readonly string[]): string {
  return shellLine('kubectl', 'annotate', 'customresourcedefinitions', ...names, `${keep.annotation}=${keep.value}`);
}

const definitionRef = (name: string): ObjectRef => ({ resource: resources.customResourceDefinitions, name });

/** Definitions among these names that exist and lack the annotation by which Helm keeps an object. Helm reads the annotation of the live object. */
async function deletable(
  kube: Kube,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const there = new Set<string>();
  for await (const { items } of kube.listMetadata(resources.customResourceDefinitions, signal ? { signal } : {}))
    for (const { metadata } of items)
      if (metadata.annotations?.[keep.annotation] !== keep.value) there.add(metadata.name ?? '');
  return names.filter((name) => there.has(name));
}

async function definitionsOfRevision(
  kube: Kube,
  act: HelmAct,
  revision: number,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const record = await helmRecord(kube, act, revision, signal);
  const where = `Helm's record of revision ${revision} of ${act.namespace}/${act.release}`;
  if (record === null)
    throw new KubeError(
      'invalid',
      `${where} cannot be read: which kinds Helm would delete is not verified. Nothing was sent.`,
    );
  // Helm omits an empty manifest.
  return definitionsIn(record.manifest ?? '', where);
}

/** The definitions in a manifest of Helm. */
function definitionsIn(manifest: string, where: string): string[] {
  const { kind } = resources.customResourceDefinitions;
  try {
    return [...objectsOfManifest(manifest, (text) => text.includes(kind))].flatMap((object) =>
      object.kind === kind ? (nameOf(object) ?? []) : [],
    );
  } catch (error) {
    throw new KubeError('invalid', `${where} is not readable YAML: which kinds it holds is not verified.`, {}, error);
  }
}

function manifestIn(output: string, { chart }: UpgradeAct): string {
  try {
    const release: unknown = JSON.parse(output);
    if (isRecord(release) && typeof release.manifest === 'string') return release.manifest;
  } catch {
    // Output that is not JSON is refused below.
  }
  throw new KubeError(
    'invalid',
    `helm did not render ${chart}: which kinds the upgrade would delete is not verified. Nothing was sent.`,
  );
}
