import type { Act } from '../schema/act.ts';

type HelmAct = Extract<Act, { kind: 'helm' }>;

/** The arguments of helm, made from the act's fields alone: a plan file cannot add a flag or another program. */
export function helmArguments(act: HelmAct): string[] {
  const where = ['--namespace', act.namespace, ...keepAll];
  if (act.verb === 'rollback') return ['rollback', act.release, String(act.revision), ...where];
  const set = Object.entries(act.set).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
  const version = act.version === null ? [] : ['--version', act.version];
  const values = act.values === 'reset-then-reuse' ? '--reset-then-reuse-values' : '--reuse-values';
  return ['upgrade', act.release, act.chart, ...where, values, ...version, ...set];
}

/** Helm keeps the newest ten revisions by default and deletes the others, which may be somebody else's or the one that the way back needs. */
const keepAll = ['--history-max', '0'];
