import { isRecord, valueAt } from '#lib/base/records.ts';
import type { Kube } from '#lib/kube/index.ts';
import { type ObjectRef, type Resource, resources } from '#lib/spec/index.ts';

/** Carries out the commands of remedies on a sandbox: `patch`, `annotate`, `label`, `delete`, `set env` and `rollout restart` of objects by name. */

/** Whether a command writes; others only show something. */
export function isWrite(line: string): boolean {
  return /^kubectl (?:-n \S+ )?(?:patch|annotate|label|delete|set env|rollout restart|apply)\b/.test(line);
}

/** Carries out one command. Throws for a command that it does not know. */
export async function kubectl(kube: Kube, line: string): Promise<void> {
  const words = wordsOf(line).slice(1);
  const namespace = taken(words, '-n') ?? taken(words, '--namespace');
  const type = taken(words, '--type');
  const body = taken(words, '-p') ?? taken(words, '--patch');
  const container = taken(words, '-c');
  const [verb, ...rest] =
    words[0] === 'rollout' || words[0] === 'set' ? [words.slice(0, 2).join(' '), ...words.slice(2)] : words;
  const [kind = '', ...named] = rest;
  const ref = (name = ''): ObjectRef => ({ resource: resourceCalled(kind), name, ...(namespace ? { namespace } : {}) });
  const merge = (name: string | undefined, patch: Record<string, unknown>) =>
    kube.patch(ref(name), { type: 'merge', body: patch });
  switch (verb) {
    case 'patch':
      if (type !== 'merge' || body === null) throw new Error(`${line}: not a merge patch`);
      await merge(named[0], JSON.parse(body) as Record<string, unknown>);
      return;
    case 'annotate':
    case 'label': {
      const [name, ...marks] = named.filter((word) => word !== '--overwrite');
      const map = Object.fromEntries(
        marks.map((mark) => (mark.endsWith('-') ? [mark.slice(0, -1), null] : pair(mark))),
      );
      await merge(name, { metadata: { [verb === 'label' ? 'labels' : 'annotations']: map } });
      return;
    }
    case 'set env': {
      const [name, ...variables] = named;
      const live = await kube.get(ref(name));
      const set = variables.map(pair);
      // kubectl sets variables of init containers too (kubectl pkg/cmd/set/set_env.go).
      const changed = ['initContainers', 'containers'].flatMap((which) => {
        const given = valueAt(live, ['spec', 'template', 'spec', which]);
        if (!Array.isArray(given)) return [];
        const isMeant = (one: Record<string, unknown>) => container === null || one.name === container;
        return [[which, given.filter(isRecord).map((one) => (isMeant(one) ? withVariables(one, set) : one))]];
      });
      if (changed.length === 0) throw new Error(`${line}: it has no containers`);
      await merge(name, { spec: { template: { spec: Object.fromEntries(changed) } } });
      return;
    }
    case 'rollout restart':
      await merge(named[0], {
        spec: {
          template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-22T00:00:00Z' } } },
        },
      });
      return;
    case 'delete':
      for (const name of named) await kube.delete(ref(name));
      return;
    default:
      throw new Error(`${line}: ${verb} is not known here`);
  }
}

function withVariables(container: Record<string, unknown>, set: readonly (readonly [string, string])[]) {
  const named = new Set(set.map(([name]) => name));
  const before = Array.isArray(container.env) ? container.env.filter(isRecord) : [];
  const kept = before.filter(({ name }) => !named.has(String(name)));
  return { ...container, env: [...kept, ...set.map(([name, value]) => ({ name, value }))] };
}

function pair(mark: string): [string, string] {
  return [mark.slice(0, mark.indexOf('=')), mark.slice(mark.indexOf('=') + 1)];
}

/** Removes a flag with its value from the words, and returns the value. */
function taken(words: string[], flag: string): string | null {
  const at = words.indexOf(flag);
  return at < 0 ? null : (words.splice(at, 2)[1] ?? null);
}

/** The resource for `daemonset` or `felixconfigurations.crd.projectcalico.org`. Without a group, kubectl chooses the stored kind. */
function resourceCalled(called: string): Resource {
  const [plural = '', ...group] = called.toLowerCase().split('.');
  const all: readonly Resource[] = Object.values(resources);
  const found = all.find(
    (one) =>
      [one.plural, one.kind.toLowerCase()].includes(plural) && (group.length === 0 || one.group === group.join('.')),
  );
  if (!found) throw new Error(`no resource is called ${called}`);
  return found;
}

/** Splits a line into words as a shell does. Knows only single quotes, because remedies use no others. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}
