import { expect, test } from 'vitest';
import type { ImagePart } from './images.ts';
import { planImages } from './plan-images.ts';

const usual: readonly ImagePart[] = ['agent', 'cni', 'flexvolume', 'csi', 'apiserver', 'goldmane', 'whisker'];
const names = (images: readonly { as: string }[]) => images.map(({ as }) => as);

test('v3.31.4 as usual: what was read, what follows the pattern, and how to be sure', () => {
  const { images, missing } = planImages({ release: 'v3.31.4', parts: usual });
  expect(names(images.filter(({ certainty }) => certainty === 'read'))).toEqual([
    'quay.io/tigera/operator:v1.40.7',
    'quay.io/calico/cni:v3.31.4',
    'quay.io/calico/csi:v3.31.4',
    'quay.io/calico/goldmane:v3.31.4',
    'quay.io/calico/kube-controllers:v3.31.4',
    'quay.io/calico/node:v3.31.4',
    'quay.io/calico/node-driver-registrar:v3.31.4',
    'quay.io/calico/pod2daemon-flexvol:v3.31.4',
    'quay.io/calico/typha:v3.31.4',
    'quay.io/calico/whisker:v3.31.4',
    'quay.io/calico/whisker-backend:v3.31.4',
  ]);
  expect(names(images.filter(({ certainty }) => certainty === 'pattern'))).toEqual([
    'quay.io/calico/apiserver:v3.31.4',
  ]);
  expect(missing).toContain('calico/apiserver: named as the other images of v3.31.4 are');
  expect(missing).toContain(
    'docker run --rm --entrypoint operator quay.io/tigera/operator:v1.40.7 --print-images=list',
  );
});

test('images of components that do not run are left out', () => {
  const { images, missing } = planImages({ release: 'v3.31.4', parts: ['agent'] });
  expect(names(images)).toEqual([
    'quay.io/tigera/operator:v1.40.7',
    'quay.io/calico/kube-controllers:v3.31.4',
    'quay.io/calico/node:v3.31.4',
    'quay.io/calico/typha:v3.31.4',
  ]);
  expect(missing).toBeNull();
});

test('each has its name in the mirror', () => {
  const naming = { registry: 'mirror.example/', imagePath: 'net', imagePrefix: 'c-' };
  const { images } = planImages({ release: 'v3.31.3', parts: ['agent', 'gateway'], naming });
  expect(names(images)).toContain('mirror.example/net/c-operator:v1.40.3');
  expect(names(images)).toContain('mirror.example/net/c-envoy-ratelimit:v3.31.3');
});

test('a release whose images were not read: by their pattern, and the operator as its manifest names it', () => {
  const { images } = planImages({ release: 'v3.31.7', parts: ['agent'], operator: 'v1.40.17' });
  expect(images.map(({ as, certainty }) => [as, certainty])).toEqual([
    ['quay.io/tigera/operator:v1.40.17', 'read'],
    ['quay.io/calico/node:v3.31.7', 'pattern'],
    ['quay.io/calico/typha:v3.31.7', 'pattern'],
    ['quay.io/calico/kube-controllers:v3.31.7', 'pattern'],
  ]);
});

test.each(['v3.33.1', 'v3.30.3', 'v3.27.5', 'v3.99.1'])(
  '%s: the names are not guessed where the pattern or the registry is not known',
  (release) => {
    const { images, missing } = planImages({ release, parts: ['agent'] });
    expect(images.filter(({ part }) => part !== 'operator')).toEqual([]);
    expect(missing).toMatch(
      new RegExp(`^Of ${release} it was not read how these are named: (?:tigera/operator, )?calico/node, calico/typha`),
    );
  },
);

test('a manifest names all of its images', () => {
  expect(planImages({ release: 'v3.31.4', manifest: 'canal.yaml', parts: [] })).toMatchObject({
    missing: null,
    images: expect.arrayContaining([expect.objectContaining({ image: 'docker.io/flannel/flannel:v0.24.4' })]),
  });
  expect(planImages({ release: 'v3.30.7', manifest: 'calico.yaml', parts: [] })).toEqual({
    images: [],
    missing: 'The images in calico.yaml of v3.30.7 were not read. Look for the lines with `image:` in it.',
  });
});

test('of Calico Enterprise nothing is named but its operator, whatever Calico has under the same version', () => {
  const plan = planImages({
    release: 'v3.31.4',
    parts: ['agent', 'cni'],
    operator: 'v1.41.0',
    variant: 'TigeraSecureEnterprise',
  });
  expect(plan.images.map(({ image }) => image)).toEqual(['quay.io/tigera/operator:v1.41.0']);
  expect(plan.missing).toMatch(/^The images of Calico Enterprise v3\.31\.4 were not read.*--print-images=list/);
});
