import { afterEach, expect, test } from 'vitest';
import { type OpenSandbox, openSandbox } from '#lib/sandbox/index.ts';
import { choicesSchema, resources } from '#lib/spec/index.ts';
import { preparePlan } from '#lib/usecases/index.ts';
import { sandboxManifests, sandboxReleases } from '../testing/install-stage.ts';

let sandbox: OpenSandbox;
afterEach(() => sandbox.close());

test('a plan names the kind that Helm would delete with its objects, and is made once Helm leaves it', async () => {
  sandbox = await openSandbox('helm-kind-lost', { speed: 'instant' });
  const { kube, clock } = sandbox;
  const choices = choicesSchema.parse({ goal: 'upgrade', release: 'v3.32.1', acceptProposals: true });
  const plan = () =>
    preparePlan({
      ...{ kube, clock, answers: choices, choices: () => choices },
      ...{ releases: sandboxReleases, manifests: sandboxManifests, signal: new AbortController().signal },
    });
  await expect(plan()).rejects.toThrow(
    /helm\.crds was refused: The Helm release tigera-operator\/calico-crds holds 1 kind that the chart .* v3\.32\.1 lacks: siterules\.rules\.example\.com\./,
  );
  await kube.patch(
    { resource: resources.customResourceDefinitions, name: 'siterules.rules.example.com' },
    { type: 'merge', body: { metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } } } },
  );
  expect((await plan()).plan.operations.map(({ id }) => id)).toContain('helm.crds');
});
