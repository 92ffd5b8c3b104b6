import { type Fields, isRecord } from '#lib/base/records.ts';
import { fieldNamed, type ManualChange, manualChanges, withFieldNamed } from '#lib/checks/index.ts';
import { imagePlace, type ManifestObject, splitImage } from '#lib/spec/index.ts';
import { fieldAt } from '../objects/field.ts';
import type { PlannedObject } from '../objects/objects.ts';

/** Of the operator's pod, what people set and no release says anything of; where one begins to, theirs stays (operations.md › `operator.apply`). */
const peoples = ['dnsConfig', 'affinity', 'priorityClassName', 'imagePullSecrets'] as const;
/** The same where the file of the release that runs is not at hand to compare with. */
const peoplesAtLeast = ['tolerations', 'nodeSelector', 'dnsPolicy'] as const;
/** Follows from the release, whatever it was. */
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
 * An object that runs the operator, as the new release has it, with what people set on the one that is there: registry, pull Secrets, environment,
 * tolerations, node selector, resources, DNS. Where a release changed what somebody had changed too, the release's stands, but for these.
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

/** Each container's image from where it comes from now, at the version of the new release. */
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
  // Every release publishes its operator by one name: without the files of the one that runs, the new one's tells a mirror.
  const isMoved = imagePlace(before ?? image) !== here;
  return isMoved ? `${here}${splitImage(image).version}` : image;
}

function imageOf(list: unknown, container: unknown): string | null {
  const name = fieldAt(container, ['name']);
  const found = Array.isArray(list) ? list.find((one: unknown) => fieldAt(one, ['name']) === name) : undefined;
  const image = fieldAt(found, ['image']);
  return typeof image === 'string' ? image : null;
}

/** What a file leaves open stays as people have it, also where the new one would begin to say something. */
function withPeoples(next: Fields, live: object, old: ManifestObject | undefined): Fields {
  const fields = old === undefined ? [...peoples, ...peoplesAtLeast] : peoples;
  const kept = fields.filter((field) => saysMore(fieldAt(live, [...podPath, field]), old, [...podPath, field]));
  const whole = kept.reduce<Fields>(
    (object, field) => withFieldNamed(object, [...podPath, field], fieldAt(live, [...podPath, field])) as Fields,
    next,
  );
  const containers = fieldAt(whole, [...podPath, 'containers']);
  if (!Array.isArray(containers)) return whole;
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
  return withFieldNamed(whole, [...podPath, 'containers'], limited) as Fields;
}

function saysMore(found: unknown, old: ManifestObject | undefined, path: readonly string[]): boolean {
  if (found === undefined || (old && fieldAt(old, path) !== undefined)) return false;
  return Array.isArray(found) ? found.length > 0 : !isRecord(found) || Object.keys(found).length > 0;
}
