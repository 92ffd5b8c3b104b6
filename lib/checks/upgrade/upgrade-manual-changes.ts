import { z } from 'zod';
import { agreeing, counted, inList } from '#lib/base/words.ts';
import type { Facts, Subject } from '#lib/facts/index.ts';
import { type Choices, type Manifest, type ManifestObject, names, publishedPlaceholder } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { idIn, type ManifestChanges, manifestChanges } from '../by-hand/manifest-changes.ts';
import { type ManualChange, manualChanges } from '../by-hand/manual-changes.ts';
import type { ChangeByHand } from '../by-hand/three-way.ts';
import type { Result } from '../check.ts';
import { filesOf } from '../framework/release-files.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { isManifestInstall, manifestFileOf } from '../reading/installation.ts';
import { kubectlArguments, objectSubject } from '../reading/object-subject.ts';
import { objectsCompared } from '../reading/objects-of-upgrade.ts';
import { publishedFile } from '../reading/published-files.ts';
import { listed, quoted, shareOf } from '../wording/sentences.ts';

const configMapSchema = z.object({ data: z.record(z.string(), z.unknown()) });

export const upgradeManualChanges = defineUpgradeCheck({
  id: 'upgrade.manual-changes',
  severity: 'warning',
  reads: ['manifestConfig', 'workloads'],
  title: 'All manual changes of the manifest are recognised',
  gap: 'The manifest was changed by hand',
  topic: 'Manual changes of the manifest',
  ifIgnored: 'The manifest reverts these changes',
  consequence:
    'A new manifest overwrites manual changes: address ranges, backend, MTU, interface, mirrors. Nodes then lose their network one after the other.',
  remedy: {
    steps: [
      'Compare the cluster with the manifest that was installed, and note each difference.',
      'Make the same changes in the new manifest before it is applied.',
      'Accept this when it is done.',
    ],
  },
  source: 'spec › Endpoints; pain H20; pain H21',
  evaluate: ({ from, to }, facts, choices, files) => {
    if (!isManifestInstall(facts)) {
      return facts.installation.method === 'unknown'
        ? { kind: 'unknown', because: 'The way Calico was installed is not recognised.' }
        : {
            kind: 'skipped',
            because: 'Installed by the operator: what people set is in the Installation, which stays as it is.',
            restsOn: ['installation'],
          };
    }
    const file = manifestFileOf(facts);
    const old = filesOf(files.running, from)?.manifests[file] ?? null;
    const next = filesOf(files.target, to)?.manifests[file] ?? null;
    return (
      placeholderLeft(facts) ??
      secondAgent(facts, next ?? old) ??
      (next === null ? differences(facts, old ?? from) : decisions(facts, choices, { old, next, from }))
    );
  },
});

function configMapOf({ installation: { manifest } }: Facts): string {
  return `${names.systemNamespace}/ConfigMap/${manifest?.startsWith('canal') ? 'canal-config' : 'calico-config'}`;
}

/** The result if etcd's address in the manifest is still the placeholder. */
function placeholderLeft(facts: Facts): Result | null {
  if (facts.installation.method !== 'manifest-etcd') return null;
  const object = configMapOf(facts);
  const parsed = configMapSchema.safeParse(facts.resources.objects[object]);
  const value = parsed.success ? parsed.data.data.etcd_endpoints : undefined;
  if (typeof value !== 'string' || !publishedPlaceholder.test(value)) return null;
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
      command: `kubectl -n ${names.systemNamespace} edit configmap ${shellWord(objectSubject(object).name)}`,
    },
    evidence: [{ object, path: 'data.etcd_endpoints', value }],
  };
}

/** The result if the file's agent has another name than the running one, as charts and distributions name it: two agents would run on every node. */
function secondAgent({ installation: { agent } }: Facts, file: Manifest | null): Result | null {
  const brought = file?.objects.filter(({ kind }) => kind === 'DaemonSet').map(idIn) ?? [];
  const [first] = brought;
  if (agent === null || first === undefined || brought.includes(agent)) return null;
  return {
    kind: 'fail',
    severity: 'blocking',
    because: `The agents run in ${agent}, and the manifest brings ${first}: a second agent would start on every node beside the first.`,
    subjects: [{ ...objectSubject(agent), detail: `${first} would run beside it` }],
    consequence:
      'Two agents on one node program the same routes and rules with different settings, so its pods lose their network.',
    remedy: {
      steps: [
        'Find out what made this DaemonSet: a chart, a distribution such as RKE2, or a file of your own.',
        'Upgrade Calico by that.',
        'Check again.',
      ],
      command: `kubectl get ${kubectlArguments(agent, shellWord)} -o yaml --show-managed-fields`,
    },
    evidence: [{ object: agent, path: 'metadata.name', value: objectSubject(agent).name }],
  };
}

/** A change with the id of its object. */
type Lost = ManualChange & { readonly id: string };

/** Compares the old file and the cluster, if the new file was not read (pain H21). */
function differences(facts: Facts, old: Manifest | string): Result {
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
  const lost = compared.flatMap((released): Lost[] => {
    const id = idIn(released);
    const live = facts.resources.objects[id];
    if (live === undefined) return [];
    if (live === null) return [{ id, path: '', steps: [], released, live: undefined }];
    return manualChanges(live, released).map((change) => ({ id, ...change }));
  });
  const left = leftOut(facts, compared);
  const named = `${file} of ${old.version}`;
  if (lost.length > 0) return changed(lost, named, left.sentence);
  return left.unknown(named) ?? { kind: 'pass', because: `What runs is as ${named} has it.` };
}

function leftOut(facts: Facts, compared: readonly ManifestObject[]) {
  const unread = compared.filter((one) => !Object.hasOwn(facts.resources.objects, idIn(one)));
  const sentence =
    unread.length === 0 ? '' : ` ${shareOf(unread.length, compared.length, 'object')} of it could not be compared.`;
  const unknown = (file: string): Result | null =>
    unread.length === 0
      ? null
      : {
          kind: 'unknown',
          because: `All that could be read equals ${file}.${sentence}`,
          subjects: unread.map((one) => ({ ...objectSubject(idIn(one)), detail: 'not read' })),
        };
  return { sentence, unknown };
}

type Files = { readonly old: Manifest | null; readonly next: Manifest; readonly from: string };

/** Compares the old file, the cluster and the new file, and the decision about each difference (three-way.ts). */
function decisions(facts: Facts, choices: Choices, { old, next, from }: Files): Result {
  const named = `${manifestFileOf(facts)} of ${from}`;
  const compared = manifestChanges(facts, { old, next, answers: choices.changes ?? {} });
  const { changes: found } = compared;
  const left = leftOut(facts, objectsCompared(next));
  const droppedSentence = droppedInWords(compared, next);
  const isSettled = ({ decidedBy }: ChangeByHand) =>
    decidedBy === 'answer' || (decidedBy === 'proposal' && choices.acceptProposals);
  const open = found.filter((one) => !isSettled(one));
  if (open.length === 0)
    return left.unknown(named) ?? { kind: 'pass', because: `${settledWords(found, named)}${droppedSentence}` };
  const compares =
    old === null
      ? `${named} was not read, so what runs is compared with that of ${next.version} alone: ${counted(found.length, 'field')} ${agreeing(found.length, 'differs', 'differ')}, and not verified who changed ${agreeing(found.length, 'it', 'them')}.`
      : `${counted(found.length, 'field')} ${agreeing(found.length, 'is', 'are')} not as ${named} has ${agreeing(found.length, 'it', 'them')}, nor as that of ${next.version}: ${listed(
          found.map(({ path }) => path),
          5,
        )}.`;
  return {
    kind: 'fail',
    because: `${compares}${old === null ? '' : openWords(open, next)}${left.sentence}${droppedSentence}`,
    subjects: [...Map.groupBy(open, ({ object }) => object)].map(
      ([object, own]): Subject => ({ ...objectSubject(object), detail: listed(own.map(decisionInWords), 8) }),
    ),
    remedy: {
      steps: [
        'Decide for each change: `--keep CHANGE`, `--take CHANGE` (as in the new file) or `--write CHANGE=VALUE`.',
      ],
      details: [
        'CHANGE is OBJECT:FIELD; OBJECT alone, or all, stands for those that are not named.',
        '`--accept-proposals` keeps all that the new release left as it was.',
        'The diff of the plan shows the outcome.',
      ],
      command: `signalbox plan --goal upgrade --release ${next.version} --keep ${shellWord(open[0]?.id ?? 'all')}`,
      fixIn: 'changes',
    },
    evidence: open.slice(0, 50).map(({ object, path, live }) => ({ object, path, value: live ?? null })),
  };
}

function openWords(open: readonly ChangeByHand[], { version }: Manifest): string {
  const unsure = open.filter(({ decidedBy }) => decidedBy === 'nobody').length;
  const proposed = open.length - unsure;
  const stays = proposed === 0 ? '' : ` It is proposed that ${proposed === 1 ? 'one stays' : `${proposed} stay`}.`;
  if (unsure === 0) return stays;
  return `${stays} ${version} changes ${unsure === open.length ? agreeing(unsure, 'it', 'them') : `${unsure} of them`} too, so only you can say which is right.`;
}

function settledWords(found: readonly ChangeByHand[], file: string): string {
  if (found.length === 0) return `What runs is as ${file} has it, or as the new file has it.`;
  const many = (decision: ChangeByHand['decision']) => found.filter((one) => one.decision === decision).length;
  const parts = [
    [many('keep'), 'kept'],
    [many('take'), 'given up for the new file'],
    [many('write'), 'written as answered'],
  ] as const;
  const countsInWords = parts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  return `${counted(found.length, 'change')} of ${file} by hand: ${inList(countsInWords)}.`;
}

/** Sentences about objects that the new release no longer has; they stay unless the answers remove them. */
function droppedInWords({ dropped, unread }: ManifestChanges, next: Manifest): string {
  if (dropped.length === 0) return '';
  const each = dropped.map(({ id, usedBy }) =>
    usedBy.length === 0 ? id : `${id} (still used by ${listed([...usedBy], 5)})`,
  );
  return ` ${next.version} no longer has ${inList(each)}: ${agreeing(dropped.length, 'it stays', 'they stay')} unless --remove names ${agreeing(dropped.length, 'it', 'them')}.${unread.length === 0 ? '' : ` ${inList(unread)} of ${names.systemNamespace} could not be read, and may use ${agreeing(dropped.length, 'it', 'them')} too.`}`;
}

function decisionInWords({ path, released, live, next, decidedBy }: ChangeByHand): string {
  const shown = (value: unknown) =>
    value === undefined ? 'absent' : typeof value === 'object' ? 'a whole block' : quoted(String(value));
  const was = released === undefined ? '' : `, ${shown(released)} in the old file`;
  return `${path} is ${shown(live)} here${was} and ${shown(next)} in the new one${decidedBy === 'nobody' ? ', to be decided' : ''}`;
}

function changed(lost: readonly Lost[], old: string, left: string): Result {
  const subjects = [...Map.groupBy(lost, ({ id }) => id)].map(
    ([id, own]): Subject => ({ ...objectSubject(id), detail: listed(own.map(changeInWords), 8) }),
  );
  const what = listed(
    lost.map(({ id, path }) => path || id),
    5,
  );
  return {
    kind: 'fail',
    because: `${counted(lost.length, 'field')} of ${counted(subjects.length, 'object')} ${agreeing(lost.length, 'is', 'are')} not as ${old} has ${agreeing(lost.length, 'it', 'them')}: ${what}.${left}`,
    subjects,
    evidence: lost.slice(0, 50).map(({ id, path, live }) => ({ object: id, path, value: live ?? null })),
  };
}

function changeInWords({ path, released, live }: Lost): string {
  if (path === '') return 'is not there';
  if (live === undefined) return `${path} was taken out`;
  if (typeof live === 'object' || typeof released === 'object')
    return `${path} ${released === undefined ? 'was added' : 'was changed'}`;
  return released === undefined
    ? `${path} is ${quoted(live)}, added`
    : `${path} is ${quoted(live)} instead of ${quoted(released)}`;
}
