import { type Front, frontKey, frontKinds, type PortEntries } from './entries.ts';

/** A Service's port that claims a front. `since` is the Service's creation time in RFC 3339; of two, the older wins. */
export type Claim = {
  readonly service: string;
  readonly port: PortEntries;
  readonly since: string;
  readonly front: Front;
};

/**
 * Decides who answers at a front that several Services claim. ClusterIP wins over NodePort, then load balancer address, then external IP: the API
 * server assigns the first two, while anybody who may write a Service can set the others (CVE-2020-8554). Within a kind the older Service wins, then
 * the name decides.
 */
export class Claims {
  readonly #byFront = new Map<string, Claim[]>();
  readonly #byService = new Map<string, readonly Claim[]>();

  /** Replaces the claims of a Service. Returns the fronts whose winner may have changed, by key. */
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
      const others = this.#byFront.get(key);
      this.#byFront.set(key, others ? [...others, claim].sort(byRight) : [claim]);
    }
    if (claims.length > 0) this.#byService.set(service, claims);
    else this.#byService.delete(service);
    return touched;
  }

  winner(key: string): Claim | undefined {
    return this.#byFront.get(key)?.[0];
  }

  /** The claims that this Service has lost to another. */
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
