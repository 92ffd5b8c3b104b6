import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { runCommand } from '../testing/run-command.ts';
import { rbac } from './rbac.ts';

const runRbac = (...argv: string[]) => runCommand(rbac, ['--goal', 'upgrade', '-o', 'json', ...argv], 200);
const places = async (...argv: string[]) => {
  const { items } = JSON.parse((await runRbac(...argv)).out) as { items: { metadata: { namespace?: string } }[] };
  return items.map(({ metadata: { namespace } }) => namespace);
};

test('Roles stand where Helm is said to keep releases of Calico too', async () => {
  expect(await places()).not.toContain('platform');
  expect(await places('--helm-namespace', 'platform')).toContain('platform');
});

test('what cannot be a namespace is refused with its flag', async () => {
  await expect(runRbac('--helm-namespace', 'a --role=admin')).rejects.toThrow(
    '--helm-namespace: "a --role=admin" cannot be a namespace',
  );
});

const policies = /^(tier\.)?(staged)?networkpolicies$/;

/** Rules about policies, each with the namespace of its Role. */
async function aboutPolicies(...argv: string[]) {
  const { out } = await runCommand(rbac, ['-o', 'json', ...argv], 200);
  type Role = {
    metadata: { namespace?: string };
    rules?: { resources: string[]; verbs: string[]; resourceNames?: string[] }[];
  };
  const { items } = JSON.parse(out) as { items: Role[] };
  return items.flatMap(({ metadata: { namespace = null }, rules = [] }) =>
    rules
      .filter(({ resources }) => resources.some((plural) => policies.test(plural)))
      .filter(({ verbs }) => verbs.some((verb) => verb === 'create' || verb === 'delete'))
      .map(({ verbs, resourceNames = null }) => ({ namespace, verbs, resourceNames })),
  );
}

test.each(['policy', 'undo'])(
  'the Roles of goal %s are for one policy in its namespace where it is named',
  async (goal) => {
    const file = join(testFolder('rbac'), 'policy.yaml');
    writeFileSync(
      file,
      'apiVersion: projectcalico.org/v3\nkind: StagedNetworkPolicy\nmetadata: { name: web-seen, namespace: shop }\nspec: { selector: "app == \'web\'" }\n',
    );
    const rules = await aboutPolicies('--goal', goal, '--policy', file);
    expect(rules.length).toBeGreaterThan(0);
    for (const { namespace, verbs, resourceNames } of rules) {
      expect(namespace).toBe('shop');
      // What is yet to be made has no name for the API to look at.
      if (!verbs.includes('create')) expect(resourceNames).not.toBeNull();
    }
    const any = await aboutPolicies('--goal', goal);
    expect(new Set(any.map(({ namespace }) => namespace))).toEqual(new Set([null]));
    const { out } = await runCommand(rbac, ['--goal', goal], 200);
    expect(out).toContain('# These allow any network policy in any namespace: `--policy FILE` allows only that one');
    const named = await runCommand(rbac, ['--goal', goal, '--policy', file], 200);
    expect(named.out).not.toContain('any network policy');
  },
);

test('another goal makes no policy', async () => {
  await expect(runCommand(rbac, ['--goal', 'enable', '--policy', 'a.yaml'], 200)).rejects.toThrow(
    '--policy is for --goal policy and --goal undo, not for enable',
  );
});

test('of a Helm release that is named, the Roles let its records be changed and no other Secret', async () => {
  const { out } = await runRbac('--method', 'helm', '--helm-release', 'tigera-operator/calico/3');
  const { items } = JSON.parse(out) as {
    items: { rules?: { resources: string[]; verbs: string[]; resourceNames?: string[] }[] }[];
  };
  const changing = items
    .flatMap(({ rules = [] }) => rules)
    .filter(({ resources, verbs }) => resources.includes('secrets') && verbs.includes('update'));
  expect(changing).toHaveLength(1);
  expect(changing[0]?.resourceNames).toContain('sh.helm.release.v1.calico.v4');
});

const changingIn = async (...argv: string[]) => {
  const { out } = await runRbac('--method', 'helm', ...argv);
  const { items } = JSON.parse(out) as {
    items: {
      metadata: { namespace?: string };
      rules?: { resources: string[]; verbs: string[]; resourceNames?: string[] }[];
    }[];
  };
  return items.flatMap(({ metadata: { namespace }, rules = [] }) =>
    rules
      .filter(({ verbs }) => verbs.includes('update') || verbs.includes('create'))
      .map(({ resources, verbs, resourceNames }) => ({ namespace, resources, verbs, resourceNames })),
  );
};

test('of a Helm release that is kept in ConfigMaps, the Roles let its records be changed there, and no Secret be made or changed', async () => {
  const rules = await changingIn('--helm-driver', 'configmap', '--helm-release', 'platform/calico/3');
  expect(rules.filter(({ resources }) => resources.includes('secrets'))).toEqual([]);
  const changing = rules.filter(
    ({ namespace, resources, verbs }) =>
      namespace === 'platform' && resources.includes('configmaps') && verbs.includes('update'),
  );
  expect(changing).toHaveLength(1);
  expect(changing[0]?.resourceNames).toContain('sh.helm.release.v1.calico.v4');
});

test('where no release is named, ConfigMaps of the operator’s namespace and of those that are may be changed', async () => {
  const rules = await changingIn('--helm-driver', 'configmap', '--helm-namespace', 'platform');
  expect(rules.filter(({ resources }) => resources.includes('secrets'))).toEqual([]);
  for (const wanted of ['tigera-operator', 'platform'])
    expect(
      rules.some(
        ({ namespace, resources, verbs, resourceNames }) =>
          namespace === wanted && resources.includes('configmaps') && verbs.includes('update') && !resourceNames,
      ),
    ).toBe(true);
});

test.each(['sql', 'memory', 'toString'])('--helm-driver %s is refused, and says what can be done', async (driver) => {
  await expect(runRbac('--helm-driver', driver)).rejects.toThrow(
    `--helm-driver: ${JSON.stringify(driver)} is not one of secret, configmap`,
  );
});

test.each(['calico', 'tigera-operator/calico', 'tigera-operator/calico/0', 'A/calico/1', 'a/b/c/1', 'a/B/1'])(
  'a Helm release %s is refused with its flag and the form that it has',
  async (text) => {
    await expect(runRbac('--helm-release', text)).rejects.toThrow(
      `--helm-release: ${JSON.stringify(text)} is not a Helm release; write NAMESPACE/NAME/REVISION`,
    );
  },
);
