import { z } from 'zod';
import { agreeing, counted } from '#lib/base/words.ts';
import type { Facts, Subject } from '#lib/facts/index.ts';
import { type Manifest, type ManifestObject, names } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import type { Result } from '../check.ts';
import { filesOf } from '../framework/release-files.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { isManifestInstall, manifestFileOf } from '../reading/installation.ts';
import { fieldNamed, type ManualChange, manualChanges, sameField } from '../reading/manual-changes.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { objectsCompared } from '../reading/objects-of-upgrade.ts';
import { publishedFile } from '../reading/published-files.ts';
import { listed, quoted, shareOf } from '../wording/sentences.ts';

/** `http://<ETCD_IP>:<ETCD_PORT>`, as calico-etcd.yaml is published (calico.md §1.2). */
const placeholder = /<[A-Z_]+>/;
const configMapSchema = z.object({ data: z.record(z.string(), z.unknown()) });

export const upgradeManualChanges = defineUpgradeCheck({
  id: 'upgrade.manual-changes',
  severity: 'warning',
  reads: ['manifestConfig', 'workloads'],
  title: 'All changes of the manifest by hand are recognised',
  gap: 'The manifest was changed by hand',
  topic: 'Changes of the manifest by hand',
  ifIgnored: 'The manifest reverts these changes',
  consequence:
    'A new manifest sets back what it does not know of: address ranges, backend, MTU, interface, mirrors. Nodes then lose their network one after the other.',
  remedy: {
    steps: [
      'Compare what runs with the manifest of the release that was installed, and note each difference.',
      'Make the same changes in the manifest of the new release before it is applied.',
      'Accept this when it is done.',
    ],
  },
  source: 'spec › Endpoints; pain H20; pain H21',
  judge: ({ from, to }, facts, _choices, files) => {
    if (!isManifestInstall(facts)) {
      return facts.installation.method === 'unknown'
        ? { kind: 'unknown', because: 'The way Calico was installed is not recognised.' }
        : {
            kind: 'skipped',
            because: 'Installed by the operator: what people set is in the Installation, which stays as it is.',
            restsOn: ['installation'],
          };
    }
    return (
      placeholderLeft(facts) ??
      differences(facts, {
        old: filesOf(files.running, from)?.manifests[manifestFileOf(facts)] ?? from,
        next: filesOf(files.target, to)?.manifests[manifestFileOf(facts)] ?? null,
      })
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

/** What was installed, or only its version where its file was not read; and what comes, where that is at hand. */
type Files = { readonly old: Manifest | string; readonly next: Manifest | null };

/** A change, and what the new file has in its place; null where the new file was not read. */
type Lost = ManualChange & { readonly id: string; readonly next: { readonly value: unknown } | null };

/** Three ways: what the old file had, what runs, what the new file would make of it (pain H21). */
function differences(facts: Facts, { old, next }: Files): Result {
  const file = manifestFileOf(facts);
  if (typeof old === 'string') {
    return {
      kind: 'unknown',
      because: `${file} of ${old} was not read: nothing to compare with.`,
      remedy: {
        ...upgradeManualChanges.remedy,
        command: `kubectl diff -f ${shellWord(publishedFile(old, file))}`,
      },
    };
  }
  const compared = objectsCompared(old);
  const unread = compared.filter((one) => !Object.hasOwn(facts.resources.objects, idIn(one)));
  const coming = new Map(next?.objects.map((one) => [idIn(one), one]));
  const changes = compared.flatMap((released): Lost[] => {
    const id = idIn(released);
    const live = facts.resources.objects[id];
    if (live === undefined) return [];
    if (live === null)
      return [{ id, path: '', steps: [], released, live: undefined, next: next && { value: coming.get(id) } }];
    return manualChanges(live, released).map((change) => ({
      id,
      ...change,
      next: next && { value: fieldNamed(coming.get(id), change) },
    }));
  });
  // What the new file has as it runs needs nobody's hand.
  const lost = changes.filter(({ live, next: comes }) => comes === null || !sameField(comes.value, live));
  const left =
    unread.length === 0 ? '' : ` ${shareOf(unread.length, compared.length, 'object')} of it could not be compared.`;
  if (lost.length > 0) return changed(lost, `${file} of ${old.version}`, next, left);
  if (unread.length > 0) {
    return {
      kind: 'unknown',
      because: `All that could be read equals ${file} of ${old.version}.${left}`,
      subjects: unread.map((one) => ({ ...objectSubject(idIn(one)), detail: 'not read' })),
    };
  }
  return {
    kind: 'pass',
    because:
      changes.length === 0
        ? `What runs is as ${file} of ${old.version} has it.`
        : `What was changed in ${file} of ${old.version} stands in that of ${next?.version} too.`,
  };
}

function idIn({ kind, metadata: { name, namespace } }: ManifestObject): string {
  return `${namespace === undefined ? '' : `${namespace}/`}${kind}/${name}`;
}

function changed(lost: readonly Lost[], old: string, next: Manifest | null, left: string): Result {
  const subjects = [...Map.groupBy(lost, ({ id }) => id)].map(
    ([id, own]): Subject => ({ ...objectSubject(id), detail: listed(own.map(changeInWords), 8) }),
  );
  const what = listed(
    lost.map(({ id, path }) => path || id),
    5,
  );
  const into = next === null ? '' : ` ${next.version} does not have ${agreeing(lost.length, 'it', 'them')} so either.`;
  return {
    kind: 'fail',
    because: `${counted(lost.length, 'field')} of ${counted(subjects.length, 'object')} ${agreeing(lost.length, 'is', 'are')} not as ${old} has ${agreeing(lost.length, 'it', 'them')}: ${what}.${into}${left}`,
    subjects,
    evidence: lost.slice(0, 50).map(({ id, path, live }) => ({ object: id, path, value: live ?? null })),
  };
}

function changeInWords({ path, released, live, next }: Lost): string {
  if (path === '') return 'is not there';
  const isSimple = typeof live !== 'object' && typeof released !== 'object';
  const comes =
    next !== null && isSimple && typeof next.value !== 'object' && next.value !== released
      ? `, ${next.value === undefined ? 'and the new file does not have it' : `and ${quoted(next.value)} in the new file`}`
      : '';
  if (live === undefined) return `${path} was taken out`;
  if (!isSimple) return `${path} ${released === undefined ? 'was added' : 'was changed'}`;
  return released === undefined
    ? `${path} is ${quoted(live)}, added${comes}`
    : `${path} is ${quoted(live)} instead of ${quoted(released)}${comes}`;
}
