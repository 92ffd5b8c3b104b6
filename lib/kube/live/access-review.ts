import { z } from 'zod';
import { inParallel } from '#lib/base/async/in-parallel.ts';
import { KubeError, type MissingRule } from '../error.ts';
import type { AccessAnswer, CallOptions } from '../port.ts';
import type { Connection } from './connection.ts';

const reviewSchema = z.object({ status: z.object({ allowed: z.boolean(), reason: z.string().nullish() }) });
const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
/** Reviews in flight. More would only queue for the same connections. */
const atOnce = 6;

/** Sends one SelfSubjectAccessReview per rule, a few at a time. The answers are in the order of the rules. */
export function reviewAccess(
  connection: Connection,
  rules: readonly MissingRule[],
  options: CallOptions,
): Promise<AccessAnswer[]> {
  return inParallel(rules, atOnce, (rule) => review(connection, rule, options));
}

async function review(connection: Connection, rule: MissingRule, options: CallOptions): Promise<AccessAnswer> {
  const answer = await connection.json({
    method: 'POST',
    effect: 'none',
    path,
    rule: { verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' },
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: rule },
    },
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  });
  const parsed = reviewSchema.safeParse(answer);
  if (!parsed.success) throw new KubeError('protocol', "The API server's answer to an access review cannot be read.");
  const { allowed, reason } = parsed.data.status;
  return { ...rule, allowed, ...(reason ? { reason } : {}) };
}
