import { afterEach, expect, test } from 'vitest';
import type { AccessRule, Kube, MissingRule } from '#lib/kube/index.ts';
import { roleSets, rulesFor } from '#lib/plan/index.ts';
import { type OpenSandbox, openSandbox } from '#lib/sandbox/index.ts';
import { type Choices, choicesSchema, type Goal } from '#lib/spec/index.ts';
import { assess } from '#lib/usecases/index.ts';
import { sandboxReleases } from '../testing/install-stage.ts';

let sandbox: OpenSandbox;
afterEach(() => sandbox.close());

const upgrading = choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4', acceptProposals: true });
const ownRecord = 'sh.helm.release.v1.calico.v1';

async function assessed(rules?: AccessRule[], choices: Choices = upgrading) {
  const { kube, store, clock } = sandbox;
  const own = rules ? store.as({ name: 'signalbox', rules }) : kube;
  const asked: MissingRule[] = [];
  const counting: Kube = {
    ...own,
    allowed: (wanted, options) => {
      asked.push(...wanted);
      return own.allowed(wanted, options);
    },
  };
  const { facts, findings } = await assess({
    use: (work) => work({ kube: counting, clock }),
    ...{ answers: choices, choices: () => choices, releases: sandboxReleases, signal: new AbortController().signal },
  });
  return { facts, asked, finding: findings.findings.find(({ id }) => id === 'permissions.plan') };
}

/** The rules that `signalbox rbac` prints for an upgrade of this cluster, with Helm's records by name. */
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

/** The permission to create the journal namespace, which an administrator creates together with the Roles. */
const making: AccessRule = { verbs: ['create'], groups: [''], resources: ['namespaces'] };

const ofSecrets = ({ resources }: AccessRule) => resources.includes('secrets');

test('of Secrets an upgrade by Helm may change the records of its own release alone, and that is enough', async () => {
  sandbox = await openSandbox('calico-helm-3.30', { speed: 'instant' });
  const rules = await granted();
  for (const { verbs, names } of rules.filter(ofSecrets))
    if (verbs.includes('update')) expect(names).toContain(ownRecord);
  expect(rules.filter((rule) => ofSecrets(rule) && rule.verbs.includes('delete'))).toEqual([]);
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
  const missing = finding?.subjects.map(({ name, detail }) => `${name} ${detail}`).join('\n');
  expect(missing).toContain('update');
  expect(missing).toContain(ownRecord);
});

/** The access reviews that an assessment requests beyond those for every cluster. */
async function askedBeyond(goal: Goal, answers: Partial<Choices>, rules?: AccessRule[]): Promise<MissingRule[]> {
  const { asked } = await assessed(rules, choicesSchema.parse({ goal, ...answers }));
  expect(asked.length).toBeGreaterThanOrEqual(rulesFor(goal).length);
  return asked.slice(rulesFor(goal).length);
}

test('Helm’s records are asked for by name where a step works on them, and only of whoever may not work on all', async () => {
  sandbox = await openSandbox('calico-helm-3.30', { speed: 'instant' });
  const narrow = await granted();
  const goals: [Goal, Partial<Choices>][] = [
    ['enable', {}],
    ['enable', { acceptProposals: true }],
    ['restore', {}],
    ['flow-logs', {}],
    ['undo', {}],
  ];
  for (const [goal, answers] of goals) expect(await askedBeyond(goal, answers, narrow), goal).toEqual([]);
  const { goal, ...answers } = upgrading;
  expect(await askedBeyond(goal, answers)).toEqual([]);
  const more = await askedBeyond(goal, answers, narrow);
  // Reading is granted for all records, because Signalbox finds them by a list.
  expect(new Set(more.map(({ verb, resource }) => `${verb} ${resource}`))).toEqual(new Set(['update secrets']));
  expect(more).toContainEqual({
    verb: 'update',
    group: '',
    resource: 'secrets',
    namespace: 'tigera-operator',
    name: ownRecord,
  });
});

test('where a release holds the data plane, the switch works on its records, and so does a proposal to make it there', async () => {
  sandbox = await openSandbox('helm', { speed: 'instant' });
  const narrow = await granted();
  const names = async (answers: Partial<Choices>) =>
    (await askedBeyond('enable', answers, narrow)).map(({ name }) => name);
  expect(await names({})).toEqual([]);
  expect(await names({ fix: ['managed-by.helm'] })).toContain(ownRecord);
  expect(await names({ acceptProposals: true })).toContain(ownRecord);
});
