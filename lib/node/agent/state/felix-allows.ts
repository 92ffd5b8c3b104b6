import { valueAt } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { cleanupFlagPath, names } from '#lib/spec/index.ts';
import { Bell } from '../../sync/bell.ts';

/**
 * Whether FelixConfiguration `default` allows the agent to delete kube-proxy's rules. The field must be set: Felix treats an unset field as true, but
 * nobody has then confirmed that kube-proxy stays off. A source may deliver the object twice, by Calico's API and by its CRD; if the two differ,
 * deletion is not allowed.
 */
export class FelixAllows {
  readonly #bell = new Bell();
  readonly #cleanupFlags = new Map<string, unknown>();

  /** @param key `kind/namespace/name` as sources give it; the namespace is empty */
  changed(key: string, object: KubeObject | null): void {
    if (!key.endsWith(`/${names.felixConfiguration}`)) return;
    this.#cleanupFlags.set(key, object === null ? undefined : valueAt(object, cleanupFlagPath));
    this.#bell.ring();
  }

  /** Resolves once deletion is allowed, or when the signal aborts. */
  async untilAllowed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#isAllowed()) await this.#bell.heard(signal);
  }

  #isAllowed(): boolean {
    const flags = [...this.#cleanupFlags.values()].filter((one) => one !== undefined);
    return flags.length > 0 && flags.every((one) => one === true);
  }
}
