import { z } from 'zod';
import type { Facts, Subject } from '#lib/facts/index.ts';
import { type Manifest, names } from '#lib/spec/index.ts';
import type { Result } from './check.ts';
import { filesOf } from './framework/release-files.ts';
import { defineUpgradeCheck } from './framework/upgrade-check.ts';
import { isManifestInstall, manifestFileOf } from './reading/installation.ts';
import { type ManualChange, manualChanges } from './reading/manual-changes.ts';
import { objectSubject } from './reading/object-subject.ts';
import { publishedFile } from './reading/published-files.ts';
import { agreeing, counted, listed, quoted } from './wording/sentences.ts';
import { shellWord } from './wording/shell.ts';

/** `http://<ETCD_IP>:<ETCD_PORT>`, as calico-etcd.yaml is published (calico.md §1.2). */
const placeholder = /<[A-Z_]+>/;
const configMapSchema = z.object({ data: z.record(z.string(), z.unknown()) });

export const upgradeManualChanges = defineUpgradeCheck({
  id: 'upgrade.manual-changes',
  severity: 'warning',
  reads: ['manifestConfig', 'workloads'],
  title: 'What was changed by hand in the manifest is known',
  consequence:
    'A new manifest sets back what it does not know of: address ranges, backend, MTU, interface, mirrors. Nodes then lose their network one after the other.',
  remedy: {
    steps: [
      'Compare what runs with the manifest of the release that was installed, and note each difference.',
      'Make the same changes in the manifest of the new release before it is applied.',
      'Acknowledge this when it is done.',
    ],
  },
  source: 'spec › Endpoints; pain H20; pain H21',
  judge: ({ from }, facts, _choices, files) => {
    if (!isManifestInstall(facts)) {
      return facts.installation.method === 'unknown'
        ? { kind: 'unknown', because: 'How Calico was installed cannot be told.' }
        : {
            kind: 'skipped',
            because: 'Installed by the operator: what people set is in the Installation, which stays as it is.',
            restsOn: ['installation'],
          };
    }
    return (
      placeholderLeft(facts) ?? differences(facts, from, filesOf(files.running, from)?.manifests[manifestFileOf(facts)])
    );
  },
});

function configMapOf({ installation: { manifest } }: Facts): string {
  return `${names.systemNamespace}/ConfigMap/${manifest?.startsWith('canal') ? 'canal-config' : 'calico-config'}`;
}

/** An installation with its data in etcd whose address was never filled in. */
function placeholderLeft(facts: Facts): Result | null {
  if (facts.installation.method !== 'manifest-etcd') return null;
  const object = configMapOf(facts);
  const parsed = configMapSchema.safeParse(facts.resources.objects[object]);
  const value = parsed.success ? parsed.data.data.etcd_endpoints : undefined;
  if (typeof value !== 'string' || !placeholder.test(value)) return null;
  return {
    kind: 'fail',
    severity: 'blocking',
    because: `etcd_endpoints is ${quoted(value)}, the placeholder of the published manifest: no agent can reach its data.`,
    subjects: [{ ...objectSubject(object), detail: `etcd_endpoints: ${value}` }],
    remedy: {
      steps: [
        'Write the addresses of etcd into etcd_endpoints, here and in the manifest of the new release.',
        'Check again.',
      ],
      command: `kubectl -n ${names.systemNamespace} edit configmap ${objectSubject(object).name}`,
    },
    evidence: [{ object, path: 'data.etcd_endpoints', value }],
  };
}

function differences(facts: Facts, from: string, manifest: Manifest | undefined): Result {
  const file = manifestFileOf(facts);
  if (manifest === undefined) {
    return {
      kind: 'unknown',
      because: `What was changed by hand is known only by comparing with ${file} of ${from}, and that file was not read.`,
      remedy: {
        ...upgradeManualChanges.remedy,
        command: `kubectl diff -f ${shellWord(publishedFile(from, file))}`,
      },
    };
  }
  const changes = manifest.objects.flatMap((released) => {
    const id = `${released.metadata.namespace === undefined ? '' : `${released.metadata.namespace}/`}${released.kind}/${released.metadata.name}`;
    const live = facts.resources.objects[id];
    return live ? manualChanges(live, released).map((change) => ({ id, ...change })) : [];
  });
  if (changes.length === 0) {
    return { kind: 'pass', because: `What runs is as ${file} of ${from} has it.` };
  }
  const subjects = [...Map.groupBy(changes, ({ id }) => id)].map(
    ([id, own]): Subject => ({ ...objectSubject(id), detail: listed(own.map(changeInWords), 8) }),
  );
  return {
    kind: 'fail',
    because: `${counted(changes.length, 'field')} of ${counted(subjects.length, 'object')} ${agreeing(changes.length, 'is', 'are')} not as ${file} of ${from} has ${agreeing(changes.length, 'it', 'them')}: ${listed(
      changes.map(({ path }) => path),
      5,
    )}.`,
    subjects,
    evidence: changes.slice(0, 50).map(({ id, path, live }) => ({ object: id, path, value: live ?? null })),
  };
}

function changeInWords({ path, released, live }: ManualChange): string {
  if (live === undefined) return `${path} was taken out`;
  if (typeof live === 'object' || typeof released === 'object')
    return `${path} ${released === undefined ? 'was added' : 'was changed'}`;
  return released === undefined
    ? `${path} is ${quoted(live)}, added`
    : `${path} is ${quoted(live)} instead of ${quoted(released)}`;
}
