import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calicoReleases } from '../releases/calico-releases.ts';
import { imageLists } from './images.ts';

const folder = process.env.SIGNALBOX_CALICO_DIR;
const recordings = process.env.SIGNALBOX_RECORDINGS_DIR;

test('every list is of a release that is in the table, and names each image once', () => {
  for (const { release, by, images } of imageLists) {
    expect(calicoReleases.map(({ version }) => version)).toContain(release);
    expect(new Set(images).size, `${release} ${by}`).toBe(images.length);
    for (const image of images) expect(image).toMatch(/^(?:quay|docker)\.io\/[\w/.-]+:v\d+\.\d+\.\d+$/);
  }
});

const manifests = imageLists.filter(({ by }) => by.endsWith('.yaml'));

test.skipIf(!folder).each(manifests.map((row) => [row.release, row.by, row.images] as const))(
  '%s %s names these images and no other',
  (release, file, images) => {
    expect(imagesIn(readFileSync(join(folder ?? '', release, file), 'utf8'))).toEqual([...images].sort());
  },
);

test.skipIf(!folder)('an operator’s list begins with the operator that the manifest names', () => {
  for (const { release, images } of imageLists.filter(({ by }) => by === 'operator')) {
    const file = join(folder ?? '', release, 'tigera-operator.yaml');
    if (existsSync(file)) expect(imagesIn(readFileSync(file, 'utf8'))).toEqual([images[0]]);
  }
});

test.skipIf(!recordings)("the list of an operator's images is what the operator was seen to run", () => {
  const seen = new Set<string>();
  for (const name of readdirSync(recordings ?? '').filter((one) => one.endsWith('.jsonl')))
    for (const [, image = ''] of readFileSync(join(recordings ?? '', name), 'utf8').matchAll(/"image": "([^"]+)"/g))
      if (/\/(?:calico|tigera)\//.test(image)) seen.add(image);
  const listed = imageLists.filter(({ source }) => source.startsWith('measured: ')).flatMap(({ images }) => images);
  expect(listed.toSorted()).toEqual([...seen].sort());
});

function imagesIn(manifest: string): readonly string[] {
  return [...new Set([...manifest.matchAll(/^ *(?:- )?image: (\S+)$/gm)].map(([, image = '']) => image))].sort();
}
