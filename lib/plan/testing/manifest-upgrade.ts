import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, choicesSchema, type ManifestObject, objectId, type ReleaseContents } from '#lib/spec/index.ts';
import { makePlan, type PlanInput, plannedOperations } from '../make-plan.ts';
import { refOf } from '../objects/release-objects.ts';
import type { PlannedOperation } from '../schema/planned-operation.ts';
import { aCluster, someFindings } from './a-cluster.ts';

/** Calico's own published files: every flavour that is at hand, from one release to the next. */
const folder = process.env.SIGNALBOX_CALICO_DIR ?? '';
export const isAway = !existsSync(join(folder, 'v3.31.4'));

export type Manifest = NonNullable<Facts['installation']['manifest']>;
type Given = {
  manifest?: Manifest;
  from?: string;
  to?: string;
  running?: null;
  /** By way of these releases. */
  through?: string[];
  /** Changes an object of the file to what the cluster has; null: the cluster lacks it. */
  change?: (object: ManifestObject) => ManifestObject | null;
  choices?: Partial<Choices>;
  also?: Facts['resources']['objects'];
  /** Objects that Calico's own ones own. */
  dependants?: Facts['upgrade']['dependants'];
  /** Of nine tenths of a file nothing is ever changed by hand. */
  kinds?: 'left-out';
};

const fileOf = (manifest: Manifest) => `${manifest === 'policy-only' ? 'calico-policy-only' : manifest}.yaml`;

const read = new Map<string, readonly ManifestObject[]>();
const ofKind = /^kind: CustomResourceDefinition$/m;

/** The objects of a published file, as they are there. Read once: most tests ask for the same ones. */
export function publishedObjects(
  manifest: Manifest,
  version: string,
  kinds?: Given['kinds'],
): readonly ManifestObject[] {
  const path = join(folder, version, fileOf(manifest));
  const key = `${path} ${kinds}`;
  const known = read.get(key);
  if (known) return known;
  const documents = readFileSync(path, 'utf8').split(/^---$/m);
  const objects = documents
    .filter((text) => kinds === undefined || !ofKind.test(text))
    .map((text) => parse(text) as ManifestObject | null)
    .filter((one) => one !== null);
  read.set(key, objects);
  return objects;
}

/** The one file that counts here; the others take long to read. */
function filesOf(version: string, manifest: Manifest, kinds: Given['kinds']): ReleaseContents {
  const file = fileOf(manifest);
  const objects = publishedObjects(manifest, version, kinds).map((one) => structuredClone(one));
  const contents = { version, file, sha256: '0'.repeat(64), objects };
  return { version, operator: 'v1.40.7', source: 'a folder', manifests: { [file]: contents } };
}

function inputOf({ manifest = 'calico', from = 'v3.30.7', to = 'v3.31.4', ...given }: Given): PlanInput {
  const file = fileOf(manifest);
  const [old, next] = [from, to].map((version) => filesOf(version, manifest, given.kinds)) as [
    ReleaseContents,
    ReleaseContents,
  ];
  const change = given.change ?? ((object: ManifestObject) => object);
  const through = (given.through ?? []).map((version) => filesOf(version, manifest, given.kinds));
  const [before = [], ...known] = [old, next, ...through].map(({ manifests }) =>
    manifests[file]?.objects.filter(({ kind }) => kind !== 'Job'),
  );
  const refs = [...before, ...known.flatMap((objects = []) => objects)];
  const here = new Map(before.map((one) => [objectId(refOf(one)), change(one)]));
  const objects = Object.fromEntries(refs.map((one) => [objectId(refOf(one)), here.get(objectId(refOf(one))) ?? null]));
  const facts = aCluster({ objects: { ...objects, ...given.also } as Facts['resources']['objects'] });
  const method = manifest.endsWith('-etcd') ? ('manifest-etcd' as const) : ('manifest-kdd' as const);
  const found = { method, manifest, version: from, namespace: 'kube-system' };
  return {
    facts: {
      ...facts,
      installation: { ...facts.installation, ...found },
      upgrade: { ...facts.upgrade, dependants: given.dependants ?? facts.upgrade.dependants },
    },
    choices: choicesSchema.parse({ goal: 'upgrade', release: to, ...given.choices }),
    findings: someFindings(),
    now: '2026-11-23T00:00:00.000Z',
    release: next,
    running: given.running === null ? null : old,
    through,
  };
}

export const upgradeOf = (given: Given = {}) => makePlan(inputOf(given));

/** What would be done, without the text of each change, which takes most of the time. */
export const operationsOf = (given: Given): PlannedOperation[] => plannedOperations(inputOf(given));

/** What the plan applies of an object, by its id, or of the first one of a kind. */
export function written(
  { operations }: { operations: readonly PlannedOperation[] },
  what: string,
): Record<string, unknown> | undefined {
  const act = operations.find(({ id }) => id === 'manifest.apply')?.act;
  const steps = act?.kind === 'sequence' ? act.steps : [];
  return steps.flatMap(({ act: one }) =>
    one.kind === 'apply' && [objectId(one.target), one.target.resource.kind].includes(what) ? [one.body] : [],
  )[0];
}
