import { type Front, frontKey, frontKinds, type PortEntries } from './entries.ts';

/** A Service's port that wants a front. `since`: creation, RFC 3339; the older one of two is in the right. */
export type Claim = {
  readonly service: string;
  readonly port: PortEntries;
  readonly since: string;
  readonly front: Front;
};

/**
 * Who answers at a front that several Services name. A ClusterIP goes before a NodePort, a load balancer's address and an external one: the first two are given
 * by the API server, the others are written by whoever may write a Service (CVE-2020-8554). Of one kind the older Service goes first, then by name.
 */
export class Claims {
  readonly #byFront = new Map<string, Claim[]>();
  readonly #byService = new Map<string, readonly Claim[]>();

  /** Replaces what a Service claims. Returns the places where something may have changed. */
  set(service: string, claims: readonly Claim[]): Map<string, Front> {
    const touched = new Map<string, Front>();
    for (const claim of this.#byService.get(service) ?? []) {
      const key = frontKey(claim.front);
      touched.set(key, claim.front);
      const left = (this.#byFront.get(key) ?? []).filter((one) => one !== claim);
      if (left.length > 0) this.#byFront.set(key, left);
      else this.#byFront.delete(key);
    }
    for (const claim of claims) {
      const key = frontKey(claim.front);
      touched.set(key, claim.front);
      this.#byFront.set(key, [...(this.#byFront.get(key) ?? []), claim].sort(byRight));
    }
    if (claims.length > 0) this.#byService.set(service, claims);
    else this.#byService.delete(service);
    return touched;
  }

  winner(key: string): Claim | undefined {
    return this.#byFront.get(key)?.[0];
  }

  /** Claims of this Service that another one has won. */
  lost(service: string): { readonly front: Front; readonly to: string }[] {
    return (this.#byService.get(service) ?? []).flatMap(({ front }) => {
      const winner = this.winner(frontKey(front));
      return winner && winner.service !== service ? [{ front, to: winner.service }] : [];
    });
  }

  get size(): number {
    return this.#byFront.size;
  }
}

function byRight(a: Claim, b: Claim): number {
  const kinds = frontKinds.indexOf(a.front.kind) - frontKinds.indexOf(b.front.kind);
  if (kinds !== 0) return kinds;
  if (a.since !== b.since) return a.since < b.since ? -1 : 1;
  return a.port.key < b.port.key ? -1 : Number(a.port.key > b.port.key);
}
