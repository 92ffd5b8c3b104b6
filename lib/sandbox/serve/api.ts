import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ExecResult,
  isKubeError,
  type Kube,
  KubeError,
  type LogOptions,
  type MissingRule,
  type Store,
} from '#lib/kube/index.ts';
import { apiVersionOf, resources } from '#lib/spec/index.ts';
import { bodyOf, isFields } from './body.ts';
import { openChangeLog } from './change-log.ts';
import { discoveryOf } from './discovery.ts';
import { endSoon, execProtocol, sendResult } from './exec.ts';
import { ListPages } from './list-pages.ts';
import { openApiIndex, openApiOf } from './open-api.ts';
import { failure, statusOf } from './status.ts';
import { type Target, targetOf } from './target.ts';
import { watch } from './watch.ts';
import { write } from './write.ts';

export type KubernetesApi = {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Handles a request to switch protocols, which is a command in a pod. Refusals are answered as by `answer`. */
  upgrade(request: IncomingMessage, socket: Duplex): Promise<void>;
  stop(): void;
};

/**
 * The Kubernetes API over HTTP, as far as a store models it: the requests of kubectl and of our own client. Access is decided before. Refused as
 * unsupported: Tables (kubectl then prints names and ages), deletion of collections, protobuf, scale. `report`: receives errors that are no KubeErrors.
 */
export async function kubernetesApi(
  store: Store,
  report: (line: string, cause?: unknown) => void,
): Promise<KubernetesApi> {
  const log = await openChangeLog(store);
  const lists = new ListPages();

  const tellFault = ({ method, url }: IncomingMessage, error: unknown) => {
    if (!isKubeError(error)) report(`${method} ${url} failed`, error);
  };

  /** The rest of an incomplete request is not read, so the connection ends with the answer. */
  function refuse(request: IncomingMessage, response: ServerResponse, error: unknown, target: Target | null): void {
    tellFault(request, error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (!request.complete) response.setHeader('connection', 'close');
    const status = statusOf(error, target);
    json(response, status.code, status);
  }

  async function reply(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { pathname, searchParams: query } = url;
    if (pathname === '/version') return json(response, 200, versionOf(await store.version()));
    if (/^\/(?:healthz|livez|readyz)$/.test(pathname)) return text(response, 'ok');
    if (request.method === 'POST' && pathname === reviewPath) return json(response, 201, await review(store, request));
    const { resources: served } = await store.discover();
    const target = targetOf(pathname, served);
    if (target === null) return json(response, ...(await discovered(store, served, pathname, request)));
    try {
      await answerAbout(target, request, response, query);
    } catch (error) {
      refuse(request, response, error, target);
    }
  }

  async function answerAbout(
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
  ): Promise<void> {
    const { resource, namespace, name, subresource } = target;
    const method = request.method ?? '';
    if (method !== 'GET') {
      const { status, body } = await write(store, target, request, query);
      return json(response, status, body);
    }
    if (name === null) {
      if (/^(?:1|true)$/.test(query.get('watch') ?? '')) return watch({ store, log }, target, query, response);
      return json(response, 200, await listed(target, query, wantsMetadata(request)));
    }
    if (resource.plural === resources.pods.plural && namespace !== undefined) {
      if (subresource === 'log') return text(response, await podLog(store, { namespace, name }, query));
      if (subresource === 'proxy') {
        const { status, body } = await store.podGet(proxied(target, query));
        return text(response, body, status);
      }
    }
    const found = await store.get({ resource, name, ...(namespace === undefined ? {} : { namespace }) });
    // Clients ask first by GET, because the refusal of a WebSocket carries no message.
    if (found && subresource === 'exec') throw new KubeError('invalid', 'Upgrade request required', { status: 400 });
    if (!found || !(subresource === null || subresource === 'status'))
      throw new KubeError('not-found', `${resource.plural} "${name}" not found`);
    json(response, 200, found);
  }

  async function listed({ resource, namespace }: Target, query: URLSearchParams, content: 'objects' | 'metadata') {
    const options = {
      ...(namespace === undefined ? {} : { namespace }),
      labelSelector: query.get('labelSelector') ?? '',
      fieldSelector: query.get('fieldSelector') ?? '',
      pageSize: pageSizeOf(query.get('limit')),
    };
    const token = query.get('continue');
    const of = `${apiVersionOf(resource)} ${resource.plural} ${namespace ?? ''} ${content}`;
    const { page, next } = token
      ? await lists.after(of, token)
      : await lists.first(
          of,
          content === 'metadata' ? store.listMetadata(resource, options) : store.list(resource, options),
        );
    const { items, resourceVersion, remaining } = page;
    const metadata = {
      resourceVersion,
      ...(next === null ? {} : { continue: next, remainingItemCount: remaining }),
    };
    return content === 'metadata'
      ? { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items }
      : { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata, items };
  }

  const underWay = new Set<ServerResponse>();
  return {
    answer: async (request, response) => {
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
      try {
        await reply(request, response, urlOf(request));
      } catch (error) {
        refuse(request, response, error, null);
      }
    },
    upgrade: async (request, socket) => {
      // Node no longer handles the socket: an error without a listener would end the process.
      socket.on('error', () => socket.destroy());
      // Nothing may be written into an answer in progress.
      if ([...underWay].some(({ req }) => req.socket === socket)) return void socket.destroy();
      const protocol = execProtocol(request);
      try {
        if (!protocol) throw new KubeError('invalid', 'Only WebSockets are spoken here.', { status: 400 });
        sendResult(socket, protocol, await ran(store, request));
      } catch (error) {
        tellFault(request, error);
        const status = statusOf(error, null);
        const body = JSON.stringify(status);
        const headers = [
          `HTTP/1.1 ${status.code} ${STATUS_CODES[status.code] ?? ''}`,
          'Content-Type: application/json',
          `Content-Length: ${Buffer.byteLength(body)}`,
          'Connection: close',
        ];
        endSoon(socket, [...headers, '', body].join('\r\n'));
      }
    },
    stop: log.stop,
  };
}

/** Answers discovery under `/api` and `/apis`; 404 for everything else. */
async function discovered(
  store: Store,
  served: Awaited<ReturnType<Kube['discover']>>['resources'],
  pathname: string,
  request: IncomingMessage,
): Promise<[status: number, body: unknown, type?: string]> {
  const nothing: [number, unknown] = [
    404,
    failure(404, 'NotFound', 'the server could not find the requested resource'),
  ];
  if (request.method !== 'GET') return nothing;
  if (pathname === '/openapi/v3') return [200, openApiIndex(served)];
  const found = /^\/(?:openapi\/v3\/)?(apis?)(?:\/([^/]+))?(?:\/([^/]+))?\/?$/.exec(pathname);
  if (!found || (found[1] === 'api' && found[3])) return nothing;
  const [, root, first, second] = found;
  const definitions = [];
  for await (const { items } of store.list(resources.customResourceDefinitions)) definitions.push(...items);
  if (pathname.startsWith('/openapi/v3/')) {
    const document = openApiOf(pathname.slice('/openapi/v3/'.length), served, definitions);
    return document ? [200, document] : nothing;
  }
  const discovery = discoveryOf(served, definitions);
  if (first === undefined) {
    const wanted = /application\/json;g=apidiscovery\.k8s\.io;v=v2;as=APIGroupDiscoveryList/.exec(
      request.headers.accept ?? '',
    );
    if (wanted) return [200, discovery.aggregated(root === 'api' ? 'api' : 'apis'), wanted[0]];
    return [200, root === 'api' ? discovery.versions() : discovery.groups()];
  }
  const list = root === 'api' ? discovery.resources('', first) : discovery.resources(first, second ?? '');
  return list ? [200, list] : nothing;
}

const reviewPath = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

async function review(store: Store, request: IncomingMessage) {
  const body = await bodyOf(request);
  const spec = isFields(body) && isFields(body.spec) ? body.spec : {};
  const attributes = isFields(spec.resourceAttributes) ? spec.resourceAttributes : {};
  const field = (name: string) =>
    typeof attributes[name] === 'string' && attributes[name] !== '' ? attributes[name] : undefined;
  const [subresource, namespace, name] = [field('subresource'), field('namespace'), field('name')];
  const rule: MissingRule = {
    verb: field('verb') ?? '*',
    group: field('group') ?? '',
    resource: field('resource') ?? '*',
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
  const [answer] = await store.allowed([rule]);
  return {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec,
    status: { allowed: answer?.allowed ?? false },
  };
}

/** Runs the command of a path: `/api/v1/namespaces/NS/pods/NAME/exec?container=…&command=…`. */
async function ran(store: Store, request: IncomingMessage): Promise<ExecResult> {
  const { pathname, searchParams: query } = urlOf(request);
  const target = targetOf(pathname, (await store.discover()).resources);
  if (target?.resource.plural !== resources.pods.plural || target.subresource !== 'exec')
    throw new KubeError('not-served', 'the server could not find the requested resource');
  const pod = { namespace: target.namespace ?? '', name: target.name ?? '' };
  const container = query.get('container') ?? (await firstContainer(store, pod));
  return store.exec({ ...pod, container }, query.getAll('command'));
}

async function podLog(kube: Kube, pod: { namespace: string; name: string }, query: URLSearchParams): Promise<string> {
  const number = (name: string) => (query.get(name) ? { [name]: Number(query.get(name)) } : {});
  const sinceTime = query.get('sinceTime');
  const options: LogOptions = {
    container: query.get('container') ?? (await firstContainer(kube, pod)),
    ...(sinceTime ? { sinceTime } : {}),
    ...number('limitBytes'),
    ...number('tailLines'),
    ...(query.get('previous') === 'true' ? { previous: true } : {}),
    ...(query.get('timestamps') === 'true' ? { timestamps: true } : {}),
  };
  return kube.logs(pod, options);
}

async function firstContainer(kube: Kube, pod: { namespace: string; name: string }): Promise<string> {
  const found = (await kube.get({ resource: resources.pods, ...pod })) as {
    spec?: { containers?: { name?: string }[] };
  } | null;
  return found?.spec?.containers?.[0]?.name ?? '';
}

/** The pod and port of `NAME:PORT` or `https:NAME:PORT`. */
function proxied({ name, namespace = '', rest }: Target, query: URLSearchParams): Parameters<Kube['podGet']>[0] {
  const [, scheme, pod = '', port = ''] = /^(?:(https?):)?([^:]+):(\d+):?$/.exec(name ?? '') ?? [];
  if (pod === '') throw new KubeError('invalid', `${name} names no pod and port.`, { status: 400 });
  const path = `${rest === '' ? '/' : rest}${query.size > 0 ? `?${query}` : ''}`;
  return { namespace, name: pod, port: Number(port), path, ...(scheme === 'https' ? { scheme } : {}) };
}

/** Anything but a positive number requests all objects at once, as 0 does. */
function pageSizeOf(limit: string | null): number {
  const size = Number(limit);
  return Number.isSafeInteger(size) && size > 0 ? size : Number.POSITIVE_INFINITY;
}

function wantsMetadata({ headers }: IncomingMessage): 'objects' | 'metadata' {
  return headers.accept?.includes('as=PartialObjectMetadataList') ? 'metadata' : 'objects';
}

function versionOf(gitVersion: string | null) {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(gitVersion ?? '') ?? [];
  return { major, minor, gitVersion: gitVersion ?? '' };
}

function urlOf({ url = '/' }: IncomingMessage): URL {
  const parsed = URL.parse(url, 'http://sandbox');
  if (parsed) return parsed;
  throw new KubeError('invalid', `${url} is not a path.`, { status: 400 });
}

function json(response: ServerResponse, status: number, body: unknown, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
}

function text(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
}
