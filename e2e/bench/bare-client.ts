import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { parse } from 'yaml';
import { z } from 'zod';

const kubeconfig = z.object({
  clusters: z.tuple([
    z.object({ cluster: z.object({ server: z.string(), 'certificate-authority-data': z.string() }) }),
  ]),
  users: z.tuple([z.object({ user: z.object({ token: z.string() }) })]),
});

const listed = z.object({ metadata: z.object({ continue: z.string().optional() }), items: z.array(z.unknown()) });

/** The least that can talk to an API server: what `lib/kube` is measured against, and what fills a cluster for it. */
export class BareClient {
  readonly #server: string;
  readonly #agent: Agent;
  readonly #headers: Record<string, string>;

  constructor(kubeconfigPath: string, connections: number) {
    const { clusters, users } = kubeconfig.parse(parse(readFileSync(kubeconfigPath, 'utf8')));
    const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
    this.#server = server;
    this.#headers = { authorization: `Bearer ${users[0].user.token}`, accept: 'application/json' };
    this.#agent = new Agent({ connections, connect: { ca: Buffer.from(ca, 'base64').toString() } });
  }

  async create(path: string, object: unknown): Promise<void> {
    const { statusCode, body } = await request(`${this.#server}${path}`, {
      method: 'POST',
      dispatcher: this.#agent,
      headers: { ...this.#headers, 'content-type': 'application/json' },
      body: JSON.stringify(object),
    });
    const answer = await body.text();
    if (statusCode !== 201 && statusCode !== 409)
      throw new Error(`POST ${path}: ${statusCode} ${answer.slice(0, 500)}`);
  }

  /** Pages through a list, parses each page, keeps nothing. */
  async pageThrough(path: string): Promise<{ objects: number; bytes: number }> {
    let objects = 0;
    let bytes = 0;
    let token = '';
    do {
      const query = `limit=1000${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
      const { statusCode, body } = await request(`${this.#server}${path}?${query}`, {
        dispatcher: this.#agent,
        headers: this.#headers,
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text.slice(0, 500)}`);
      const page = listed.parse(JSON.parse(text));
      objects += page.items.length;
      bytes += text.length;
      token = page.metadata.continue ?? '';
    } while (token !== '');
    return { objects, bytes };
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }
}
