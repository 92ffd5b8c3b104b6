import { calicoReleases } from '../releases/calico-releases.ts';
import { isEnterprise, type Variant } from '../releases/enterprise.ts';
import { inRange } from '../releases/gates.ts';
import { isUnknown } from '../unknown.ts';
import { type ImageNaming, renamedImage, splitImage } from './image-name.ts';
import { type ImagePart, imageLists, imagesByPattern, imageUses } from './images.ts';
import { defaultRegistries } from './registries.ts';

export type WantedImages = {
  readonly release: string;
  /** The installing manifest, `calico.yaml`. Absent: the operator, also with Helm. */
  readonly manifest?: string | undefined;
  /** The components that run; for a manifest all that it names. */
  readonly parts: readonly ImagePart[];
  /** The operator's version from the release's manifest, if that was read. */
  readonly operator?: string | undefined;
  readonly naming?: ImageNaming | undefined;
  /** Default: Calico. */
  readonly variant?: Variant | undefined;
};

export type PlannedImage = {
  /** The published name. */
  readonly image: string;
  /** The name that nodes pull: with registry, path and prefix. */
  readonly as: string;
  readonly part: ImagePart;
  readonly neededBy: string;
  /** `read`: from a list of this release. `pattern`: named like the release's other images, not verified. */
  readonly certainty: 'read' | 'pattern';
};

export type PlannedImages = {
  readonly images: readonly PlannedImage[];
  /** What the list may lack and how to find out; null: it is complete. */
  readonly missing: string | null;
};

/**
 * The images that an installation pulls, for a mirror or an allow-list, with their names there. Unverified names follow the release's pattern and are marked, or
 * are reported as missing; the operator prints all of its images with `--print-images=list`.
 */
export function planImages(wanted: WantedImages): PlannedImages {
  if (isEnterprise(wanted.variant)) return ofEnterprise(wanted);
  return wanted.manifest === undefined ? byOperator(wanted) : byManifest(wanted, wanted.manifest);
}

/** Calico Enterprise has other images with other names and its own release numbers, so lists of Calico do not apply. */
function ofEnterprise({ release, operator, naming }: WantedImages): PlannedImages {
  const own = operator === undefined ? null : `quay.io/tigera/operator:${operator}`;
  return {
    images: own === null ? [] : [planned(own, 'read', naming)],
    missing: `The images of Calico Enterprise ${release} were not read, and they are not those of Calico. ${asking(own)}`,
  };
}

const asking = (operator: string | null) =>
  `\`docker run --rm --entrypoint operator ${operator ?? 'IMAGE-OF-THE-OPERATOR'} --print-images=list\` tells all of them.`;

function byManifest({ release, naming }: WantedImages, manifest: string): PlannedImages {
  const list = listOf(release, manifest);
  if (!list)
    return {
      images: [],
      missing: `The images in ${manifest} of ${release} were not read. Look for the lines with \`image:\` in it.`,
    };
  return {
    images: list.images.map((image) => planned(image, 'read', naming)),
    missing: isUnknown(list.missing) ? list.missing.unknown : null,
  };
}

function byOperator({ release, parts, operator, naming }: WantedImages): PlannedImages {
  const list = listOf(release, 'operator');
  const own = operatorImage(release, operator);
  const listed = (list?.images ?? []).filter((image) => nameOf(image) !== 'tigera/operator');
  const read = [...(own === null ? [] : [own]), ...listed].filter((image) => wants(parts, partOf(image)));
  const absent = imageUses.filter(
    ({ image, part }) => wants(parts, part) && !read.some((one) => nameOf(one) === image),
  );
  const registry = registryOf(release);
  const guessed =
    inRange(release, imagesByPattern) === 'yes' && registry !== null
      ? absent.filter(({ image }) => image.startsWith('calico/')).map(({ image }) => `${registry}${image}:${release}`)
      : [];
  const images = [
    ...read.map((image) => planned(image, 'read', naming)),
    ...guessed.map((image) => planned(image, 'pattern', naming)),
  ];
  if (absent.length === 0) return { images, missing: null };
  if (guessed.length < absent.length) {
    const unnamed = absent
      .filter(({ image }) => !guessed.some((one) => nameOf(one) === image))
      .map(({ image }) => image);
    return {
      images,
      missing: `Of ${release} it was not read how these are named: ${unnamed.join(', ')}. ${asking(own)}`,
    };
  }
  return {
    images,
    missing: `${guessed.map(nameOf).join(', ')}: named as the other images of ${release} are, and not read anywhere. ${asking(own)}`,
  };
}

const wants = (parts: readonly ImagePart[], part: ImagePart) => part === 'operator' || parts.includes(part);

function listOf(release: string, by: string) {
  return imageLists.find((list) => list.release === release && list.by === by);
}

function operatorImage(release: string, operator: string | undefined): string | null {
  const row = calicoReleases.find(({ version }) => version === release);
  const version = operator ?? (row === undefined || isUnknown(row.operator) ? null : row.operator);
  return version === null ? null : `quay.io/tigera/operator:${version}`;
}

/** The release's default registry; null between two rows of the table, where it was not read. */
function registryOf(release: string): string | null {
  const row = defaultRegistries.find(
    ({ what, releases }) => what === 'Calico, installed by the operator' && inRange(release, releases) === 'yes',
  );
  return row === undefined ? null : row.registry.replace(/calico$/, '');
}

function planned(image: string, certainty: PlannedImage['certainty'], naming: ImageNaming = {}): PlannedImage {
  const use = imageUses.find((row) => row.image === nameOf(image));
  return {
    image,
    as: renamedImage(image, naming),
    part: use?.part ?? 'extra',
    neededBy: use?.neededBy ?? 'what it is for was not read',
    certainty,
  };
}

const partOf = (image: string) => imageUses.find((row) => row.image === nameOf(image))?.part ?? 'extra';

/** `quay.io/calico/node:v3.31.4` → `calico/node` */
function nameOf(image: string): string {
  const { path, name } = splitImage(image);
  return [...path, name].join('/');
}
