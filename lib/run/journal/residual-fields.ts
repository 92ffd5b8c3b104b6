import type { RecordedField } from '#lib/facts/index.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { type JournalNamespaces, journalNamespaces } from '#lib/spec/index.ts';
import { hasEnded } from '../model/has-ended.ts';
import { temporaryFields } from '../model/temporary-fields.ts';
import { readJournal } from './journal-store.ts';
import { listRuns } from './list-runs.ts';

/**
 * Fields that ended runs report as left behind, for `collectFacts` to compare with the objects. The latest run that touched a field counts. Journals
 * that may not be read, or are of another version, are ignored.
 */
export async function residualFieldsOfEndedRuns(
  kube: Kube,
  namespaces: JournalNamespaces = journalNamespaces,
): Promise<RecordedField[]> {
  const recorded: RecordedField[] = [];
  const decided = new Set<string>();
  try {
    for (const { run, state, namespace } of await listRuns(kube, namespaces)) {
      if (!hasEnded(state)) continue;
      const opened = await readJournal(kube, namespace, run).catch(passOver);
      if (!opened) continue;
      for (const { field, left } of temporaryFields(opened.plan, opened.journal, namespace)) {
        if (left && !decided.has(field)) recorded.push(left);
        decided.add(field);
      }
    }
  } catch (error) {
    passOver(error);
  }
  return recorded;
}

function passOver(error: unknown): null {
  if (isKubeError(error) && error.code !== 'aborted') return null;
  throw error;
}
