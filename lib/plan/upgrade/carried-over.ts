import { type Fields, isRecord } from '#lib/base/records.ts';
import { fieldNamed, type ManualChange, manualChanges, withFieldNamed } from '#lib/checks/index.ts';
import { imagePlace, type ManifestObject, splitImage } from '#lib/spec/index.ts';
import { fieldAt } from '../objects/field.ts';
import type { PlannedObject } from '../objects/objects.ts';

/** Fields of the operator's pod that no release sets. Values that people set stay, even if a release begins to set the field (operations.md › `operator.apply`). */
const peoples = ['dnsConfig', 'affinity', 'priorityClassName', 'imagePullSecrets'] as const;
/** Fields that also stay where the files of the running release are not at hand for a comparison. */
const peoplesAtLeast = ['tolerations', 'nodeSelector', 'dnsPolicy'] as const;
/** Paths whose value always comes from the release. */
const ofRelease = /\.image$|\[TIGERA_OPERATOR_INIT_IMAGE_VERSION\]/;

const podPath = ['spec', 'template', 'spec'] as const;

type Three = {
  /** As the new release has it. */
  next: ManifestObject;
  live: PlannedObject | undefined;
  /** As the release that runs has it; undefined where its files are not at hand. */
  old: ManifestObject | undefined;
};

/**
 * An object of the operator as the new release has it, with what people set on the live one: registry, pull Secrets, environment, tolerations, node
 * selector, resources, DNS. Of other fields that both changed, the release's value counts.
 */
export function carriedOver({ next, live, old }: Three): Fields {
  if (!live) return { ...next };
  const secrets = live.imagePullSecrets;
  if (next.kind === 'ServiceAccount' && Array.isArray(secrets) && secrets.length > 0)
    return { ...next, imagePullSecrets: secrets };
  if (next.kind !== 'Deployment') return { ...next };
  const changes = old === undefined ? [] : manualChanges(live, old);
  const changed = changes.filter((change) => isCarried(change, next)).reduce<unknown>(withChange, next);
  return withPeoples(withRegistry(changed as Fields, live, old), live, old);
}

function isCarried(change: ManualChange, next: ManifestObject): boolean {
  if (ofRelease.test(change.path)) return false;
  const isPeoples = peoplesAtLeast.some((field) => change.path.startsWith(`spec.template.spec.${field}`));
  return isPeoples || JSON.stringify(fieldNamed(next, change)) === JSON.stringify(change.released);
}

function withChange(object: unknown, { steps, live }: ManualChange): unknown {
  return withFieldNamed(object, steps, live);
}

/** Images from the registry and path that each container uses now, in the version of the new release. */
function withRegistry(next: Fields, live: object, old: ManifestObject | undefined): Fields {
  return ['containers', 'initContainers'].reduce<Fields>((object, key) => {
    const list = fieldAt(object, [...podPath, key]);
    if (!Array.isArray(list)) return object;
    const images = list.map((container: unknown) => {
      const path = [...podPath, key] as const;
      const now = imageOf(fieldAt(live, path), container);
      const before = old && imageOf(fieldAt(old, path), container);
      const image = fieldAt(container, ['image']);
      if (!isRecord(container) || typeof image !== 'string' || now === null) return container;
      return { ...container, image: fromWhere({ now, before, image }) };
    });
    return withFieldNamed(object, [...podPath, key], images) as Fields;
  }, next);
}

function fromWhere({ now, before, image }: { now: string; before: string | null | undefined; image: string }): string {
  const here = imagePlace(now);
  // All releases publish the operator under one name, so the new image shows a mirror too where the old files are not at hand.
  const isMoved = imagePlace(before ?? image) !== here;
  return isMoved ? `${here}${splitImage(image).version}` : image;
}

function imageOf(list: unknown, container: unknown): string | null {
  const name = fieldAt(container, ['name']);
  const found = Array.isArray(list) ? list.find((one: unknown) => fieldAt(one, ['name']) === name) : undefined;
  const image = fieldAt(found, ['image']);
  return typeof image === 'string' ? image : null;
}

/** Keeps the values of fields that the running release's file does not set, even if the new file sets them. */
function withPeoples(next: Fields, live: object, old: ManifestObject | undefined): Fields {
  const fields = old === undefined ? [...peoples, ...peoplesAtLeast] : peoples;
  const setByPeople = fields.filter((field) =>
    isSetByPeople(fieldAt(live, [...podPath, field]), old, [...podPath, field]),
  );
  const withTheirFields = setByPeople.reduce<Fields>(
    (object, field) => withFieldNamed(object, [...podPath, field], fieldAt(live, [...podPath, field])) as Fields,
    next,
  );
  const containers = fieldAt(withTheirFields, [...podPath, 'containers']);
  if (!Array.isArray(containers)) return withTheirFields;
  const limited = containers.map((container: unknown) => {
    const lives = fieldAt(live, [...podPath, 'containers']);
    const found = Array.isArray(lives)
      ? lives.find((one: unknown) => fieldAt(one, ['name']) === fieldAt(container, ['name']))
      : undefined;
    const given = fieldAt(found, ['resources']);
    return isRecord(container) && isRecord(given) && Object.keys(given).length > 0
      ? { ...container, resources: given }
      : container;
  });
  return withFieldNamed(withTheirFields, [...podPath, 'containers'], limited) as Fields;
}

function isSetByPeople(found: unknown, old: ManifestObject | undefined, path: readonly string[]): boolean {
  if (found === undefined || (old && fieldAt(old, path) !== undefined)) return false;
  return Array.isArray(found) ? found.length > 0 : !isRecord(found) || Object.keys(found).length > 0;
}
