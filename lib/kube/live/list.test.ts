import { afterEach, expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import type { Connection } from './connection.ts';
import { type ListContent, listAll, listPages } from './list.ts';
import { connectionTo } from './testing/client.ts';
import { type Handler, json, type LocalServer, localServer, statusBody } from './testing/local-server.ts';

let server: LocalServer;
let connection: Connection;
afterEach(async () => {
  await connection.close();
  await server.close();
});

async function serve(answer: Handler): Promise<void> {
  server = await localServer(answer);
  connection = await connectionTo(server.url);
}

function page(names: string[], next: string | null, resourceVersion = '7') {
  const items = names.map((name) => ({ metadata: { name } }));
  return {
    kind: 'NodeList',
    apiVersion: 'v1',
    metadata: { resourceVersion, ...(next ? { continue: next } : {}) },
    items,
  };
}

const query = (url: string | undefined) => new URL(url ?? '', 'http://h').searchParams;

async function list(content: ListContent = 'objects', pageSize = 2) {
  const pages = await Array.fromAsync(
    listPages(connection, resources.nodes, { pageSize, labelSelector: 'a=b' }, content),
  );
  return pages.map(({ items, resourceVersion }) => [resourceVersion, ...items.map((item) => item.metadata.name)]);
}

test('pages follow each other, and items know what they are', async () => {
  await serve((request, response) =>
    json(response, 200, query(request.url).get('continue') ? page(['c'], null) : page(['a', 'b'], 'next&1')),
  );
  expect(await list()).toEqual([
    ['7', 'a', 'b'],
    ['7', 'c'],
  ]);
  expect(server.requests.map(({ url }) => Object.fromEntries(query(url)))).toEqual([
    { limit: '2', labelSelector: 'a=b' },
    { limit: '2', labelSelector: 'a=b', continue: 'next&1' },
  ]);
  for await (const { items } of listPages(connection, resources.nodes, {}, 'objects')) {
    expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'Node' });
    break;
  }
});

test('an expired token starts the list over once, without what was given already', async () => {
  let round = 0;
  await serve((request, response) => {
    const token = query(request.url).get('continue');
    if (token === 'old') return json(response, 410, statusBody(410, 'Expired'));
    if (token === 'new') return json(response, 200, page(['c', 'd'], null, '9'));
    json(response, 200, round++ === 0 ? page(['a', 'b'], 'old') : page(['b', 'x'], 'new', '9'));
  });
  expect(await list()).toEqual([
    ['7', 'a', 'b'],
    ['9', 'x'],
    ['9', 'c', 'd'],
  ]);
});

test('a server that gives the same page again and again is given up', async () => {
  await serve((_request, response) => json(response, 200, page(['a', 'b'], 'same')));
  const repeats = { code: 'protocol', message: expect.stringContaining('repeats a page') };
  await expect(list()).rejects.toMatchObject(repeats);
  await expect(listAll(connection, resources.nodes, {})).rejects.toMatchObject(repeats);
  expect(server.requests).toHaveLength(4);
});

test('a second expiry is an error', async () => {
  await serve((request, response) =>
    query(request.url).get('continue')
      ? json(response, 410, statusBody(410, 'Expired'))
      : json(response, 200, page(['a'], 'old')),
  );
  await expect(list()).rejects.toMatchObject({ code: 'expired' });
});

test('whoever stops early leaves no request behind', async () => {
  let open = 0;
  await serve((request, response) => {
    if (!query(request.url).get('continue')) return json(response, 200, page(['a'], 'x'));
    open += 1;
    response.on('close', () => (open -= 1));
  });
  for await (const _ of listPages(connection, resources.nodes, {}, 'objects')) break;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(open).toBe(0);
});

test('metadata alone is asked for as such, and keeps the kind of the object', async () => {
  await serve((_request, response) => {
    const items = [{ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: { name: 'a' } }];
    json(response, 200, { kind: 'PartialObjectMetadataList', metadata: { resourceVersion: '1' }, items });
  });
  const [first] = await Array.fromAsync(listPages(connection, resources.nodes, {}, 'metadata'));
  expect(first?.items[0]).toEqual({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } });
  expect(server.requests[0]?.headers.accept).toContain('as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
});

test.each([
  [{ kind: 'NodeList', metadata: {}, items: 'x' }],
  [{ kind: 'NodeList', metadata: {}, items: [1] }],
  [{ kind: 'NodeList', metadata: {}, items: [{ spec: {} }] }],
  [[]],
  [null],
])('%j is no list', async (answer) => {
  await serve((_request, response) => json(response, 200, answer));
  await expect(list()).rejects.toMatchObject({ code: 'protocol' });
});

test('a collection that is not there is a kind that is not served', async () => {
  await serve((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n');
  });
  await expect(list()).rejects.toMatchObject({ code: 'not-served' });
});
