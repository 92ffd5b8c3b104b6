import { Agent, request } from 'node:https';

/** A Kubernetes object as sent by the server; the reader of a field narrows its type. */
export type KubeObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
};

/** More requests at once would only queue on a machine with two processors. */
export const requestsAtOnce = 8;

/** The server answered with an error; `message` is its sentence. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Answer = { readonly status: number; readonly body: string };

/**
 * The few calls that setting up a test cluster needs, on Node's own HTTPS. Deliberately not `lib/kube`:
 * the code under test must not prepare its own test.
 */
export class Api {
  readonly url: string;
  readonly #agent: Agent;
  readonly #token: string;
  readonly #paths = new Map<string, string>();

  constructor(plane: { readonly url: string; readonly ca: string; readonly token: string }) {
    this.url = plane.url;
    this.#token = plane.token;
    // Also how long an unused connection is kept: the API server closes one after 90 s, and a request that just then takes it would fail.
    this.#agent = new Agent({ ca: plane.ca, keepAlive: true, maxSockets: 16, timeout: 30_000 });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Whether the server says that it is ready; false while it cannot be reached. */
  async isReady(): Promise<boolean> {
    try {
      return (await this.#send('GET', '/readyz')).status === 200;
    } catch {
      return false;
    }
  }

  async get<T = KubeObject>(path: string): Promise<T> {
    return JSON.parse(await this.text(path)) as T;
  }

  async text(path: string): Promise<string> {
    return (await this.#must('GET', path)).body;
  }

  async list(path: string): Promise<readonly KubeObject[]> {
    return (await this.get<{ items: readonly KubeObject[] }>(path)).items;
  }

  async delete(path: string): Promise<void> {
    await this.#must('DELETE', path);
  }

  /** Merge patch; `path` may end in a subresource such as `/status`. */
  async patch(path: string, body: unknown): Promise<KubeObject> {
    const answer = await this.#must('PATCH', path, body, 'application/merge-patch+json');
    return JSON.parse(answer.body) as KubeObject;
  }

  /**
   * Forced server-side apply, as manager `signalbox-test-cluster` or the given one. Set `subresource` for status.
   * Waits until a kind whose CRD was just created is served.
   */
  async apply(object: KubeObject, options: { manager?: string; subresource?: string } = {}): Promise<KubeObject> {
    const query = `?force=true&fieldManager=${options.manager ?? 'signalbox-test-cluster'}`;
    const suffix = options.subresource ? `/${options.subresource}` : '';
    const path = `${await this.pathOf(object)}${suffix}${query}`;
    const answer = await this.#must('PATCH', path, object, 'application/apply-patch+yaml');
    return JSON.parse(answer.body) as KubeObject;
  }

  /** Server-side apply of YAML as it is, without reading it: 2.6 MB of CRDs are sent in the time that parsing them takes. */
  async applyText(path: string, yaml: string): Promise<void> {
    await this.#must(
      'PATCH',
      `${path}?force=true&fieldManager=signalbox-test-cluster`,
      yaml,
      'application/apply-patch+yaml',
    );
  }

  /** Path of an object, by the server's own discovery. */
  async pathOf(object: KubeObject): Promise<string> {
    const { apiVersion, kind, metadata } = object;
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const key = `${apiVersion} ${kind}`;
    for (let attempt = 0; !this.#paths.has(key) && attempt < 100; attempt++) {
      if (attempt > 0) await new Promise((later) => setTimeout(later, 100));
      const found = await this.get<{ resources: { name: string; kind: string; namespaced: boolean }[] }>(root).catch(
        (error: unknown) => {
          if (error instanceof ApiError && (error.status === 404 || error.status === 503)) return { resources: [] };
          throw error;
        },
      );
      for (const resource of found.resources) {
        if (resource.name.includes('/')) continue;
        this.#paths.set(
          `${apiVersion} ${resource.kind}`,
          resource.namespaced ? `${root}/namespaces/NAMESPACE/${resource.name}` : `${root}/${resource.name}`,
        );
      }
    }
    const template = this.#paths.get(key);
    if (!template) throw new ApiError(404, `the server does not serve ${kind} of ${apiVersion}`);
    return `${template.replace('NAMESPACE', metadata.namespace ?? 'default')}/${metadata.name}`;
  }

  async #must(method: string, path: string, body?: unknown, type?: string): Promise<Answer> {
    const answer = await this.#send(method, path, body, type);
    if (answer.status < 300) return answer;
    throw new ApiError(answer.status, `${method} ${path}: ${answer.status} ${messageIn(answer.body)}`);
  }

  #send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    return new Promise((done, failed) => {
      const sent = request(
        `${this.url}${path}`,
        {
          method,
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${this.#token}`,
            accept: 'application/json',
            ...(body === undefined ? {} : { 'content-type': type }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', failed);
          response.on('end', () => done({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer for 30 s`)));
      sent.on('error', failed);
      sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    });
  }
}

function messageIn(body: string): string {
  try {
    const status = JSON.parse(body) as { message?: string };
    return status.message ?? body.slice(0, 300);
  } catch {
    return body.slice(0, 300);
  }
}
