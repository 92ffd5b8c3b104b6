import { laterLine } from '#components/dashboard/later-line.ts';
import { stepFrom } from '#components/dashboard/next-step.ts';
import { goalName, runStateWords } from '#components/dashboard/run-state-words.ts';
import {
  clusterPath,
  clustersPath,
  findingPath,
  findingsPath,
  flowsPath,
  nodePath,
  referencePath,
  runPath,
  runsPath,
  sessionsPath,
  topicPath,
} from '#components/frame/paths.ts';
import { runTitle } from '#components/run/run-words.ts';
import type { Assessment, ClusterEntry, Draft } from '#lib/console/host.ts';
import { draftPath } from '#lib/console/wizard/index.ts';
import type { ShownRun } from '#lib/run/index.ts';
import { canStillBeUndone } from '#lib/run/model/has-ended.ts';
import type { Place } from './place.ts';

/** Places that do not depend on the cluster. */
export function placesOfConsole(
  clusters: readonly ClusterEntry[],
  topics: readonly { name: string; title: string }[],
): Place[] {
  return [
    { group: 'Pages', title: 'All clusters', note: '', href: clustersPath },
    { group: 'Pages', title: 'Reference', note: '', href: referencePath },
    ...topics.map(({ name, title }): Place => ({ group: 'Pages', title, note: 'Reference', href: topicPath(name) })),
    { group: 'Pages', title: 'Sessions', note: '', href: sessionsPath },
    ...clusters.map(
      ({ slug, name, kind, server, shows }): Place => ({
        group: 'Clusters',
        title: name,
        note: shows ?? server ?? (kind === 'in-cluster' ? 'the cluster that this console runs in' : ''),
        href: clusterPath(slug),
      }),
    ),
  ];
}

/** Data of the present cluster. Null: it could not be read. */
export type ClusterInView = {
  readonly entry: ClusterEntry;
  readonly assessed: Pick<Assessment, 'facts' | 'findings'> | null;
  readonly runs: readonly ShownRun[] | null;
  readonly drafts: readonly Draft[];
};

export function placesOfCluster({ entry, assessed, runs, drafts }: ClusterInView): Place[] {
  const { slug, name } = entry;
  return [
    ...actions({ entry, assessed, runs, drafts }),
    { group: 'Pages', title: 'Dashboard', note: name, href: clusterPath(slug) },
    { group: 'Pages', title: 'Findings', note: name, href: findingsPath(slug) },
    { group: 'Pages', title: 'Runs', note: name, href: runsPath(slug) },
    { group: 'Pages', title: 'Flows', note: name, href: flowsPath(slug) },
    ...(assessed?.findings.findings ?? [])
      .filter(({ status }) => status === 'fail' || status === 'unknown')
      .map(({ id, title }): Place => ({ group: 'Findings', title, note: id, href: findingPath(slug, id) })),
    ...(assessed?.facts.nodes ?? []).map(
      (node): Place => ({
        group: 'Nodes',
        title: node.name,
        note: node.osImage ?? '',
        href: nodePath(slug, node.name),
      }),
    ),
    ...(runs ?? []).map(
      (run): Place => ({
        group: 'Runs',
        title: runStateWords(run).sentence,
        note: run.startedAt.slice(0, 16).replace('T', ' '),
        href: runPath(slug, run.run),
      }),
    ),
  ];
}

function actions({ entry: { slug, name, kept }, assessed, runs, drafts }: ClusterInView): Place[] {
  const open = runs?.find((run) => runStateWords(run).isOpen);
  const undoable = runs?.find(({ state }) => canStillBeUndone(state));
  const at = (title: string, note: string, href: string): Place => ({ group: 'Actions', title, note, href });
  return [
    ...(open === undefined ? [] : [at(`Follow the run: ${goalName(open)}`, name, runPath(slug, open.run))]),
    ...drafts.map((draft) =>
      at(
        `Continue: ${draft.name ?? runTitle(draft.answers, name)}`,
        `a draft, begun ${draft.createdAt.slice(0, 10)} ${draft.createdAt.slice(11, 16)} UTC`,
        draftPath(draft),
      ),
    ),
    ...(open === undefined && assessed !== null
      ? next(assessed, (title) => at(title, 'on the dashboard', clusterPath(slug)))
      : []),
    ...(open === undefined && undoable !== undefined
      ? [at(`Undo: ${goalName(undoable)}`, 'on the page of the run', runPath(slug, undoable.run))]
      : []),
    at('Check the cluster again', 'on Findings', findingsPath(slug)),
    ...(kept
      ? [at('Reset the sandbox', 'in the list of clusters', `${clustersPath}?q=${encodeURIComponent(name)}`)]
      : []),
  ];
}

/** The next step, as on the dashboard; an outage comes first. */
function next(
  { facts: { installation }, findings }: Pick<Assessment, 'facts' | 'findings'>,
  at: (title: string) => Place,
): Place[] {
  if (findings.findings.some(({ outage }) => outage)) return [at('End the outage')];
  const here = { none: 'nothing', unknown: 'begun' } as const;
  const { method, dataplane, version } = installation;
  const step = stepFrom(method === 'none' || method === 'unknown' ? here[method] : 'agents', dataplane.actual);
  const later = laterLine(version);
  return [
    ...(step === null ? [] : [at(step === 'install' ? 'Install Calico' : 'Enable eBPF')]),
    ...(later === null ? [] : [at(`Upgrade Calico to ${later}`)]),
  ];
}
