import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '#lib/base/records.ts';
import { oncePerUnchanging } from '#lib/base/unchanging.ts';
import type { Plan } from '#lib/plan/index.ts';
import type { Journal, Seal } from '../model/journal.ts';

/** An installation and its key: 32 random bytes that never leave its state folder. */
export type Sealer = { install: string; key: Buffer };

/** Hex SHA-256 of everything in a plan. `plan.hash` leaves out what is only shown; a seal must not. */
export const digestOfPlan = oncePerUnchanging((plan: Plan) =>
  createHash('sha256').update(canonicalJson(plan)).digest('hex'),
);

/**
 * HMAC-SHA256 (RFC 2104) over the journal and the digest of the whole plan: undo records, snapshots, finished steps. An account that may write the
 * ConfigMap cannot make one.
 */
export function sealOf({ install, key }: Sealer, journal: Journal, planDigest: string): Seal {
  const { seal: _seal, ...sealed } = journal;
  const mac = createHmac('sha256', key)
    .update(canonicalJson({ what: 'signalbox.dev/v1 Journal', install, planDigest, journal: sealed }))
    .digest('hex');
  return { install, mac };
}

/** Whether the journal's seal is this installation's, for this journal and this plan. Compares in constant time. */
export function isSealedBy(sealer: Sealer, journal: Journal, planDigest: string): boolean {
  if (journal.seal === undefined) return false;
  const { mac } = sealOf(sealer, journal, planDigest);
  return timingSafeEqual(Buffer.from(mac, 'hex'), Buffer.from(journal.seal.mac, 'hex'));
}
