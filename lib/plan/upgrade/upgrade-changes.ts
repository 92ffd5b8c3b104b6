import { isManifestInstall, manifestChanges, manifestFileOf, manualChanges } from '#lib/checks/index.ts';
import { type ManifestObject, objectId, type ReleaseContents } from '#lib/spec/index.ts';
import { operatorChart } from '../install/helm-charts.ts';
import { knownObjects } from '../objects/known-objects.ts';
import { objectOf } from '../objects/objects.ts';
import { operatorObjects, refOf } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import { isHostAnswer } from './afterwards/refuse-afterwards.ts';
import { carriedOver } from './carried-over.ts';
import { changedValues, type HelmValue, helmValues } from './helm/changed-values.ts';
import { chartVersionOf, operatorReleases } from './helm/installed-by-helm.ts';

/** Settings by hand that an upgrade meets, by the way in which Calico was installed. Values are as read; those that look like secrets are masked. */
export type UpgradeChanges =
  | {
      kind: 'manifest';
      file: string;
      to: string;
      isThreeWay: boolean;
      changes: DecidedChange[];
      /** Objects that the new release no longer has. `usedBy`: objects that were read and still name it then. */
      gone: { id: string; usedBy: string[] }[];
      stray: string[];
    }
  | { kind: 'helm'; release: string; from: string | null; to: string; chart: string; values: HelmValue[] }
  | { kind: 'operator'; to: string; isThreeWay: boolean; kept: FieldKept[] };

/** A change by hand. `old`: the value in the file of the running release; `mine`: what *keep* writes; `next`: the value in the new file; `becomes`: what is written now. */
export type DecidedChange = {
  id: string;
  object: string;
  path: string;
  old: unknown;
  mine: unknown;
  next: unknown;
  becomes: unknown;
  decision: 'keep' | 'take' | 'write';
  decidedBy: 'answer' | 'proposal' | 'nobody';
  proposed: { decision: 'keep' | 'take'; isLeft: boolean };
};

/** A field of the operator that stays as somebody set it. */
export type FieldKept = { object: string; path: string; mine: unknown; next: unknown };

type Known = Pick<PlanContext, 'facts' | 'choices' | 'running'> & { release: ReleaseContents };

/** What the wizard's step *What changes* asks and shows; null if it is unknown how Calico was installed. Pure, never throws. */
export function upgradeChanges(known: Known): UpgradeChanges | null {
  const { method } = known.facts.installation;
  if (isManifestInstall(known.facts)) return ofManifest(known);
  if (method === 'helm') return ofHelm(known);
  return method === 'operator' ? ofOperator(known) : null;
}

function ofManifest({ facts, choices, running, release }: Known): UpgradeChanges | null {
  const file = manifestFileOf(facts);
  const next = release.manifests[file];
  if (next === undefined) return null;
  const old = running?.manifests[file] ?? null;
  const answers = choices.changes ?? {};
  const { changes, dropped } = manifestChanges(facts, { old, next, answers });
  const known = new Set(['all', ...changes.flatMap(({ id, object }) => [id, object])]);
  return {
    kind: 'manifest',
    file,
    to: release.version,
    isThreeWay: old !== null,
    changes: changes.map(
      ({ id, object, path, released, mine, next: comes, becomes, decision, decidedBy, proposed }) => ({
        ...{ id, object, path, mine, next: comes, becomes, decision, decidedBy, proposed },
        old: old === null ? undefined : released,
      }),
    ),
    gone: dropped.map(({ id, usedBy }) => ({ id, usedBy: [...usedBy] })),
    stray: [
      ...Object.keys(answers).filter((name) => !known.has(name) && !isHostAnswer(name, choices)),
      ...(choices.remove ?? []).filter((name) => !dropped.some(({ id }) => id === name)),
    ],
  };
}

function ofHelm({ facts, choices, release }: Known): UpgradeChanges | null {
  const [found] = operatorReleases(facts);
  if (found === undefined || found.values === null) return null;
  const set = changedValues(found.values, facts.installation.version ?? '', release);
  return {
    kind: 'helm',
    release: `${found.namespace}/${found.name}`,
    from: chartVersionOf(found),
    to: release.version,
    chart: choices.chart ?? operatorChart,
    values: helmValues(found.values, set),
  };
}

function ofOperator({ facts, running, release }: Known): UpgradeChanges {
  const objects = knownObjects(facts);
  const old = new Map(running ? operatorObjects(running).map((one) => [objectId(refOf(one)), one]) : []);
  const kept = operatorObjects(release).flatMap((next): FieldKept[] => {
    const target = refOf(next);
    const live = objectOf(objects, target);
    if (!live) return [];
    const body = carriedOver({ next, live, old: old.get(objectId(target)) }) as ManifestObject;
    return manualChanges(body, next).map(({ path, live: mine, released }) => ({
      object: objectId(target),
      path,
      mine,
      next: released,
    }));
  });
  return { kind: 'operator', to: release.version, isThreeWay: running !== null, kept };
}
