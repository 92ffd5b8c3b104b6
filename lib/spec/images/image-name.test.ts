import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ImageNaming, namingFaults, renamedImage, splitImage } from './image-name.ts';

const node = 'quay.io/calico/node:v3.31.4';

test.each<[string, ImageNaming, string]>([
  [node, {}, node],
  [node, { registry: 'UseDefault', imagePath: 'UseDefault', imagePrefix: 'UseDefault' }, node],
  [node, { registry: '', imagePath: '', imagePrefix: '' }, node],
  [node, { registry: 'mirror.example/' }, 'mirror.example/calico/node:v3.31.4'],
  [node, { registry: 'mirror.example:5000/proxy/' }, 'mirror.example:5000/proxy/calico/node:v3.31.4'],
  [node, { imagePath: 'net/cal' }, 'quay.io/net/cal/node:v3.31.4'],
  [node, { imagePrefix: 'c-' }, 'quay.io/calico/c-node:v3.31.4'],
  [node, { registry: 'm.example/', imagePath: 'net', imagePrefix: 'c-' }, 'm.example/net/c-node:v3.31.4'],
  ['quay.io/tigera/operator:v1.40.7', { registry: 'm.example/', imagePath: 'net' }, 'm.example/net/operator:v1.40.7'],
  ['localhost:5000/a/b/c:1', { imagePath: 'net' }, 'localhost:5000/net/b/c:1'],
  ['quay.io/node', { imagePath: 'net', imagePrefix: 'c-' }, 'quay.io/net/c-node'],
  ['quay.io/calico/node@sha256:00ff', { registry: 'm.example/' }, 'm.example/calico/node@sha256:00ff'],
  ['calico/node:v3.20.0', { registry: 'm.example/' }, 'm.example/calico/node:v3.20.0'],
])('%s with %o is %s', (image, naming, expected) => {
  expect(renamedImage(image, naming)).toBe(expected);
});

test('name and version are kept, whatever the registry; naming twice is naming once but for the prefix', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);
  const image = fc
    .tuple(word, word, fc.stringMatching(/^v\d\.\d\d\.\d$/))
    .map(([path, name, tag]) => `quay.io/${path}/${name}:${tag}`);
  fc.assert(
    fc.property(image, word, word, (from, host, path) => {
      const naming = { registry: `${host}.example/`, imagePath: path };
      const renamed = renamedImage(from, naming);
      expect(splitImage(renamed)).toEqual({ ...splitImage(from), registry: `${host}.example/`, path: [path] });
      expect(renamedImage(renamed, naming)).toBe(renamed);
    }),
  );
});

test.each<[ImageNaming, string[]]>([
  [{}, []],
  [{ registry: 'mirror.example:5000/a/', imagePath: 'net/cal', imagePrefix: 'c-' }, []],
  [{ registry: 'UseDefault', imagePath: 'UseDefault', imagePrefix: 'UseDefault' }, []],
  [{ registry: 'mirror.example' }, ['registry: "mirror.example" needs a slash at its end: mirror.example/']],
  [
    { registry: 'https://mirror.example/' },
    ['registry: "https://mirror.example/" is a URL; a host is needed, such as registry.example.com/'],
  ],
  [
    { registry: 'me:secret@mirror.example/' },
    ['registry: "me:secret@mirror.example/" holds a user name; Secrets named in imagePullSecrets are for that'],
  ],
  [{ registry: 'a b/' }, ['registry: "a b/" is not a host with a slash at its end']],
  [{ imagePath: 'net/' }, ['imagePath: "net/" must neither begin nor end with a slash: the operator writes those']],
  [{ imagePath: 'Net' }, ['imagePath: "Net" may have small letters, digits, dots, dashes and slashes']],
  [{ imagePrefix: 'a/' }, ['imagePrefix: "a/" may have small letters, digits, dots and dashes']],
])('%o: %o', (naming, says) => {
  expect(namingFaults(naming).map(({ field, because }) => `${field}: ${because}`)).toEqual(says);
});
