import type { Call, Change, Store } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { objectKey } from './object-key.ts';

/** A call of Signalbox's user that changed something. */
type OurChange = { verb: string; object: string; type: Change['type']; body: string };

export type ChangeLog = {
  /** The changes of Signalbox's user in order, without journals, their namespace, the Lease and Events. */
  readonly changes: OurChange[];
  /** Every write of Signalbox's user, effective or not, bookkeeping included. */
  readonly writes: Call[];
};

/** Separates the changes of Signalbox's user from those of the operator and the nodes. The store reports a change synchronously within its call. */
export function changeLog(store: Store): ChangeLog {
  const log: ChangeLog = { changes: [], writes: [] };
  let acting: Call | null = null;
  store.intercept(async (call, proceed) => {
    const isOurs = call.user === 'signalbox';
    if (isOurs && ['create', 'patch', 'update', 'delete'].includes(call.verb) && call.group !== 'authorization.k8s.io')
      log.writes.push(call);
    acting = isOurs ? call : null;
    const done = proceed();
    acting = null;
    await done;
  });
  store.onChange(({ type, object, before }) => {
    if (!acting || isBookkeeping(object.kind, object.metadata.name ?? '')) return;
    const spec = JSON.stringify([object.spec, object.data, object.metadata.annotations]);
    if (before && spec === JSON.stringify([before.spec, before.data, before.metadata.annotations])) return;
    log.changes.push({ verb: acting.verb, object: objectKey(object), type, body: JSON.stringify(acting.body) ?? '' });
  });
  return log;
}

function isBookkeeping(kind: string, name: string): boolean {
  return (
    kind === 'Event' ||
    kind === 'Lease' ||
    (kind === 'Namespace' && name === names.journalNamespace) ||
    (kind === 'ConfigMap' && name.startsWith('signalbox-run-'))
  );
}
