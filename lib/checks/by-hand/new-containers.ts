import type { Fields } from '#lib/base/records.ts';
import { isRecord } from '#lib/base/records.ts';
import type { ReadObject } from '#lib/facts/index.ts';
import { imagePlace, type ManifestObject, splitImage } from '#lib/spec/index.ts';
import { changeAt, fieldNamed, type ManualChange } from './manual-changes.ts';

const lists = ['containers', 'initContainers'] as const;
const podPath = ['spec', 'template', 'spec'] as const;

type Files = { readonly live: ReadObject; readonly old: ManifestObject | null; readonly next: ManifestObject };

/** An image that this cluster has not pulled yet. `isSure`: the existing containers agree on where it comes from. */
export type NewImage = {
  readonly change: ManualChange;
  readonly comes: string;
  readonly mine: string;
  readonly isSure: boolean;
};

/**
 * Images of containers that only the new release has, if this object's other images come from somewhere else than the files say: without access to
 * the public registry such a container would never start. If no container here has the image's name, its source is a guess.
 */
export function imagesOfNewContainers({ live, old, next }: Files): NewImage[] {
  const folders = foldersOf({ live, old, next });
  if (!folders.some(({ from, to }) => from !== to)) return [];
  return lists.flatMap((list) =>
    containersOf(next, list).flatMap(({ name, image: comes }): NewImage[] => {
      const isThere = [live, old].some((object) => containersOf(object, list).some((one) => one.name === name));
      if (isThere) return [];
      const to = new Set(folders.filter(({ from }) => from === imagePlace(comes)).map((one) => one.to));
      const [only] = to;
      const isSure = to.size === 1 && only !== undefined;
      const mine = `${isSure ? only : guessed(comes, folders)}${splitImage(comes).version}`;
      if (isSure && mine === comes) return [];
      const change = changeAt([...podPath, list, `[${name}]`, 'image'], undefined, undefined);
      return [{ change, comes, mine, isSure }];
    }),
  );
}

type Moved = { readonly from: string; readonly to: string };

/** For each container: the registry folder in the new file and the one in this cluster, if it differs from the old file's. */
function foldersOf({ live, old, next }: Files): Moved[] {
  return lists.flatMap((list) => {
    const [now, was] = [live, old].map((object) => byName(containersOf(object, list)));
    const coming = byName(containersOf(next, list));
    return [...(now ?? [])].flatMap(([name, here]): Moved[] => {
      const [before, from] = [was?.get(name), coming.get(name)];
      // If the files themselves changed the folder, the cluster's was not changed by hand.
      if (from !== undefined) return [{ from, to: here === before ? from : here }];
      return before === undefined ? [] : [{ from: before, to: here }];
    });
  });
}

const byName = (containers: readonly { name: string; image: string }[]) =>
  new Map(containers.map(({ name, image }) => [name, imagePlace(image)] as const));

/** The image in the folder to which another image of the same folder was moved. */
function guessed(image: string, folders: readonly Moved[]): string {
  const [folder, name] = splitFolder(imagePlace(image));
  const found = folders.find(
    ({ from, to }) => from !== to && splitFolder(from)[0] === folder && splitFolder(from)[1] === splitFolder(to)[1],
  );
  return found === undefined ? imagePlace(image) : `${splitFolder(found.to)[0]}${name}`;
}

function splitFolder(folderAndName: string): readonly [folder: string, name: string] {
  const at = folderAndName.lastIndexOf('/') + 1;
  return [folderAndName.slice(0, at), folderAndName.slice(at)];
}

function containersOf(object: ReadObject | ManifestObject | null, list: string): { name: string; image: string }[] {
  const found = object === null ? undefined : fieldNamed(object as ManifestObject, { steps: [...podPath, list] });
  return (Array.isArray(found) ? found : []).flatMap((one: unknown) => {
    const { name, image }: Fields = isRecord(one) ? one : {};
    return typeof name === 'string' && typeof image === 'string' ? [{ name, image }] : [];
  });
}
