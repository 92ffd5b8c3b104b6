import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { madeByRun } from '../acts/made-by-run.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;
type Context = Pick<ConditionContext, 'kube' | 'signal' | 'journal'>;

/** The object exists as this run created it. *failed* if another client created it, or has changed its spec since. Rejects with a KubeError. */
export async function isMade(condition: Of<'made'>, { kube, signal, journal }: Context): Promise<Progress> {
  const { target } = condition;
  const found = await kube.get(target, { signal });
  switch (madeByRun(found, condition, journal)) {
    case 'nothing':
      return waiting(`${objectId(target)} to exist`);
    case 'of-others':
      return failed(condition, 'object.of-others', 'is there, and this run did not make it.');
    case 'changed':
      return failed(condition, 'object.changed', 'was made by this run, and its spec has changed since.');
    case 'as-made':
      return met([{ object: objectId(target), path: 'metadata.uid', value: found?.metadata.uid ?? '' }]);
  }
}

/**
 * The object that this run created is gone; an object of another client stays. *failed* if the spec was changed after the run created it, since it is
 * not deleted then. Rejects with a KubeError.
 */
export async function isUnmade(condition: Of<'unmade'>, { kube, signal, journal }: Context): Promise<Progress> {
  const { target } = condition;
  const found = await kube.get(target, { signal });
  switch (madeByRun(found, condition, journal)) {
    case 'nothing':
      return met([], `${objectId(target)} is gone`);
    case 'of-others':
      return met([], `${objectId(target)} stays: this run did not make it`);
    case 'changed':
      return failed(
        condition,
        'object.changed',
        'was made by this run, and its spec has changed since. Delete it yourself and resume, or stop here: then it stays.',
      );
    case 'as-made':
      return waiting(`${objectId(target)} to be gone`);
  }
}

function failed({ target }: Of<'made' | 'unmade'>, code: string, what: string): Progress {
  const { resource, namespace = null, name } = target;
  return {
    kind: 'failed',
    code,
    because: `${objectId(target)} ${what}`,
    subjects: [{ kind: resource.kind, namespace, name, detail: what }],
  };
}
