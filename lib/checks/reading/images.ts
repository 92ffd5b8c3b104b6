import { z } from 'zod';
import type { Facts } from '#lib/facts/index.ts';
import { names } from '#lib/spec/index.ts';

const workload = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({ containers: z.array(z.object({ name: z.string(), image: z.string() })) }),
    }),
  }),
});

/** The image of the running agent, and the object that names it; null if it was not read. */
export function agentImage({ installation, resources: { objects } }: Facts): { object: string; image: string } | null {
  const { agent } = installation;
  const parsed = agent === null ? null : workload.safeParse(objects[agent]);
  if (agent === null || !parsed?.success) return null;
  const found = parsed.data.spec.template.spec.containers.find(({ name }) => name === names.nodeContainer);
  return found ? { object: agent, image: found.image } : null;
}

/** `quay.io/calico/node:v3.31.4` → `quay.io/calico`; `calico/node` is `docker.io/calico` (https://pkg.go.dev/github.com/distribution/reference). */
export function registryOf(image: string): string {
  const [path = ''] = image.split('@');
  const parts = path.split('/').slice(0, -1);
  const [host = ''] = parts;
  const hasHost = parts.length > 0 && (/[.:]/.test(host) || host === 'localhost');
  return (hasHost ? parts : ['docker.io', ...parts]).join('/');
}
