import type { KubeObject } from '#lib/kube/index.ts';
import { mergedRuns, type RunSummary, runSummaryOf, unfinishedRun } from '#lib/run/index.ts';
import { type JournalNamespaces, names, resources } from '#lib/spec/index.ts';
import type { SeenRun } from './cluster-change.ts';
import { type Followed, keptByName } from './followed.ts';

/** The runs of a cluster, from the ConfigMaps that hold their journals. It reports one of them: the run that has not ended, else the newest. */
export class SeenRuns {
  private readonly namespaces: JournalNamespaces;
  private readonly moved: () => void;
  /** Runs by name, by the namespace of their journals. */
  private readonly runs = new Map<string, Map<string, RunSummary>>();
  /** The journal of the reported run only: each takes up to 1 MiB, and an account that may write ConfigMaps there can create many. */
  private journal: { readonly of: RunSummary; readonly configMap: KubeObject } | null = null;

  /** Calls `moved` after each change of any run. */
  constructor(namespaces: JournalNamespaces, moved: () => void) {
    this.namespaces = namespaces;
    this.moved = moved;
  }

  followed(): Followed[] {
    return this.namespaces.map((namespace) => this.runsIn(namespace));
  }

  current(): SeenRun | null {
    const run = this.runToTell();
    return run && { ...run, configMap: this.journal?.of === run ? this.journal.configMap : null };
  }

  private runToTell(): RunSummary | null {
    const runs = mergedRuns(this.namespaces.map((namespace) => [...(this.runs.get(namespace)?.values() ?? [])]));
    return unfinishedRun(runs) ?? runs[0] ?? null;
  }

  private runsIn(namespace: string): Followed {
    const runs = new Map<string, RunSummary>();
    this.runs.set(namespace, runs);
    const seen = new Map<RunSummary, KubeObject>();
    const read = (configMap: KubeObject) => {
      const summary = runSummaryOf(configMap);
      seen.set(summary, configMap);
      return summary;
    };
    return {
      id: `runs in ${namespace}`,
      kind: { resource: resources.configMaps, namespace, labelSelector: names.runLabel },
      sink: keptByName(runs, read, () => {
        const of = this.runToTell();
        const configMap = of && seen.get(of);
        if (configMap) this.journal = { of, configMap };
        else if (this.journal?.of !== of) this.journal = null;
        seen.clear();
        this.moved();
      }),
    };
  }
}
