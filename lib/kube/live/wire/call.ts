import type { MissingRule } from '../../error.ts';
import type { Effect } from './transport-error.ts';

/** One request. `rule` is the permission that it needs, so that a refusal can name it. */
export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `none`: it changes nothing, whatever its method: a dry run, an access review. So it is as safe to repeat as a GET. */
  readonly effect?: 'none' | undefined;
  readonly path: string;
  readonly rule: MissingRule | null;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
};

/** Whether the call may change something. */
export function effectOf({ method, effect }: Call): Effect {
  return method === 'GET' ? 'none' : (effect ?? 'write');
}
