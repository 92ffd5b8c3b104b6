import { afterEach, expect, test } from 'vitest';
import type { AccessRule } from '#lib/kube/index.ts';
import { roleSets } from '#lib/plan/index.ts';
import { type OpenSandbox, openSandbox } from '#lib/sandbox/index.ts';
import { choicesSchema } from '#lib/spec/index.ts';
import { assess } from '#lib/usecases/index.ts';
import { sandboxReleases } from '../testing/install-stage.ts';

let sandbox: OpenSandbox;
afterEach(() => sandbox.close());

const choices = choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4', acceptProposals: true });
const ownRecord = 'sh.helm.release.v1.calico.v1';

async function assessed(rules?: AccessRule[]) {
  const { kube, store, clock } = sandbox;
  const own = rules ? store.as({ name: 'signalbox', rules }) : kube;
  const { facts, findings } = await assess({
    use: (work) => work({ kube: own, clock }),
    ...{ given: choices, choices: () => choices, releases: sandboxReleases, signal: new AbortController().signal },
  });
  return { facts, finding: findings.findings.find(({ id }) => id === 'permissions.plan') };
}

/** The Roles for an upgrade of this cluster: what `signalbox rbac` prints, with the records by name. */
async function granted(): Promise<AccessRule[]> {
  const { facts } = await assessed();
  return roleSets('upgrade', facts, { method: 'helm', afterwards: [] }).flatMap(({ roles }) =>
    roles.flatMap(({ metadata, rules }) =>
      rules.map(({ verbs, apiGroups, resources, resourceNames }) => ({
        ...{ verbs, groups: apiGroups, resources },
        ...(metadata.namespace ? { namespaces: [metadata.namespace] } : {}),
        ...(resourceNames ? { names: resourceNames } : {}),
      })),
    ),
  );
}

/** The namespace of journals is made beside the Roles. */
const making: AccessRule = { verbs: ['create'], groups: [''], resources: ['namespaces'] };

const ofSecrets = ({ resources }: AccessRule) => resources.includes('secrets');

test('of Secrets an upgrade by Helm may change the records of its own release alone, and that is enough', async () => {
  sandbox = await openSandbox('calico-helm-3.30', { speed: 'instant' });
  const rules = await granted();
  for (const { verbs, names } of rules.filter(ofSecrets))
    if (verbs.some((verb) => ['update', 'delete'].includes(verb))) expect(names).toContain(ownRecord);
  const { finding } = await assessed([...rules, making]);
  expect(finding?.subjects.map(({ name, detail }) => `${name} ${detail}`)).toEqual([]);
  expect(finding?.status).toBe('pass');
});

test('an account that may not change the record of the release is told before the start', async () => {
  sandbox = await openSandbox('calico-helm-3.30', { speed: 'instant' });
  const rules = (await granted()).map((rule) =>
    ofSecrets(rule) ? { ...rule, verbs: rule.verbs.filter((verb) => verb !== 'update') } : rule,
  );
  const { finding } = await assessed(rules.filter(({ verbs }) => verbs.length > 0));
  expect(finding?.status).toBe('fail');
  const told = finding?.subjects.map(({ name, detail }) => `${name} ${detail}`).join('\n');
  expect(told).toContain('update');
  expect(told).toContain(ownRecord);
});
