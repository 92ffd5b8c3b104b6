import { type ServiceKind, serviceKindIds } from '#lib/spec/watched-services.ts';
import type { ServicesWatched } from './services.ts';

/** One kind of Service when a run last asked for it. Nodes of which nothing was heard are not among `asked`. */
export type LastHeard = {
  readonly kind: ServiceKind;
  readonly asked: number;
  readonly answered: number;
  /** When the last of these nodes was heard; RFC 3339. */
  readonly at: string;
};

/** What the nodes answered at the end of a watch, by kind: a node whose gap was still open then had no answer. Kinds of which nothing was heard are left out. Pure. */
export function lastHeard({ nodes }: ServicesWatched): LastHeard[] {
  const heard = nodes.flatMap(({ kinds }) =>
    kinds.flatMap((kind) => (kind.heardAt === undefined ? [] : [{ ...kind, heardAt: kind.heardAt }])),
  );
  return serviceKindIds.flatMap((kind) => {
    const own = heard.filter((one) => one.kind === kind);
    if (own.length === 0) return [];
    const at = new Date(Math.max(...own.map(({ heardAt }) => heardAt))).toISOString();
    return [
      { kind, asked: own.length, answered: own.filter(({ answers, openMs }) => answers && openMs === 0).length, at },
    ];
  });
}
